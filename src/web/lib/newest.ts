import { useEffect, useEffectEvent, useState } from 'react'

/** How long an answer under way may hold up a newer question once no key follows, in milliseconds. */
const patience = 50

/**
 * A function that calls `ask` with what it is given: at once, or while `isBusy` as soon as the answer under way is there.
 * Of several that wait the newest alone is asked. Without an answer it is asked after all, in place of the one under way.
 */
export function useNewest(isBusy: boolean, ask: (text: string) => void): (text: string) => void {
  const [waiting, setWaiting] = useState<{ text: string }>()
  const onAsk = useEffectEvent((question: { text: string }) => {
    // A newer one may have come at this very moment.
    setWaiting((now) => (now === question ? undefined : now))
    ask(question.text)
  })
  useEffect(() => {
    if (!waiting) return
    const timer = setTimeout(() => onAsk(waiting), isBusy ? patience : 0)
    return () => clearTimeout(timer)
  }, [waiting, isBusy])
  return (text) => setWaiting({ text })
}
