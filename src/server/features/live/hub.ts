import { setTimeout as pause } from 'node:timers/promises'
import type { Writable } from 'node:stream'
import { randomBytes } from 'node:crypto'
import { heartbeatSeconds, liveLists, type LiveList } from '#contract/live.ts'
import type { LiveEvent, Heartbeat } from '#contract/schemas/live.ts'
import { changesChannel } from '#server/core/audit.ts'
import type { Services } from '#server/core/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { filterActiveSessions } from '#server/features/auth/service.ts'
import type { Permission } from '#contract/permissions.ts'
import { Listener } from './listener.ts'
import { sessionsEndedChannel } from './end-streams.ts'

/** The permission to view each list. A stream names no other. Null: a list that shows what the admin may view. */
export const listPermissions: Record<LiveList, Permission | null> = {
  users: 'members.view',
  analytics: 'dashboard.view',
  orders: 'orders.view',
  bank: 'bank.view',
  tokens: 'tokens.view',
  transactions: 'transactions.view',
  chainTransactions: 'transactions.view',
  security: 'security.view',
  logs: 'audit.view',
  kyc: 'kyc.view',
  kycWebhooks: 'messages.view',
  messages: 'messages.view',
  chain: 'transactions.view',
  operators: 'operators.manage',
  approvals: null,
  bulk: null,
  alerts: null,
  views: null,
  templates: 'kyc.decide',
}

/** Bytes that may wait for a slow client. Events have about 60 bytes, so a client this far behind is gone. */
const mostWaiting = 16 * 1024

/** So many consoles fetch a change at once; each one more gives all of them more time, so that a server can answer. */
const unspreadStreams = 50
const spreadMsEach = 2
const mostSpreadMs = 5000

/** Whose stream it is, and the lists that it names. */
interface Subscription {
  sessionId: string
  lists: ReadonlySet<LiveList>
}

/** The event stream of one console (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class LiveStream {
  readonly sessionId: string
  readonly #lists: ReadonlySet<LiveList>
  readonly #sink: Writable
  readonly #buildId: string | undefined

  constructor(sink: Writable, { sessionId, lists }: Subscription, buildId?: string) {
    this.#sink = sink
    this.#lists = lists
    this.#buildId = buildId
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

  /** Contains the latest id, so that a stream without events can resume, and is told how many streams there are. */
  heartbeat(streams: number, id?: string): void {
    const spreadMs = Math.min(mostSpreadMs, Math.max(0, streams - unspreadStreams) * spreadMsEach)
    const heartbeat: Heartbeat = { build: this.#buildId, ...(spreadMs > 0 && { spreadMs }) }
    this.#write(`event: heartbeat\n${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(heartbeat)}\n\n`)
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

/** The last events of one server. A stream that reconnects gets what it missed. */
export class LiveHistory {
  // Ids of another server, or from before a restart, are unknown and mean resync.
  readonly #boot = randomBytes(4).toString('hex')
  readonly #size: number
  readonly #events: LiveEvent[] = []
  #last = 0

  constructor(size = 500) {
    this.#size = size
  }

  /** The id of the latest event, `<boot>-<number>`. The number is 0 before the first event. */
  get lastId(): string {
    return `${this.#boot}-${this.#last}`
  }

  add(event: LiveEvent): void {
    this.#last += 1
    this.#events.push(event)
    if (this.#events.length > this.#size) this.#events.shift()
  }

  /** The changes after an id as one event. Null if there are none. */
  since(id: string): LiveEvent | null {
    const [, boot, number] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(id) ?? []
    const missed = this.#last - Number(number)
    if (boot !== this.#boot || !(missed >= 0 && missed <= this.#events.length)) return { type: 'resync' }
    const lists = new Set<LiveList>()
    for (const event of this.#events.slice(this.#events.length - missed)) {
      if (event.type !== 'changed') return { type: 'resync' }
      for (const list of event.lists) lists.add(list)
    }
    return missed === 0 ? null : { type: 'changed', lists: [...lists] }
  }
}

const streamsPerSession = 10
/** A change of the platform is announced in its transaction, for its audit row, and after it: both go out as one event. */
const settleMs = 20
/** Changes within this time after an event are combined into the next. */
const gatherMs = 250
/** The first stream waits this long for the listening connection. Otherwise it opens and resyncs later. */
const patienceMs = 1000

const isList = (name: string): name is LiveList => liveLists.some((list) => list === name)

/** All event streams of one server and the connection that listens for changes. Starts with the first stream. */
export class Hub {
  readonly #services: Services
  readonly #buildId: string | undefined
  readonly #streams = new Set<LiveStream>()
  readonly #history = new LiveHistory()
  readonly #gathered = new Set<LiveList>()
  #gathering: NodeJS.Timeout | undefined
  #beat: NodeJS.Timeout | undefined
  #listener: Listener | undefined
  #listening: Promise<void> | undefined
  #isClosed = false

  constructor(services: Services, buildId?: string) {
    this.#services = services
    this.#buildId = buildId
  }

  /** Waits for the listening connection, within limits. Throws too_many_requests if a session has too many streams. */
  async prepare(sessionId: string): Promise<void> {
    this.#listening ??= this.#start()
    await Promise.race([this.#listening, pause(patienceMs, undefined, { ref: false })])
    if (this.#findStreams([sessionId]).length >= streamsPerSession)
      throw new AppError('too_many_requests', `At most ${streamsPerSession} event streams a session`, {
        retryAfter: 30,
      })
  }

  /** Opens a stream: sends a heartbeat, then the events since `lastEventId`. */
  open(sink: Writable, listening: Subscription, lastEventId: string | undefined): void {
    if (this.#isClosed) return void sink.destroy()
    const stream = new LiveStream(sink, listening, this.#buildId)
    const { liveStreams } = this.#services.metrics
    const forget = () => this.#streams.delete(stream) && liveStreams.dec()
    this.#streams.add(stream)
    liveStreams.inc()
    sink.once('close', forget)
    sink.once('error', () => sink.destroy())
    if (sink.destroyed) forget()
    const missed = lastEventId ? this.#history.since(lastEventId) : null
    // The latest id would say that nothing was missed, so it goes out with the missed changes.
    stream.heartbeat(this.#streams.size, missed ? undefined : this.#history.lastId)
    if (missed) stream.send(missed, this.#history.lastId)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#beat)
    clearTimeout(this.#gathering)
    const isRestart = this.#services.config.drainSeconds > 0
    for (const stream of this.#streams) stream.close({ isRestart })
    await this.#listener?.close()
  }

  #start(): Promise<void> {
    this.#beat = setInterval(() => void this.#tick(), heartbeatSeconds * 1000)
    return new Promise((resolve) => {
      const { database, log } = this.#services
      let isFirst = true
      this.#listener = new Listener({
        connection: database.session,
        channels: [changesChannel, sessionsEndedChannel],
        log,
        onNotification: (channel, payload) => this.#onNotification(channel, payload.split(',')),
        onListening: () => {
          if (!isFirst || this.#streams.size > 0) this.#resync()
          isFirst = false
          resolve()
        },
      })
    })
  }

  #onNotification(channel: string, names: string[]): void {
    if (channel === sessionsEndedChannel) return this.#endSessions(names)
    for (const list of names.filter(isList)) this.#gathered.add(list)
    this.#gathering ??= setTimeout(() => this.#flush(), settleMs)
  }

  /** Sends the first change of a burst soon and combines the rest. */
  #flush(): void {
    this.#gathering = undefined
    if (this.#gathered.size === 0) return
    this.#send({ type: 'changed', lists: [...this.#gathered] })
    this.#gathered.clear()
    this.#gathering = setTimeout(() => this.#flush(), gatherMs)
  }

  #resync(): void {
    this.#gathered.clear()
    this.#send({ type: 'resync' })
    void this.#endExpiredSessions()
  }

  #send(event: LiveEvent): void {
    this.#history.add(event)
    for (const stream of this.#streams) stream.send(event, this.#history.lastId)
  }

  async #tick(): Promise<void> {
    for (const stream of this.#streams) stream.heartbeat(this.#streams.size, this.#history.lastId)
    await Promise.all([this.#endExpiredSessions(), this.#listener?.ping()])
  }

  /** Ends the streams of sessions that timed out, or that ended while nobody listened. */
  async #endExpiredSessions(): Promise<void> {
    const ids = [...new Set([...this.#streams].map(({ sessionId }) => sessionId))]
    if (ids.length === 0) return
    try {
      const alive = await filterActiveSessions(this.#services.database, ids)
      this.#endSessions(ids.filter((id) => !alive.has(id)))
    } catch (error) {
      this.#services.log.warn(
        { err: error },
        'could not look whether sessions still are; streams stay until the next time',
      )
    }
  }

  #endSessions(ids: string[]): void {
    for (const stream of this.#findStreams(ids)) stream.end(this.#history.lastId)
  }

  #findStreams(ids: string[]): LiveStream[] {
    return [...this.#streams].filter(({ sessionId }) => ids.includes(sessionId))
  }
}
