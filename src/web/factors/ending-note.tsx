import { useEffect, useState } from 'react'
import { sessionEndingRoutes } from '#contract/session-endings.ts'
import { call } from '#web/api.ts'

/** Why this browser's session has ended, before the fields to sign in again. Nothing where there is nothing to tell. */
export function EndingNote() {
  const [message, setMessage] = useState<string | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    // The form works without it.
    void call(sessionEndingRoutes.read, { signal: stop.signal, isPassive: true }).then(
      (reply) => setMessage(reply.message),
      () => {},
    )
    return () => stop.abort()
  }, [])
  return (
    message !== null && (
      // As a Note, whose icons this page need not load.
      <output className="mb-4 block rounded-m bg-info-soft px-3 py-2.5 text-13 text-info-ink">{message}</output>
    )
  )
}
