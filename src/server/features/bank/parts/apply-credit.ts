import { sql } from 'drizzle-orm'
import type { ApplyParts, BankPart, NewPart } from '#contract/schemas/reconciliation.ts'
import { textArray } from '#server/core/upsert.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { formatMoney } from '#server/features/bank/money.ts'
import { prepareJudging } from '#server/features/bank/proposals/propose.ts'
import type { StoredLine } from '#server/features/bank/stored-line.ts'
import { type BankPayment, lockOrdersById, type OrderRow, payByBank } from '#server/features/orders/service.ts'
import { invalidField } from '#server/lib/errors.ts'
import { type PlannedPart, planCredit } from './credit-plan.ts'
import { comparePolicy, judgePayment, type PaymentJudgement } from './judge-payment.ts'
import { confirmPayers } from './payer-accounts.ts'
import { insertParts, noEvidence } from './write-parts.ts'

/** What a call has written. Orders as they were before it. */
export interface AppliedParts {
  partIds: string[]
  planned: PlannedPart[]
  orders: OrderRow[]
}

/** The orders that parts name, each once. */
export const listOrderIds = (parts: readonly NewPart[]) => [
  ...new Set(parts.flatMap((part) => ('orderId' in part && part.orderId !== undefined ? [part.orderId] : []))),
]

/** Gives parts of a locked credit their purposes, and pays the orders among them. */
export async function applyCredit(
  tx: Tx,
  ctx: Ctx,
  stored: StoredLine,
  given: ApplyParts,
  rule: BankPart['rule'],
  at?: string,
): Promise<AppliedParts> {
  const orders = await lockOrdersById(tx, listOrderIds(given.parts))
  const judging = await prepareJudging(tx, [stored], [...orders.keys()])
  const { policy } = judging
  const now = at ?? judging.now
  const paidBefore = judging.paidOrders.get(stored.id) ?? new Map<string, string>()
  const planned = planCredit({ stored, orders, paidBefore, policy, now }, given.parts)
  const paidIds = planned.flatMap(({ purpose, orderId }) => (purpose === 'order' ? [orderId!] : []))
  const judgements = judgePayment(stored, paidIds, judging)
  const reason = given.reason?.trim() || null
  if (reason === null) requireNoReason(planned, policy.reasonForThirdParty ? judgements : [])
  const decision = {
    lineId: stored.id,
    reason,
    rule,
    policyVerdict: rule === 'hand' ? comparePolicy(stored, paidIds, judging) : null,
  }
  const rows = planned.map((part) => ({ ...part, ...decision, ...findJudgement(judgements, part) }))
  const partIds = await insertParts(tx, ctx, rows, now)
  for (const [id, payment] of await readPayments(tx, paidIds)) await payByBank(tx, ctx, orders.get(id)!, payment, now)
  await confirmPayers(tx, stored.id)
  return { partIds, planned, orders: [...orders.values()] }
}

/** Throws payer_differs, or invalid for a refund for another cause, where a reason is needed. */
function requireNoReason(planned: readonly PlannedPart[], judgements: readonly PaymentJudgement[]): void {
  for (const { payerDiffers } of judgements) if (payerDiffers) throw payerDiffers
  if (planned.some(({ cause }) => cause === 'other')) throw invalidField('reason', 'is needed for another cause')
}

function findJudgement(judgements: readonly PaymentJudgement[], { purpose, orderId }: PlannedPart) {
  const found = purpose === 'order' && judgements.find(({ orderIds }) => orderIds.includes(orderId!))
  return found
    ? { evidence: found.evidence, isThirdParty: found.isThirdParty }
    : { evidence: noEvidence, isThirdParty: false }
}

/** The bank's money that is on each order now, in the order of their ids. */
async function readPayments(tx: Tx, orderIds: readonly string[]): Promise<[string, BankPayment][]> {
  if (orderIds.length === 0) return []
  const { rows } = await tx.execute<BankPayment & { id: string } & Record<string, unknown>>(sql`
    SELECT o.id::text, ${sql.raw(formatMoney('o.received'))} AS received,
      ${sql.raw(formatMoney('(o.investment_amount - o.received)'))} AS outstanding,
      coalesce(max(coalesce(l.booked_on, l.value_on)), (now() AT TIME ZONE 'UTC')::date)::text AS "bookedOn",
      count(*)::int AS parts
    FROM orders o JOIN bank_parts p ON p.order_id = o.id AND p.purpose = 'order' AND p.undone_at IS NULL
      JOIN bank_lines l ON l.id = p.line_id
    WHERE o.id = ANY(${textArray(orderIds)}::bigint[]) GROUP BY o.id ORDER BY o.id`)
  return rows.map(({ id, ...payment }) => [id, payment])
}
