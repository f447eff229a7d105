import { formatInstant } from '#web/lib/dates.ts'
import { cn } from '#web/lib/cn.ts'

/** An instant in the browser's zone, with the UTC instant on hover (PRODUCT 3.21). */
export function Instant({ value, className }: { value: string; className?: string }) {
  return (
    <time dateTime={value} title={value} className={cn('whitespace-nowrap tabular-nums', className)}>
      {formatInstant(value)}
    </time>
  )
}
