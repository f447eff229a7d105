import type { PolicyVerdict } from '#contract/bank-allocations.ts'
import type { BankAllocation } from '#contract/schemas/bank-allocations.ts'
import { listOrders, type OrderCandidate, showReason } from '#server/features/bank/matching/candidate.ts'
import { scoreOrders } from '#server/features/bank/matching/score-orders.ts'
import { sameName } from '#server/features/bank/matching/names.ts'
import { type ScoringContext, buildProposal, collectOpenLineFacts } from './build-proposal.ts'
import type { StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { AppError } from '#server/lib/errors.ts'

/** What speaks for and against a credit paying the orders of one member. */
export interface PaymentEvaluation {
  orderIds: string[]
  evidence: BankAllocation['evidence']
  isThirdParty: boolean
  /** The refusal where another person paid, or may have, and no reason is given; null where none is needed. */
  payerDiffers: AppError | null
}

/** Weighs up a credit and the orders that it is to pay, for each member by itself. */
export function evaluatePayment(
  stored: StoredLine,
  orderIds: readonly string[],
  scoring: ScoringContext,
): PaymentEvaluation[] {
  const { lookup } = scoring
  const orders = orderIds.flatMap((id) => lookup.findOrder(id) ?? [])
  const facts = collectOpenLineFacts(stored, scoring)
  return [...new Set(orders.map(({ memberId }) => memberId))].map((memberId): PaymentEvaluation => {
    const meant = orders.filter((order) => order.memberId === memberId)
    const member = lookup.findMember(memberId)!
    const candidate = scoreOrders(facts, meant, member)
    const isThirdParty = candidate.flags.includes('third_party') || candidate.isClaimed
    const name = [member.firstName, member.lastName].filter(Boolean).join(' ') || member.id
    return {
      orderIds: meant.map(({ id }) => id),
      evidence: describeCandidate(candidate),
      isThirdParty,
      payerDiffers: findPayerError(candidate, stored, name),
    }
  })
}

/**
 * Whether the policy, if it were on, would have applied an open credit to the orders that an operator chose. Null where the line
 * had other allocations before, so that the policy leaves it to operators.
 */
export function comparePolicy(
  stored: StoredLine,
  orderIds: readonly string[],
  scoring: ScoringContext,
): PolicyVerdict | null {
  if (stored.state !== 'open') return null
  const { obstacle, candidates } = buildProposal(stored, scoring)
  if (obstacle !== null) return 'nothing'
  const proposed = listOrders(candidates[0]!).map(({ id }) => id)
  return proposed.toSorted().join() === orderIds.toSorted().join() ? 'same' : 'other'
}

/** What is stored of a candidate with the allocations that are decided by it. */
const describeCandidate = ({ points, outcome, flags, reasons }: OrderCandidate): BankAllocation['evidence'] => ({
  score: Math.max(0, Math.min(points, 100)),
  outcome,
  flags,
  reasons: reasons.map(showReason),
})

const buildPayerError = (differs: string) =>
  new AppError('payer_differs', `${differs}: give a reason to take this payment`)

/**
 * The refusal without a reason of money that another person than the member paid, or whose payer has a name in another script: an
 * operator who knows better says how. Null where none is needed.
 */
export function findPayerError(
  { payer, flags, isClaimed }: OrderCandidate,
  { line }: StoredLine,
  member: string,
): AppError | null {
  const { name, iban } = line.counterparty
  if (flags.includes('payer_unsure') && payer.finding === 'script')
    return buildPayerError(`${name} and ${member} are names in different scripts`)
  if (!flags.includes('third_party'))
    return isClaimed ? buildPayerError(`Only the payer's text says that ${member} paid`) : null
  return payer.isOthersAccount && payer.score >= sameName
    ? buildPayerError(`The account of this payment belongs to another member than ${member}`)
    : buildPayerError(`${name ?? iban} is not ${member}`)
}
