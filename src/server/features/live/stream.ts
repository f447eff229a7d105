import type { Writable } from 'node:stream'
import type { Heartbeat, LiveEvent } from '#contract/schemas/live.ts'

/** Bytes that may wait for a slow client. Events are some 60 bytes, so whoever is this far behind is gone. */
const mostWaiting = 16 * 1024

/** One console's event stream, in the form of https://html.spec.whatwg.org/multipage/server-sent-events.html. */
export class LiveStream {
  readonly sessionId: string
  readonly #sink: Writable
  readonly #heartbeat: string

  constructor(sink: Writable, sessionId: string, buildId?: string) {
    this.#sink = sink
    const heartbeat: Heartbeat = buildId === undefined ? {} : { build: buildId }
    this.#heartbeat = JSON.stringify(heartbeat)
    this.sessionId = sessionId
    // Spread out, so that consoles do not all come back in the same instant when a server restarts.
    this.#write(`retry: ${1000 + Math.floor(Math.random() * 2000)}\n\n`)
  }

  send(event: LiveEvent, id: string): void {
    this.#write(`id: ${id}\ndata: ${JSON.stringify(event)}\n\n`)
  }

  /** Carries the latest id too, so that a stream that breaks off before its first event can resume. */
  heartbeat(id?: string): void {
    this.#write(`event: heartbeat\n${id ? `id: ${id}\n` : ''}data: ${this.#heartbeat}\n\n`)
  }

  /** The session is over: says so and closes. */
  end(id: string): void {
    this.send({ type: 'end' }, id)
    this.close()
  }

  close(): void {
    this.#sink.end()
  }

  #write(text: string): void {
    if (this.#sink.destroyed || this.#sink.writableEnded) return
    this.#sink.write(text)
    if (this.#sink.writableLength > mostWaiting) this.#sink.destroy()
  }
}
