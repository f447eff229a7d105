import type { ApplyAllocations, BankAllocation, NewAllocation } from '#contract/schemas/bank-allocations.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { Order } from '#contract/schemas/orders.ts'
import { announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { readLine } from '#server/features/bank/statements/lines.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import type { StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { isOwed, readOrders, lockOrdersById, type OrderRow, payByBank } from '#server/features/orders/service.ts'
import {
  announceRefundChanges,
  lockLineOrders,
  readLineRefunds,
} from '#server/features/bank/refunds/announce-refunds.ts'
import { applyDebit } from './apply-debit.ts'
import { requirePlaces, requireWorkable, lockLines } from './line-rules.ts'
import { readAllocations } from './read-allocations.ts'
import { listRefundedLines, requireReturnable, returnTransfer } from './return-transfer.ts'
import { invalidField } from '#server/lib/errors.ts'
import { type AppliedAllocations, type PlannedAllocation, planCredit } from './credit-plan.ts'
import {
  comparePolicy,
  evaluatePayment,
  loadScoringContext,
  type PaymentEvaluation,
  type ScoringContext,
} from '#server/features/bank/candidates/build-proposal.ts'
import {
  confirmPayers,
  insertAllocations,
  type NewAllocationRow,
  noEvidence,
  readBankPayments,
} from './write-allocations.ts'

export interface ChangedLine {
  line: BankLine
  orders: Order[]
}

/**
 * Allocates a line's money as an operator decided (product 7.10). All of them or none. Throws not_found,
 * stale, line_claimed, and the refusal of each rule.
 */
export const applyAllocations = (
  ctx: Ctx,
  lineId: string,
  given: ApplyAllocations,
  ifMatch: number | undefined,
): Promise<ChangedLine & { allocations: BankAllocation[] }> =>
  inTransaction(ctx, async (tx) => {
    const named = given.allocations.flatMap((allocation) =>
      'lineId' in allocation && allocation.lineId !== undefined ? [allocation.lineId] : [],
    )
    const lines = await lockLines(tx, [lineId, ...named, ...(await listRefundedLines(tx, given.allocations))])
    const stored = lines.get(lineId)!
    await requireWorkable(tx, ctx, stored, ifMatch)
    given.allocations.forEach((allocation, at) => requirePlaces(stored, allocation.amount, at))
    const orderIds = listGivenOrders(given.allocations)
    await lockLineOrders(tx, lines, orderIds)
    const refunds = await readLineRefunds(tx, lines)
    const isCredit = stored.line.direction === 'credit'
    const applied = isCredit
      ? await applyCredit(
          tx,
          ctx,
          { stored, lines, ...(await lockForScoring(tx, ctx, stored, orderIds)) },
          given,
          'hand',
        )
      : await applyDebit(tx, ctx, stored, lines, given)
    await announceRefundChanges(tx, ctx, refunds, applied.now)
    const orders = await recordApplied(tx, ctx, stored, applied, given.reason ?? null)
    const allocations = (await readAllocations(tx, lineId)).filter(({ id }) => applied.allocationIds.includes(id))
    return { line: await readLine(tx, lineId), orders, allocations }
  })

/** Writes the audit row of applied allocations, and announces them. Returns the orders as they are now. */
export async function recordApplied(
  tx: Tx,
  ctx: Ctx,
  { id, line }: StoredLine,
  { planned, orders }: AppliedAllocations,
  reason: string | null,
): Promise<Order[]> {
  const isIgnored = planned.every(({ purpose }) => purpose === 'ignored')
  const numbers = new Map(orders.map((order) => [order.id, order.orderNumber]))
  const changed = await readOrders(tx, [...numbers.keys()])
  await audit(tx, ctx, {
    action: isIgnored ? 'ignore_payment' : 'apply_payment',
    target: { type: 'bank_line', id },
    details: {
      amount: `${line.amount} ${line.currency}`,
      allocations: planned.map(({ purpose, amount, orderId, otherLineId, cause, code, closed, toOtherAccount }) => ({
        purpose,
        amount: fromUnits(amount),
        ...(orderId !== null && { orderNumber: numbers.get(orderId) }),
        ...(otherLineId !== null && { otherLineId }),
        ...(cause !== null && { cause }),
        ...(code !== null && { code }),
        ...(closed && { closed: fromUnits(closed.amount), closedAs: closed.code }),
        ...(toOtherAccount && { toOtherAccount }),
      })),
      ...(reason !== null && { reason }),
      ...(orders.length > 0 && { before: listStatuses(orders), after: listStatuses(changed) }),
      ...(changed.some(isOwed) && { owed: listOwed(changed) }),
    },
  })
  await announce(tx, 'bank', 'orders')
  return changed
}

/** What the bank took back of completed orders, by their numbers. */
const listOwed = (orders: readonly Order[]) =>
  Object.fromEntries(
    orders
      .filter(isOwed)
      .map(({ orderNumber, investmentAmount, received, currency }) => [
        orderNumber,
        `${fromUnits(toUnits(investmentAmount) - toUnits(received))} ${currency}`,
      ]),
  )

export const listStatuses = (orders: readonly Pick<Order, 'orderNumber' | 'status'>[]) =>
  Object.fromEntries(orders.map(({ orderNumber, status }) => [orderNumber, status]))

/** The orders that allocations name, each once. */
const listGivenOrders = (allocations: readonly NewAllocation[]) => [
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
