import { useEffect, useRef, useState } from 'react'

/** The lease is prolonged at most this often. */
const minIntervalMs = 60_000
const activityEvents = ['keydown', 'pointerdown', 'pointermove', 'wheel']

/** Calls `prolong` while the operator does something, at most once a minute: an abandoned screen holds no case. */
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
      // After what the key itself does: it may open another case.
      setTimeout(() => latest.current())
    }
    const stop = new AbortController()
    for (const event of activityEvents)
      window.addEventListener(event, onActivity, { passive: true, signal: stop.signal })
    return () => stop.abort()
  }, [])
}

/** Whether that instant, by this browser's clock, is over. */
export function useIsPast(instant: number): boolean {
  const [over, setOver] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setOver(instant), Math.max(0, instant - Date.now()))
    return () => clearTimeout(timer)
  }, [instant])
  return over === instant
}
