import type { Candidate } from '#contract/schemas/reconciliation.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { formatDay } from '#web/lib/dates.ts'
import { FoundOption } from './find-list.tsx'

interface TransferOptionProps {
  id: string
  candidate: Candidate
  isActive: boolean
  onChoose: () => void
}

/** A transfer of ours that was found for money which came in. */
export function TransferOption({ id, candidate: { transfer }, isActive, onChoose }: TransferOptionProps) {
  if (!transfer) return null
  const { payeeName, payeeAccount, amount, currency, bookedOn, dueAgain } = transfer
  const details = [
    bookedOn ? `went out ${formatDay(bookedOn)}` : 'not booked',
    ...(payeeAccount ? [`to ${formatAccountNumber(payeeAccount)}`] : []),
    ...dueAgain.flatMap(({ orders }) => orders.map(({ orderNumber }) => `refund for ${orderNumber}`)),
  ]
  return (
    <FoundOption {...{ id, isActive, onChoose }}>
      <span className="min-w-0">
        <span className="font-semibold">Returned transfer</span>{' '}
        <bdi className="wrap-anywhere">to {payeeName ?? 'an unnamed payee'}</bdi>
        <span className="mt-0.5 block text-12 wrap-anywhere text-quiet">{details.join(', ')}</span>
      </span>
      <span className="whole-number tabular-nums">
        {formatAmount(amount)} <span className="text-quiet">{currency}</span>
      </span>
    </FoundOption>
  )
}
