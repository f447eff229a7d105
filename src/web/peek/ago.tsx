import { useEffect, useState } from 'react'
import { getServerNow } from '#web/lib/clock.ts'
import { formatAgo } from './format-ago.ts'

const updateEveryMs = 30_000

/** How long ago something was, updated by the clock. */
export function Ago({ instant }: { instant: string }) {
  const [now, setNow] = useState(getServerNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(getServerNow()), updateEveryMs)
    return () => clearInterval(timer)
  }, [])
  const { amount, rest } = formatAgo(instant, now)
  return (
    <>
      <b className="text-16">{amount}</b> <span className="text-12 text-quiet">{rest}</span>
    </>
  )
}
