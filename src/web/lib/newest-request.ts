import { useEffect, useEffectEvent, useState } from 'react'

/** How long a running request may delay a newer one once typing stops, in milliseconds. */
const maxWaitMs = 50

/**
 * Returns a function that calls `send` at once, or while `isBusy` after the running request. Only the newest of several
 * waiting texts is sent. If no answer comes in time, it is sent anyway and replaces the running request.
 */
export function useNewestRequest(isBusy: boolean, send: (text: string) => void): (text: string) => void {
  const [waiting, setWaiting] = useState<{ text: string }>()
  const onSend = useEffectEvent((request: { text: string }) => {
    // A newer text may have been set at the same moment.
    setWaiting((now) => (now === request ? undefined : now))
    send(request.text)
  })
  useEffect(() => {
    if (!waiting) return
    const timer = setTimeout(() => onSend(waiting), isBusy ? maxWaitMs : 0)
    return () => clearTimeout(timer)
  }, [waiting, isBusy])
  return (text) => setWaiting({ text })
}
