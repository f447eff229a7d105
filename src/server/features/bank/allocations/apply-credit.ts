import type { ApplyParts, BankPart, NewPart } from '#contract/schemas/bank-allocations.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { type ScoringContext, loadScoringContext } from '#server/features/bank/scoring/build-proposal.ts'
import type { StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { lockOrdersById, type OrderRow, payByBank } from '#server/features/orders/service.ts'
import { invalidField } from '#server/lib/errors.ts'
import { type PlannedPart, planCredit } from './credit-plan.ts'
import {
  comparePolicy,
  evaluatePayment,
  type PaymentEvaluation,
} from '#server/features/bank/scoring/evaluate-payment.ts'
import { confirmPayers } from './payer-accounts.ts'
import { requireReturnable, returnTransfer } from './return-transfer.ts'
import { insertParts, type NewPartRow, noEvidence, readBankPayments } from './write-parts.ts'

/** What a call has written. Orders as they were before it. */
export interface AppliedParts {
  partIds: string[]
  planned: PlannedPart[]
  orders: OrderRow[]
  now: string
}

/** The orders that parts name, each once. */
export const listGivenOrders = (parts: readonly NewPart[]) => [
  ...new Set(parts.flatMap((part) => ('orderId' in part && part.orderId !== undefined ? [part.orderId] : []))),
]

/** A locked credit with what its parts are scored by. */
interface CreditToApply {
  stored: StoredLine
  /** The transfers that its parts name and what these have paid back, by their ids, locked. */
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

/** Gives parts of a locked credit their purposes, and pays the orders among them. */
export async function applyCredit(
  tx: Tx,
  ctx: Ctx,
  { stored, lines, orders, scoring }: CreditToApply,
  given: ApplyParts,
  rule: BankPart['rule'],
): Promise<AppliedParts> {
  for (const part of given.parts) if (part.purpose === 'return') requireReturnable(stored, lines.get(part.lineId)!)
  const { policy, now } = scoring
  const paidBefore = scoring.paidOrders.get(stored.id) ?? new Map<string, string>()
  const planned = planCredit({ stored, orders, paidBefore, policy, now }, given.parts)
  const paidIds = planned.flatMap(({ purpose, orderId }) => (purpose === 'order' ? [orderId!] : []))
  const evaluations = evaluatePayment(stored, paidIds, scoring)
  const reason = given.reason?.trim() || null
  if (reason === null) requireCreditReason(planned, policy.reasonForThirdParty ? evaluations : [])
  const decision = {
    lineId: stored.id,
    reason,
    rule,
    policyVerdict: rule === 'hand' ? comparePolicy(stored, paidIds, scoring) : null,
  }
  const rows: NewPartRow[] = []
  for (const part of planned) {
    const { madeWith, ...closed } =
      part.purpose === 'return'
        ? await returnTransfer(tx, ctx, { credit: stored, lines, policy, reason, now }, part)
        : {}
    Object.assign(part, closed)
    rows.push({ ...part, ...decision, ...findEvaluation(evaluations, part), ...(madeWith && { madeWith }) })
  }
  const partIds = await insertParts(tx, ctx, rows, now)
  for (const [id, payment] of await readBankPayments(tx, paidIds))
    await payByBank(tx, ctx, orders.get(id)!, payment, now)
  await confirmPayers(tx, stored.id)
  return { partIds, planned, orders: [...orders.values()], now }
}

/** Throws payer_differs, or invalid for a refund for another cause, where a reason is needed. */
function requireCreditReason(planned: readonly PlannedPart[], evaluations: readonly PaymentEvaluation[]): void {
  for (const { payerDiffers } of evaluations) if (payerDiffers) throw payerDiffers
  if (planned.some(({ cause }) => cause === 'other')) throw invalidField('reason', 'is needed for another cause')
}

function findEvaluation(evaluations: readonly PaymentEvaluation[], { purpose, orderId }: PlannedPart) {
  const found = purpose === 'order' && evaluations.find(({ orderIds }) => orderIds.includes(orderId!))
  return found
    ? { evidence: found.evidence, isThirdParty: found.isThirdParty }
    : { evidence: noEvidence, isThirdParty: false }
}
