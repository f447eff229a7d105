import { heartbeatSeconds, liveLists, liveRoutes } from '#contract/live.ts'
import type { Heartbeat, LiveEvent } from '#contract/schemas/live.ts'
import { buildUrl } from '#web/api.ts'
import { signInGraceMs } from './live-state.ts'
import type { StreamState } from './tabs.ts'

const silenceLimitMs = heartbeatSeconds * 2 * 1000
const retryPausesMs = [1000, 2000, 5000, 10_000, 20_000]

interface StreamOptions {
  onState: (state: StreamState) => void
  onEvent: (event: LiveEvent) => void
  /** Whether the session is still valid. A refused stream looks like a broken one. */
  checkSession: () => Promise<boolean>
}

/** The server's event stream, opened again whenever it breaks. One tab of a browser holds it (`live-leader.ts`). */
export function createLiveStream({ onState, onEvent, checkSession }: StreamOptions) {
  let source: EventSource | undefined
  let isWanted = false
  let attempt = 0
  let now: StreamState = { state: 'connecting', stream: '' }
  let silenceTimer: ReturnType<typeof setTimeout> | undefined
  let reopenTimer: ReturnType<typeof setTimeout> | undefined

  function report(state: Partial<StreamState>) {
    now = { ...now, ...state }
    onState(now)
  }
  function restartSilenceTimer() {
    clearTimeout(silenceTimer)
    silenceTimer = setTimeout(handleLoss, silenceLimitMs)
  }
  function close() {
    clearTimeout(silenceTimer)
    clearTimeout(reopenTimer)
    source?.close()
    source = undefined
  }
  function handleLoss() {
    close()
    if (!isWanted) return
    report({ state: navigator.onLine ? 'reconnecting' : 'offline' })
    if (!navigator.onLine) return
    const pause = retryPausesMs[Math.min(attempt, retryPausesMs.length - 1)] ?? 0
    attempt += 1
    reopenTimer = setTimeout(() => void reopen(), pause * (0.75 + Math.random() / 2))
  }
  async function reopen() {
    if ((await checkSession()) && isWanted) open()
  }
  function open() {
    close()
    source = new EventSource(buildUrl(liveRoutes.stream))
    restartSilenceTimer()
    source.addEventListener('open', () => {
      restartSilenceTimer()
      attempt = 0
      report({ state: 'live', stream: String(Math.random()) })
    })
    source.addEventListener('error', handleLoss)
    source.addEventListener('heartbeat', ({ data }: MessageEvent<string>) => {
      restartSilenceTimer()
      report({ build: parseJson<Heartbeat>(data)?.build })
    })
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      restartSilenceTimer()
      const event = parseEvent(data)
      if (!event) return
      onEvent(event)
      if (event.type !== 'end') return
      close()
      reopenTimer = setTimeout(() => void reopen(), signInGraceMs)
    })
  }
  function connect() {
    attempt = 0
    if (!isWanted) return
    if (!navigator.onLine) return handleLoss()
    report({ state: 'reconnecting' })
    open()
  }

  return {
    /** The present state, for tabs that query it. */
    state: () => now,
    start(signal: AbortSignal) {
      isWanted = true
      now = { ...now, state: 'connecting', stream: '' }
      window.addEventListener('online', connect, { signal })
      window.addEventListener('offline', handleLoss, { signal })
      signal.addEventListener('abort', () => {
        isWanted = false
        close()
      })
      if (navigator.onLine) open()
      else handleLoss()
    },
    /** Opens the stream again after a new sign-in. */
    reconnect: () => {
      if (!source) connect()
    },
  }
}

export type LiveStream = ReturnType<typeof createLiveStream>

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
