import { writeOffCodeLabels, type WriteOffCode } from '#contract/bank-allocations.ts'
import { formatAmount, isZero } from '#web/bank/amounts.ts'
import { formatDay } from '#web/lib/dates.ts'
import { Select } from '#web/ui/select.tsx'
import { calculateDueRest, findCreditMost, type CreditAllocation, type Split, type SplitAction } from './split-state.ts'

/** Why what is due may no longer be: what the bank or another one kept, or what is too small to be sent. */
const closeCodes: WriteOffCode[] = ['fee', 'small_difference', 'other_business']

interface CreditPurposeProps {
  allocation: CreditAllocation
  split: Split
  isDisabled: boolean
  onChange: (action: SplitAction) => void
}

/** An earlier payment that an allocation of money that went out pays back or takes back, and what is due of the rest. */
export function CreditPurpose({ allocation, split, isDisabled, onChange }: CreditPurposeProps) {
  const { credit, purpose } = allocation
  const rest = calculateDueRest(split, allocation)
  return (
    <span className="block min-w-0 wrap-anywhere">
      <b>{purpose === 'payBack' ? 'Refund' : 'Taken back'}</b>
      {credit.payerName && (
        <>
          {purpose === 'payBack' ? ' to ' : ' from '}
          <bdi>{credit.payerName}</bdi>
        </>
      )}
      <span className="block text-12 text-quiet">
        {formatAmount(credit.amount)} {credit.currency}
        {credit.bookedOn && `, booked ${formatDay(credit.bookedOn)}`}
      </span>
      <span className="hidden text-12 text-quiet @max-[34rem]:block">
        Due {formatAmount(findCreditMost(allocation))}
      </span>
      {allocation.purpose === 'payBack' && !isZero(rest) && (
        <Select
          aria-label="What stays due"
          options={[
            { value: '', label: `${formatAmount(rest)} stays due` },
            ...closeCodes.map((value) => ({
              value,
              label: `${formatAmount(rest)} closed: ${writeOffCodeLabels[value].toLowerCase()}`,
            })),
          ]}
          value={allocation.closeAs ?? ''}
          disabled={isDisabled}
          onChange={({ target }) =>
            onChange({ type: 'closeAs', key: allocation.key, closeAs: (target.value as WriteOffCode) || null })
          }
          className="mt-1 w-56 max-w-full"
        />
      )}
    </span>
  )
}
