import { CircleAlert, CircleCheck } from 'lucide-react'
import { cn } from '#web/lib/cn.ts'
import { MissingValue } from '#web/ui/section.tsx'
import { formatAmount, isZero } from './amounts.ts'

interface DifferenceProps {
  /** Null where the file states no balances. */
  difference: string | null
  /** Somebody has accepted it. */
  isAccepted?: boolean
  large?: boolean
}

/** What a statement's lines and its balances differ by. Red unless it is 0 or accepted. */
export function Difference({ difference, isAccepted = false, large = false }: DifferenceProps) {
  if (difference === null) return <MissingValue>No balances</MissingValue>
  const isRight = isAccepted || isZero(difference)
  const Icon = isRight ? CircleCheck : CircleAlert
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 align-middle tabular-nums',
        isRight ? large || 'text-quiet' : 'font-medium text-danger-ink',
        large && 'text-14 leading-4.5 font-semibold',
      )}
    >
      <Icon
        aria-hidden
        className={cn('shrink-0', large ? 'size-4' : 'size-3.5', isRight ? 'text-success-ink' : 'text-danger-ink')}
      />
      <span className="whole-number">{formatAmount(difference)}</span>
    </span>
  )
}
