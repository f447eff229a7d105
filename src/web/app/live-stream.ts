import { heartbeatSeconds, liveLists, liveRoutes } from '#contract/live.ts'
import type { Heartbeat, LiveEvent } from '#contract/schemas/live.ts'
import { buildUrl } from '#web/api.ts'
import { signInGraceMs } from './live-state.ts'
import type { StreamMessage, StreamState } from './tabs.ts'

const silenceLimitMs = heartbeatSeconds * 2 * 1000
const retryPausesMs = [1000, 2000, 5000, 10_000, 20_000]

interface StreamOptions {
  onMessage: (message: StreamMessage) => void
  /** Whether the session is still valid. A refused stream looks like a broken one. */
  checkSession: () => Promise<boolean>
}

/** The server's event stream, opened again whenever it breaks. One tab of a browser holds it (`live-leader.ts`). */
export class LiveStream {
  readonly #options: StreamOptions
  #source: EventSource | undefined
  #isWanted = false
  #attempt = 0
  #state: StreamState = { state: 'connecting', stream: '' }
  #silenceTimer: ReturnType<typeof setTimeout> | undefined
  #reopenTimer: ReturnType<typeof setTimeout> | undefined

  constructor(options: StreamOptions) {
    this.#options = options
  }

  /** The present state, for tabs that query it. */
  get state() {
    return this.#state
  }

  start(signal: AbortSignal) {
    this.#isWanted = true
    this.#state = { ...this.#state, state: 'connecting', stream: '' }
    window.addEventListener('online', () => this.#connect(), { signal })
    window.addEventListener('offline', this.#handleLoss, { signal })
    signal.addEventListener('abort', () => {
      this.#isWanted = false
      this.#close()
    })
    if (navigator.onLine) this.#open()
    else this.#handleLoss()
  }

  /** Opens the stream again after a new sign-in. */
  reconnect() {
    if (!this.#source) this.#connect()
  }

  #connect() {
    this.#attempt = 0
    if (!this.#isWanted) return
    if (!navigator.onLine) return this.#handleLoss()
    this.#report({ state: 'reconnecting' })
    this.#open()
  }

  #open() {
    this.#close()
    const source = new EventSource(buildUrl(liveRoutes.stream))
    this.#source = source
    this.#restartSilenceTimer()
    source.addEventListener('open', () => {
      this.#restartSilenceTimer()
      this.#attempt = 0
      this.#report({ state: 'live', stream: String(Math.random()) })
    })
    source.addEventListener('error', this.#handleLoss)
    source.addEventListener('heartbeat', ({ data }: MessageEvent<string>) => {
      this.#restartSilenceTimer()
      const { build, spreadMs } = parseJson<Heartbeat>(data) ?? {}
      this.#report({ build, spreadMs })
    })
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      this.#restartSilenceTimer()
      this.#receive(data)
    })
  }

  #close() {
    clearTimeout(this.#silenceTimer)
    clearTimeout(this.#reopenTimer)
    this.#source?.close()
    this.#source = undefined
  }

  readonly #handleLoss = () => {
    this.#close()
    if (!this.#isWanted) return
    this.#report({ state: navigator.onLine ? 'reconnecting' : 'offline' })
    if (!navigator.onLine) return
    const pause = retryPausesMs[Math.min(this.#attempt, retryPausesMs.length - 1)] ?? 0
    this.#attempt += 1
    this.#reopenAfter(pause * (0.75 + Math.random() / 2))
  }

  #reopenAfter(pauseMs: number) {
    this.#reopenTimer = setTimeout(() => void this.#reopen(), pauseMs)
  }

  async #reopen() {
    if ((await this.#options.checkSession()) && this.#isWanted) this.#open()
  }

  #restartSilenceTimer() {
    clearTimeout(this.#silenceTimer)
    this.#silenceTimer = setTimeout(this.#handleLoss, silenceLimitMs)
  }

  #report(state: Partial<StreamState>) {
    this.#state = { ...this.#state, ...state }
    this.#options.onMessage({ type: 'stream-state', state: this.#state })
  }

  #receive(data: string) {
    const event = parseEvent(data)
    if (!event) return
    this.#options.onMessage({ type: 'stream-event', event })
    if (event.type !== 'end') return
    this.#close()
    this.#reopenAfter(signInGraceMs)
  }
}

function parseJson<T>(data: string): Partial<T> | undefined {
  try {
    return JSON.parse(data) as Partial<T>
  } catch {
    return undefined
  }
}

function parseEvent(data: string): LiveEvent | undefined {
  const event = parseJson<{ type: string; lists: unknown[] }>(data)
  if (event?.type === 'resync' || event?.type === 'end') return { type: event.type }
  // A newer server may send lists or events that this page does not know.
  return event?.type === 'changed'
    ? { type: 'changed', lists: liveLists.filter((list) => event.lists?.includes(list)) }
    : undefined
}
