import type { RefundCause } from '#contract/bank-allocations.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { BankLineDetail, NewAllocation } from '#contract/schemas/bank-allocations.ts'
import type {
  Candidate,
  CandidateCredit,
  CandidateOrder,
  CandidateTransfer,
  CreditCandidate,
  OrderCandidate,
} from '#contract/schemas/bank-candidates.ts'
import { isVisible } from '#contract/visible.ts'
import { addAmounts, compareAmounts, isZero, leastAmount, subtractAmount, formatAmount } from '#web/bank/amounts.ts'
import { formatDay } from '#web/lib/dates.ts'

/** The most candidates that a line shows; each has a key. */
export const mostCandidates = 5

/** Names a candidate, whichever place it has in the list. */
export function nameCandidate(candidate: Candidate): string {
  const { kind } = candidate
  if (kind === 'order') return candidate.orders.map(({ id }) => id).join('+')
  if (kind === 'return') return `return-${candidate.transfer.lineId}`
  return `${kind}-${candidate.credits.map(({ lineId }) => lineId).join('+')}`
}

/** The orders that a candidate pays, or that its payments have paid. */
export const listCandidateOrders = (candidate: Candidate | undefined): CandidateOrder[] =>
  candidate && candidate.kind !== 'return' ? candidate.orders : []

/** The first of them, which a refund of the line's money is meant for. Null where there is none. */
export const findOrderId = (candidate: Candidate | undefined): string | null =>
  listCandidateOrders(candidate)[0]?.id ?? null

/** The most of an earlier payment that can be paid back, or taken back. */
export function findMost({ refundDue, returnable, amount }: CandidateCredit, isTakenBack: boolean): string {
  if (!isTakenBack) return refundDue ?? amount
  return isZero(returnable) ? amount : returnable
}

/** How much of a line has no purpose yet. */
export const calculateOpen = ({ amount, allocated }: BankLine): string => subtractAmount(amount, allocated)

export const isWork = ({ state }: BankLine): boolean => state === 'open' || state === 'part'

/**
 * The candidate that is chosen at first: the likely one that stands alone. What only may be right is chosen by the operator.
 * Null while there is none to choose from, so that one may still be.
 */
export function findFirstChoice({ candidates, equallyGood }: BankLineDetail): string | null {
  const [first] = candidates
  return first && equallyGood < 2 && first.isLikely ? nameCandidate(first) : null
}

/**
 * What applying a candidate gives the line's money for. Up to `overpaidUpTo` too much goes along with the order, and the server
 * puts it aside by itself (product 7.11).
 */
export function listCandidateAllocations(candidate: Candidate, line: BankLine, overpaidUpTo: string): NewAllocation[] {
  const open = calculateOpen(line)
  if (candidate.kind === 'order') return listOrderAllocations(candidate, open, overpaidUpTo)
  if (candidate.kind !== 'return') return listCreditAllocations(candidate, open)
  const { lineId, returnable } = candidate.transfer
  return [{ purpose: 'return', lineId, amount: leastAmount(open, returnable) }]
}

function listOrderAllocations({ allocations }: OrderCandidate, open: string, overpaidUpTo: string): NewAllocation[] {
  const rest = subtractAmount(open, addAmounts(...allocations.map(({ amount }) => amount)))
  const isSmall = compareAmounts(rest, '0') > 0 && compareAmounts(rest, overpaidUpTo) <= 0
  return allocations.map(({ orderId, amount }, at) => ({
    purpose: 'order',
    orderId,
    amount: isSmall && at === allocations.length - 1 ? addAmounts(amount, rest) : amount,
  }))
}

function listCreditAllocations({ kind: purpose, credits }: CreditCandidate, open: string): NewAllocation[] {
  let left = open
  return credits.map((credit) => {
    const amount = leastAmount(left, findMost(credit, purpose === 'reversal'))
    left = subtractAmount(left, amount)
    return { purpose, lineId: credit.lineId, amount }
  })
}

/** What applying these allocations would leave of the line. */
export const calculateLeft = (allocations: readonly NewAllocation[], line: BankLine): string =>
  subtractAmount(calculateOpen(line), addAmounts(...allocations.map(({ amount }) => amount)))

const causes = ['overpaid', 'late', 'duplicate', 'cancelled_order', 'wrong_currency'] as const

/** The cause of paying money back that a candidate suggests. */
export function suggestCause(candidate: Candidate | undefined): RefundCause {
  if (candidate?.kind !== 'order') return 'other'
  const { outcome, flags } = candidate
  return causes.find((cause) => cause === outcome) ?? (flags.includes('third_party') ? 'third_party' : 'other')
}

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
export function nameTarget(candidate: Candidate): string {
  if (candidate.kind === 'return') return `the return of ${nameTransfer(candidate.transfer)}`
  if (candidate.kind === 'order') return candidate.orders.map(({ orderNumber }) => orderNumber).join(' and ')
  const { kind, credits } = candidate
  const names = credits.map(nameCredit).join(' and ')
  return kind === 'refund' && credits[0]!.refundDue !== null ? `the refund of ${names}` : names
}
