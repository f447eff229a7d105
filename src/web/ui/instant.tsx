import { splitInstant } from '#web/lib/dates.ts'
import { cn } from '#web/lib/cn.ts'

/** An instant in the browser's zone, with the UTC instant on hover (product 9.8). It breaks before "at" alone. */
export function Instant({ value, className }: { value: string; className?: string }) {
  const { day, hour } = splitInstant(value)
  return (
    <time dateTime={value} title={value} className={cn('tabular-nums', className)}>
      <span className="whitespace-nowrap">{day}</span> <span className="whitespace-nowrap">{hour}</span>
    </time>
  )
}
