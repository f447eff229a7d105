import { writeOffCodeLabels, refundCauseLabels } from '#contract/bank-allocations.ts'
import type { BankAllocation, RestoredAllocation } from '#contract/schemas/bank-allocations.ts'
import { compareAmounts, formatAmount, isZero } from '#web/bank/amounts.ts'
import { formatDay } from '#web/lib/dates.ts'

/** "2,000.00 EUR" */
export const formatAllocationMoney = ({ amount, currency }: Pick<BankAllocation, 'amount' | 'currency'>): string =>
  `${formatAmount(amount)} ${currency}`

/** "To be paid back for ORD-7: booked too late, 20.00 EUR still due" */
function describeRefund({ order, cause, otherLineId, refundDue, amount, currency }: BankAllocation): string {
  const isPaid = otherLineId !== null || (refundDue !== null && isZero(refundDue))
  const isPartPaid = !isPaid && refundDue !== null && compareAmounts(refundDue, amount) < 0
  return [
    isPaid ? 'Paid back' : 'To be paid back',
    order ? ` for ${order.orderNumber}` : '',
    cause ? `: ${refundCauseLabels[cause].toLowerCase()}` : '',
    isPartPaid ? `, ${formatAmount(refundDue)} ${currency} still due` : '',
  ].join('')
}

/** What an allocation is for: "Applied to ORD-7", "To be paid back for ORD-7: overpaid". */
export function describePurpose(allocation: BankAllocation): string {
  const { purpose, order, code } = allocation
  switch (purpose) {
    case 'order':
      return `Applied to ${order?.orderNumber ?? 'an order'}`
    case 'refund':
      return describeRefund(allocation)
    case 'reversal':
      return 'Taken back by the bank'
    case 'return':
      return 'Returned transfer'
    case 'ignored':
      return code ? `Put aside: ${writeOffCodeLabels[code].toLowerCase()}` : 'Put aside'
  }
}

/** The second line of the toast: each order or purpose with its amount. */
export const describeAllocations = (allocations: readonly BankAllocation[]): string =>
  allocations
    .map(
      (allocation) =>
        `${allocation.purpose === 'order' ? allocation.order?.orderNumber : describePurpose(allocation)} · ${formatAllocationMoney(allocation)}`,
    )
    .join(', ')

/** What of an order's other payments would go back though the order waits again. */
export const describePaidTwice = (
  { amount, currency, bookedOn }: BankAllocation['paidTwice'][number],
  order: string,
): string =>
  `${formatAllocationMoney({ amount, currency })} of ${bookedOn ? `the line of ${formatDay(bookedOn)}` : 'another line'} stay to be paid ` +
  `back as paid twice: undo that as well, and they can pay ${order}`

/** What undoing a decision brings back, or why it does not and where the money goes then. */
export function describeRestored({ purpose, direction, orderNumber, ...restored }: RestoredAllocation): string {
  const { bookedOn, refusal } = restored
  const money = formatAllocationMoney(restored)
  const isToPayBack = purpose === 'refund' && direction === 'credit'
  if (refusal !== null) {
    const line = bookedOn ? `the line of ${formatDay(bookedOn)}` : 'their line'
    return isToPayBack
      ? `${refusal}: ${money} of ${line} are not due again`
      : `${refusal}: the ${money} stay open on ${line}`
  }
  if (purpose === 'order') return `${orderNumber ?? 'The order'} has its ${money} again`
  if (isToPayBack) return `${money} are to be paid back again`
  return purpose === 'refund' ? `${money} count as paid back again` : `${money} are put aside again`
}
