import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** The least time between two calls, in milliseconds. */
const minIntervalMs = 60_000
const activityEvents = ['keydown', 'pointerdown', 'pointermove', 'wheel']

/** Calls `prolong` while the operator is active, at most once a minute. An abandoned screen loses its case. */
export function useActivityHeartbeat(prolong: () => void): void {
  const latest = useRef(prolong)
  useEffect(() => {
    latest.current = prolong
  })
  useEffect(() => {
    let last = Date.now()
    const onActivity = () => {
      if (Date.now() - last < minIntervalMs) return
      last = Date.now()
      // Runs after the key's own handler, which may open another case.
      setTimeout(() => latest.current())
    }
    const stop = new AbortController()
    for (const event of activityEvents)
      window.addEventListener(event, onActivity, { passive: true, signal: stop.signal })
    return () => stop.abort()
  }, [])
}

/** Whether this instant is past, by the browser's clock. */
export function useIsPast(instant: number): boolean {
  const [over, setOver] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setOver(instant), Math.max(0, instant - Date.now()))
    return () => clearTimeout(timer)
  }, [instant])
  return over === instant
}

/** Calls `onReturn` when the page comes back from the browser's cache of pages. */
export function usePageReturn(onReturn: () => unknown): void {
  const onShown = useEffectEvent(onReturn)
  useEffect(() => {
    const stop = new AbortController()
    window.addEventListener('pageshow', ({ persisted }) => persisted && onShown(), { signal: stop.signal })
    return () => stop.abort()
  }, [])
}
