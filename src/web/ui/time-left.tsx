import { useEffect, useState } from 'react'
import { cn } from '#web/lib/cn.ts'
import { getServerNow } from '#web/lib/clock.ts'
import { formatTimeLeft } from '#web/lib/time-left.ts'

const updateEveryMs = 30_000

/** The time until an instant, updated by the clock. Warning colour within a day, nothing once it is past. */
export function TimeLeft({ until, className }: { until: string; className?: string }) {
  const [now, setNow] = useState(getServerNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(getServerNow()), updateEveryMs)
    return () => clearInterval(timer)
  }, [])
  const left = formatTimeLeft(until, now)
  if (!left) return null
  return (
    <span className={cn('whitespace-nowrap', left.isShort ? 'font-medium text-warning-ink' : 'text-quiet', className)}>
      {left.text}
    </span>
  )
}
