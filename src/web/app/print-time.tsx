import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { Instant } from '#web/ui/instant.tsx'

/** The time of printing, on paper only. */
export function PrintTime() {
  const [now, setNow] = useState(() => new Date().toISOString())
  useEffect(() => {
    // Renders at once, since printing does not wait.
    const onPrint = () => flushSync(() => setNow(new Date().toISOString()))
    window.addEventListener('beforeprint', onPrint)
    return () => window.removeEventListener('beforeprint', onPrint)
  }, [])
  return (
    <p className="ml-auto hidden text-12 text-quiet print:block">
      Printed <Instant value={now} />
    </p>
  )
}
