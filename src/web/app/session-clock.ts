import type { QueryClient } from '@tanstack/react-query'
import { sessionEnd, type SessionEnd } from '#web/lib/session-end.ts'
import { checkSession, sessionWarning } from './session.ts'
import { onTabMessage, postToTabs } from './tabs.ts'

const warnBeforeMs = 2 * 60_000
/** Shorter renewals are not announced to the other tabs. */
const notableMs = 5000

/** Warns before the session ends, as the server's answers in any tab say, until the returned function is called. */
export function watchSessionEnd(client: QueryClient): () => void {
  const stop = new AbortController()
  const { signal } = stop
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastPosted: SessionEnd | undefined

  /** Checks the session before warning, since another tab may have renewed it. The check renews nothing. */
  async function verify() {
    const before = sessionEnd.get()
    await checkSession(client)
    if (sessionEnd.get() === before) scheduleWarning()
  }
  function scheduleWarning() {
    clearTimeout(timer)
    const end = sessionEnd.get()
    if (!end || signal.aborted) return sessionWarning.set(null)
    const left = Math.min(end.idle, end.absolute) - Date.now()
    if (left > warnBeforeMs + 1000) {
      sessionWarning.set(null)
      timer = setTimeout(() => void verify(), left - warnBeforeMs)
    } else {
      sessionWarning.set({ at: Date.now() + left, isFinal: end.absolute <= end.idle })
      timer = setTimeout(() => void verify(), left > 0 ? left + 1000 : warnBeforeMs)
    }
  }
  const stopPlanning = sessionEnd.subscribe(() => {
    const end = sessionEnd.get()
    if (end && (!lastPosted || Math.abs(end.idle - lastPosted.idle) > notableMs)) {
      lastPosted = end
      postToTabs({ type: 'session-end', end })
    }
    scheduleWarning()
  })
  onTabMessage((message) => {
    if (message.type !== 'session-end') return
    lastPosted = message.end
    sessionEnd.set(message.end)
  }, signal)
  scheduleWarning()
  return () => {
    stop.abort()
    stopPlanning()
    clearTimeout(timer)
    sessionWarning.set(null)
  }
}
