import { useId } from 'react'
import type { OrderPayment } from '#contract/schemas/reconciliation.ts'
import { formatDay } from '#web/lib/dates.ts'
import { formatDecimal } from '#web/lib/money.ts'
import { Instant } from '#web/ui/instant.tsx'

/** Payments that no longer count: who undid them, when and why. */
export function UndonePayments({ payments }: { payments: OrderPayment[] }) {
  const id = useId()
  return (
    <div className="border-t px-4 py-3 text-12 text-quiet">
      <h3 id={id} className="font-medium">
        Undone
      </h3>
      <ul aria-labelledby={id} className="mt-1 space-y-1.5">
        {payments.map(({ part, line }) => (
          <li key={part.id} className="break-words">
            <s className="whole-number tabular-nums">
              {formatDecimal(part.amount, 2)} {part.currency}
            </s>{' '}
            of <bdi>{line.payer.name ?? 'an unnamed payer'}</bdi>
            {line.bookedOn && `, booked ${formatDay(line.bookedOn)}`}: undone by <bdi>{part.undoneBy}</bdi>
            {part.undoneAt && (
              <>
                {' on '}
                <Instant value={part.undoneAt} />
              </>
            )}
            , <bdi>“{part.undoReason}”</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}
