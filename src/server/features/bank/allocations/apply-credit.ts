import type { ApplyAllocations, BankAllocation, NewAllocation } from '#contract/schemas/bank-allocations.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { type ScoringContext, loadScoringContext } from '#server/features/bank/scoring/build-proposal.ts'
import type { StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { lockOrdersById, type OrderRow, payByBank } from '#server/features/orders/service.ts'
import { invalidField } from '#server/lib/errors.ts'
import { type PlannedAllocation, planCredit } from './credit-plan.ts'
import {
  comparePolicy,
  evaluatePayment,
  type PaymentEvaluation,
} from '#server/features/bank/scoring/evaluate-payment.ts'
import { confirmPayers } from './payer-accounts.ts'
import { requireReturnable, returnTransfer } from './return-transfer.ts'
import { insertAllocations, type NewAllocationRow, noEvidence, readBankPayments } from './write-allocations.ts'

/** What a call has written. Orders as they were before it. */
export interface AppliedAllocations {
  allocationIds: string[]
  planned: PlannedAllocation[]
  orders: OrderRow[]
  now: string
}

/** The orders that allocations name, each once. */
export const listGivenOrders = (allocations: readonly NewAllocation[]) => [
  ...new Set(allocations.flatMap((each) => ('orderId' in each && each.orderId !== undefined ? [each.orderId] : []))),
]

/** A locked credit with what its allocations are scored by. */
interface CreditToApply {
  stored: StoredLine
  /** The transfers that its allocations name and what these have paid back, by their ids, locked. */
  lines: ReadonlyMap<string, StoredLine>
  /** By their ids, locked. */
  orders: ReadonlyMap<string, OrderRow>
  scoring: ScoringContext
}

/** Locks orders, so that what a locked credit is scored by stays. */
export async function lockForScoring(
  tx: Tx,
  ctx: Ctx,
  stored: StoredLine,
  orderIds: readonly string[],
): Promise<Pick<CreditToApply, 'orders' | 'scoring'>> {
  const orders = await lockOrdersById(tx, orderIds)
  const scoring = await loadScoringContext(tx, [stored], orderIds)
  return { orders, scoring: { ...scoring, now: ctx.at ?? scoring.now } }
}

/** Allocates the money of a locked credit, and pays the orders among them. */
export async function applyCredit(
  tx: Tx,
  ctx: Ctx,
  { stored, lines, orders, scoring }: CreditToApply,
  given: ApplyAllocations,
  rule: BankAllocation['rule'],
): Promise<AppliedAllocations> {
  for (const each of given.allocations)
    if (each.purpose === 'return') requireReturnable(stored, lines.get(each.lineId)!)
  const { policy, now } = scoring
  const paidBefore = scoring.paidOrders.get(stored.id) ?? new Map<string, string>()
  const planned = planCredit({ stored, orders, paidBefore, policy, now }, given.allocations)
  const paidIds = planned.flatMap(({ purpose, orderId }) => (purpose === 'order' ? [orderId!] : []))
  const evaluations = evaluatePayment(stored, paidIds, scoring)
  const reason = given.reason?.trim() || null
  if (reason === null) requireCreditReason(planned, policy.reasonForThirdParty ? evaluations : [])
  const policyVerdict = rule === 'hand' ? comparePolicy(stored, paidIds, scoring) : null
  const decision = { lineId: stored.id, reason, rule, policyVerdict }
  const rows: NewAllocationRow[] = []
  for (const each of planned) {
    const { madeWith, ...closed } =
      each.purpose === 'return'
        ? await returnTransfer(tx, ctx, { credit: stored, lines, policy, reason, now }, each)
        : {}
    Object.assign(each, closed)
    rows.push({ ...each, ...decision, ...findEvaluation(evaluations, each), ...(madeWith && { madeWith }) })
  }
  const allocationIds = await insertAllocations(tx, ctx, rows, now)
  for (const [id, payment] of await readBankPayments(tx, paidIds))
    await payByBank(tx, ctx, orders.get(id)!, payment, now)
  await confirmPayers(tx, stored.id)
  return { allocationIds, planned, orders: [...orders.values()], now }
}

/** Throws payer_differs, or invalid for a refund for another cause, where a reason is needed. */
function requireCreditReason(planned: readonly PlannedAllocation[], evaluations: readonly PaymentEvaluation[]): void {
  for (const { payerDiffers } of evaluations) if (payerDiffers) throw payerDiffers
  if (planned.some(({ cause }) => cause === 'other')) throw invalidField('reason', 'is needed for another cause')
}

function findEvaluation(evaluations: readonly PaymentEvaluation[], { purpose, orderId }: PlannedAllocation) {
  const found = purpose === 'order' && evaluations.find(({ orderIds }) => orderIds.includes(orderId!))
  return found
    ? { evidence: found.evidence, isThirdParty: found.isThirdParty }
    : { evidence: noEvidence, isThirdParty: false }
}
