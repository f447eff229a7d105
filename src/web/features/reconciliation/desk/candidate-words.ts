import type { CandidateTransfer } from '#contract/schemas/bank-returns.ts'
import type { Candidate, CandidateCredit, CandidateOrder } from '#contract/schemas/reconciliation.ts'
import { isVisible } from '#contract/visible.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { formatDay } from '#web/lib/dates.ts'

/** The member's name, else the id. */
export const nameMember = ({ userFirstName, userLastName, userId }: CandidateOrder): string =>
  [userFirstName, userLastName].filter((name) => name && isVisible(name)).join(' ') || `Member ${userId}`

/** "ORD-7 · Ana Lima · ana@example.com", which tells namesakes apart. */
export const describeOrder = (order: CandidateOrder): string =>
  [order.orderNumber, nameMember(order), order.userEmail].join(' · ')

/** "the payment of 40.00 EUR of Nov 03, 2026" */
export function nameCredit({ amount, currency, bookedOn }: CandidateCredit): string {
  const day = bookedOn ? ` of ${formatDay(bookedOn)}` : ''
  return `the payment of ${formatAmount(amount)} ${currency}${day}`
}

/** "the transfer of 40.00 EUR of Nov 03, 2026" */
export function nameTransfer({ amount, currency, bookedOn }: CandidateTransfer): string {
  const day = bookedOn ? ` of ${formatDay(bookedOn)}` : ''
  return `the transfer of ${formatAmount(amount)} ${currency}${day}`
}

/** What a candidate applies the line to: "ORD-7", "ORD-7 and ORD-8", "the refund of the payment of 40.00 EUR of Nov 03, 2026". */
export function nameTarget({ orders, credit, moreCredits, transfer, outcome }: Candidate): string {
  if (transfer) return `the return of ${nameTransfer(transfer)}`
  if (!credit) return orders.map(({ orderNumber }) => orderNumber).join(' and ')
  const names = [credit, ...moreCredits].map(nameCredit).join(' and ')
  return outcome === 'refund' && credit.refundDue !== null ? `the refund of ${names}` : names
}
