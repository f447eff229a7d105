import { toUnits } from '#server/lib/decimal.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import type { OrderCandidate } from './candidate.ts'
import type { Proposal } from './rank-candidates.ts'
import { type Evidence, foldNumber, isStrongNumber } from './references.ts'
import { hasReturnCode } from './return-texts.ts'
import { isEarly, isPastExpiry } from './score-orders.ts'

/** What the operator's policy lets the console apply without a person. */
export interface AutoPolicy {
  autoApply: boolean
  /** A payment that names several orders of a member and is exactly their sum. */
  autoCombined: boolean
  /** The rest of an order that had part of its money before. */
  autoRemainder: boolean
  /** `same`: the payer has the member's whole name. `initial`: “A LIMA”, or one of several names, is enough. */
  payerName: 'same' | 'initial'
  /** Decimal string in the line's currency. Null for no limit. */
  maxAutoAmount: string | null
}

/** Whether the first candidate may be applied without a person. `now` is an instant of the database's clock. */
export const mayApply = (policy: AutoPolicy, line: StatementLine, proposal: Proposal, now: string): boolean =>
  findObstacle(policy, line, proposal, now) === null

/** Why a person has to decide, in words for the operator. Null where the policy may apply the first candidate. */
export function findObstacle(policy: AutoPolicy, line: StatementLine, proposal: Proposal, now: string): string | null {
  const [best] = proposal.candidates
  if (!policy.autoApply) return 'The policy lets no lines be applied together'
  if (!best) return 'No order fits'
  const inLine = findObstacleInLine(policy, line)
  if (inLine !== null) return inLine
  if (best.kind !== 'order') return 'The line may return a transfer'
  return (
    findObstacleInOrders(policy, line, best, now) ??
    findObstacleInNames(best, proposal) ??
    findObstacleInPayer(policy, best)
  )
}

function findObstacleInLine(policy: AutoPolicy, line: StatementLine): string | null {
  if (line.booking !== 'booked' || line.bookedOn === null) return 'The bank has not booked the line'
  if (line.direction !== 'credit' || line.isReversal) return 'The line takes a payment back'
  if (line.batch?.isWhole || line.batch?.isRest) return 'The line is a batch whose payments are unknown'
  if (policy.maxAutoAmount !== null && toUnits(line.amount) > toUnits(policy.maxAutoAmount))
    return `More than ${policy.maxAutoAmount} ${line.currency}`
  return null
}

function findObstacleInOrders(
  policy: AutoPolicy,
  line: StatementLine,
  best: OrderCandidate,
  now: string,
): string | null {
  const { orders } = best
  if (hasReturnCode(line)) return 'The bank calls the line a return'
  if (best.isUndone) return 'It was applied before, and undone'
  if (best.outcome === 'wrong_currency') return 'The order asks for another currency'
  if (orders.some(({ status, expiresAt }) => status !== 'waiting_payment' || expiresAt <= now))
    return 'The order waits no longer'
  if (isPastExpiry(orders, line.bookedOn) || isEarly(orders, line.bookedOn)) return 'Not paid while the order waited'
  if (best.outcome !== 'exact') return 'The payment is not exactly what the order asks for'
  if (orders.length > 1 && !policy.autoCombined) return 'Pays several orders together'
  if (orders.some(({ received }) => toUnits(received) > 0n) && !policy.autoRemainder)
    return 'Part of the order was paid before'
  return null
}

function findObstacleInNames(best: OrderCandidate, { named, equallyGood }: Proposal): string | null {
  if (!best.evidence.every(isSure)) return 'The order is not named beyond doubt'
  const isRival = ({ order, kind }: Evidence) => kind !== 'digits' && !best.orders.some(({ id }) => id === order.id)
  if (named.some(isRival)) return 'Another order is named as well'
  return equallyGood > 1 ? `${equallyGood} proposals fit equally` : null
}

/** A whole number that cannot be in the text by chance and belongs to one order alone, or an RF reference. */
const isSure = (evidence: Evidence | null) =>
  evidence !== null &&
  !evidence.isShared &&
  (evidence.kind === 'rf' || (evidence.kind === 'number' && isStrongNumber(foldNumber(evidence.order.orderNumber))))

function findObstacleInPayer(
  { payerName }: AutoPolicy,
  { flags, payer, isBanned, isClaimed }: OrderCandidate,
): string | null {
  if (isBanned) return 'The member is banned'
  if (flags.includes('third_party')) return 'Another than the member paid'
  if (flags.includes('other_account')) return 'The order names another of our accounts'
  if (payer.isKnownAccount) return null
  if (!payer.isMember)
    return isClaimed ? 'Only the text names the member, who may not have paid' : 'Nothing tells whether the member paid'
  return payerName === 'initial' || payer.finding === 'same'
    ? null
    : 'The payer does not have the whole name of the member'
}
