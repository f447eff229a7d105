import { splitInstant } from '#web/lib/dates.ts'
import { cn } from '#web/lib/cn.ts'

/** An instant in the browser's zone, UTC on hover (product 9.8). In a narrow column the hour is under the day. */
export function Instant({ value, className }: { value: string; className?: string }) {
  const { day, hour } = splitInstant(value)
  return (
    <time dateTime={value} title={value} className={cn('tabular-nums [:where(td)>&]:leading-4.5', className)}>
      <span className="whitespace-nowrap">{day}</span>{' '}
      <span className="whitespace-nowrap [td>time>&]:text-12">{hour}</span>
    </time>
  )
}
