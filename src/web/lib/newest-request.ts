import { useEffect, useEffectEvent, useState } from 'react'

/** How long an answer under way may hold up a newer question once no key follows, in milliseconds. */
const maxWaitMs = 50

/**
 * A function that calls `ask` with what it is given: at once, or while `isBusy` as soon as the answer under way is there.
 * Of several that wait the newest alone is asked. Without an answer it is asked after all, in place of the one under way.
 */
export function useNewestRequest(isBusy: boolean, send: (text: string) => void): (text: string) => void {
  const [waiting, setWaiting] = useState<{ text: string }>()
  const onSend = useEffectEvent((request: { text: string }) => {
    // A newer one may have come at this very moment.
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
