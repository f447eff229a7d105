import type { OrderPayments } from '#contract/schemas/bank-allocations.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { formatDay } from '#web/lib/dates.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { Note } from '#web/ui/note.tsx'

interface WaitingLinesProps {
  lines: OrderPayments['waiting']
  /** What follows from them where they are shown. */
  advice: string
  className?: string
}

/** Lines of the bank that may pay an order and nobody has decided on, each with the way to it (product 5.6). */
export function WaitingLines({ lines, advice, className }: WaitingLinesProps) {
  if (lines.length === 0) return null
  return (
    <Note tone="warning" className={className}>
      {lines.length === 1
        ? 'A bank line that may pay this order waits'
        : `${lines.length} bank lines that may pay this order wait`}
      . {advice}
      <ul className="mt-1.5 grid gap-1">
        {lines.map(({ id, open, currency, bookedOn, payer, text }) => (
          <li key={id} className="min-w-0 wrap-anywhere">
            <Link {...paths.bank({ line: id })} className="font-medium underline underline-offset-3">
              {formatAmount(open)} {currency}
            </Link>
            {payer !== null && (
              <>
                {' from '}
                <bdi>{payer}</bdi>
              </>
            )}
            {bookedOn !== null && `, ${formatDay(bookedOn)}`}
            {text !== '' && (
              <>
                {': '}
                <bdi>{text}</bdi>
              </>
            )}
          </li>
        ))}
      </ul>
    </Note>
  )
}
