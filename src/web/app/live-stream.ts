import { heartbeatSeconds, liveLists, liveRoutes } from '#contract/live.ts'
import type { Heartbeat, LiveEvent } from '#contract/schemas/live.ts'
import { urlOf } from '#web/api.ts'
import { endPause } from './live-state.ts'
import type { StreamState } from './tabs.ts'

const silence = heartbeatSeconds * 2 * 1000
const pauses = [1000, 2000, 5000, 10_000, 20_000]

interface StreamOptions {
  onState: (state: StreamState) => void
  onEvent: (event: LiveEvent) => void
  /** Whether the session still stands: a refused stream says nothing but "error", like a broken one. */
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
  function heard() {
    clearTimeout(silenceTimer)
    silenceTimer = setTimeout(lost, silence)
  }
  function close() {
    clearTimeout(silenceTimer)
    clearTimeout(reopenTimer)
    source?.close()
    source = undefined
  }
  function lost() {
    close()
    if (!isWanted) return
    report({ state: navigator.onLine ? 'reconnecting' : 'offline' })
    if (!navigator.onLine) return
    const pause = pauses[Math.min(attempt, pauses.length - 1)] ?? 0
    attempt += 1
    reopenTimer = setTimeout(() => void reopen(), pause * (0.75 + Math.random() / 2))
  }
  async function reopen() {
    if ((await checkSession()) && isWanted) open()
  }
  function open() {
    close()
    source = new EventSource(urlOf(liveRoutes.stream))
    heard()
    source.addEventListener('open', () => {
      heard()
      attempt = 0
      report({ state: 'live', stream: String(Math.random()) })
    })
    source.addEventListener('error', lost)
    source.addEventListener('heartbeat', ({ data }: MessageEvent<string>) => {
      heard()
      report({ build: parseJson<Heartbeat>(data)?.build })
    })
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      heard()
      const event = parseEvent(data)
      if (!event) return
      onEvent(event)
      if (event.type !== 'end') return
      close()
      reopenTimer = setTimeout(() => void reopen(), endPause)
    })
  }
  function connect() {
    attempt = 0
    if (!isWanted) return
    if (!navigator.onLine) return lost()
    report({ state: 'reconnecting' })
    open()
  }

  return {
    /** What it is now; answers the tabs that ask. */
    state: () => now,
    start(signal: AbortSignal) {
      isWanted = true
      now = { ...now, state: 'connecting', stream: '' }
      window.addEventListener('online', connect, { signal })
      window.addEventListener('offline', lost, { signal })
      signal.addEventListener('abort', () => {
        isWanted = false
        close()
      })
      if (navigator.onLine) open()
      else lost()
    },
    /** The session is there again: opens the stream that its end had closed. */
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
  // A newer server may announce lists, or events, that this page does not know yet.
  return event?.type === 'changed'
    ? { type: 'changed', lists: liveLists.filter((list) => event.lists?.includes(list)) }
    : undefined
}
