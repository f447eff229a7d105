import type { Writable } from 'node:stream'
import type { LiveList } from '#contract/live.ts'
import type { Heartbeat, LiveEvent } from '#contract/schemas/live.ts'

/** Bytes that may wait for a slow client. Events have about 60 bytes, so a client this far behind is gone. */
const mostWaiting = 16 * 1024

/** Whose stream it is, and the lists that it names. */
export interface Listening {
  sessionId: string
  lists: ReadonlySet<LiveList>
}

/** The event stream of one console (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class LiveStream {
  readonly sessionId: string
  readonly #lists: ReadonlySet<LiveList>
  readonly #sink: Writable
  readonly #heartbeat: string

  constructor(sink: Writable, { sessionId, lists }: Listening, buildId?: string) {
    this.#sink = sink
    this.#lists = lists
    const heartbeat: Heartbeat = buildId === undefined ? {} : { build: buildId }
    this.#heartbeat = JSON.stringify(heartbeat)
    this.sessionId = sessionId
    // Random, so that consoles do not all reconnect at the same moment after a restart.
    this.#write(`retry: ${1000 + Math.floor(Math.random() * 2000)}\n\n`)
  }

  /** Omits lists that the admin may not view, and an event that is left with none. */
  send(event: LiveEvent, id: string): void {
    const lists = event.type === 'changed' ? event.lists.filter((list) => this.#lists.has(list)) : null
    if (lists?.length === 0) return
    this.#write(`id: ${id}\ndata: ${JSON.stringify(lists ? { ...event, lists } : event)}\n\n`)
  }

  /** Contains the latest id, so that a stream without events can resume. */
  heartbeat(id?: string): void {
    this.#write(`event: heartbeat\n${id ? `id: ${id}\n` : ''}data: ${this.#heartbeat}\n\n`)
  }

  /** Reports the end of the session and closes. */
  end(id: string): void {
    this.send({ type: 'end' }, id)
    this.close()
  }

  /** `isRestart`: another server is there meanwhile, so that browsers may come back soon, but not all at once. */
  close({ isRestart = false } = {}): void {
    if (isRestart) this.#write(`retry: ${100 + Math.floor(Math.random() * 1000)}\n\n`)
    this.#sink.end()
  }

  #write(text: string): void {
    if (this.#sink.destroyed || this.#sink.writableEnded) return
    this.#sink.write(text)
    if (this.#sink.writableLength > mostWaiting) this.#sink.destroy()
  }
}
