import { sql } from 'drizzle-orm'
import type { PolicyVerdict } from '#contract/bank-allocations.ts'
import type { BankAllocation } from '#contract/schemas/bank-allocations.ts'
import { actorName } from '#server/core/audit.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { formatMoney } from '#server/db/select.ts'
import { bankAllocations } from '#server/db/tables/bank-allocations.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { type BankPayment, lockOrdersById, reversePayment } from '#server/features/orders/service.ts'
import type { PlannedAllocation } from './credit-plan.ts'
import type { AllocationRow } from './allocation-rows.ts'

/** An allocation to be written, with what it was decided by. */
export interface NewAllocationRow extends PlannedAllocation {
  lineId: string
  reason: string | null
  rule: BankAllocation['rule']
  isThirdParty: boolean
  evidence: BankAllocation['evidence']
  policyVerdict: PolicyVerdict | null
  /** Names the decision that writes it, where that touches both lines. */
  madeWith?: string
}

export const noEvidence: BankAllocation['evidence'] = { score: null, outcome: null, flags: [], reasons: [] }
/** By what a person decided that no candidate proposed. */
export const byHand = { rule: 'hand' as const, isThirdParty: false, evidence: noEvidence, policyVerdict: null }

/** What an allocation is for, and why. */
export const pickDecision = ({ lineId, purpose, orderId, otherLineId, cause, code, reason }: AllocationRow) => ({
  lineId,
  purpose,
  orderId,
  otherLineId,
  cause,
  code,
  reason,
})

/** Writes the allocations of locked lines. Returns their ids. Triggers keep what line and order have. */
export async function insertAllocations(tx: Tx, ctx: Ctx, rows: NewAllocationRow[], now: string): Promise<string[]> {
  const madeBy = actorName(ctx.actor)
  const inserted = await tx
    .insert(bankAllocations)
    .values(rows.map((row) => ({ ...row, amount: fromUnits(row.amount), madeBy, madeAt: now })))
    .returning({ id: bankAllocations.id })
  return inserted.map(({ id }) => id)
}

/**
 * Undoes an active allocation of a locked line. Its order goes back first: what the bank has paid is covered at any moment.
 * `undoneWith` names the decision that undoes it, so that it comes back when that is undone.
 */
export async function writeUndo(
  tx: Tx,
  ctx: Ctx,
  row: AllocationRow,
  reason: string,
  now: string,
  undoneWith: string | null = null,
): Promise<void> {
  if (row.purpose === 'order') await takeOffOrder(tx, ctx, row, { reason, isByBank: undoneWith !== null }, now)
  await tx.execute(sql`
    UPDATE bank_allocations SET undone_at = ${now}, undone_by = ${actorName(ctx.actor)}, undo_reason = ${reason},
      undone_with = ${undoneWith}
    WHERE id = ${row.id}`)
  if (row.purpose === 'order') await withdrawPayer(tx, row.lineId, row.memberId!)
}

interface PaymentRemoval {
  reason: string
  /** The bank took the payment back; else a person undoes it. */
  isByBank: boolean
}

async function takeOffOrder(tx: Tx, ctx: Ctx, row: AllocationRow, removal: PaymentRemoval, now: string) {
  const { orderId, amount } = row
  const order = (await lockOrdersById(tx, [orderId!])).get(orderId!)!
  const received = toUnits(order.received) - toUnits(amount)
  const outstanding = toUnits(order.investmentAmount) - received
  const money = { received: fromUnits(received), outstanding: fromUnits(outstanding), ...removal }
  await reversePayment(tx, ctx, order, money, now)
}

/** The bank's money that is on each order now, in the order of their ids. */
export async function readBankPayments(tx: Tx, orderIds: readonly string[]): Promise<[string, BankPayment][]> {
  if (orderIds.length === 0) return []
  const { rows } = await tx.execute<BankPayment & { id: string } & Record<string, unknown>>(sql`
    SELECT o.id::text, ${sql.raw(formatMoney('o.received'))} AS received,
      ${sql.raw(formatMoney('(o.investment_amount - o.received)'))} AS outstanding,
      coalesce(max(coalesce(l.booked_on, l.value_on)), (now() AT TIME ZONE 'UTC')::date)::text AS "bookedOn",
      count(*)::int AS allocations
    FROM orders o JOIN bank_allocations p ON p.order_id = o.id AND p.purpose = 'order' AND p.undone_at IS NULL
      JOIN bank_lines l ON l.id = p.line_id
    WHERE o.id = ANY(${textArray(orderIds)}::bigint[]) GROUP BY o.id ORDER BY o.id`)
  return rows.map(({ id, ...payment }) => [id, payment])
}

/**
 * Confirms the payer's account of a line for the members whose orders it pays, by its first active allocation that no other person
 * paid. What was confirmed before stays as it is.
 */
export async function confirmPayers(tx: Tx, lineId: string): Promise<void> {
  await tx.execute(sql`
    INSERT INTO payer_accounts (account, member_id, line_id, confirmed_by, created_at)
    SELECT DISTINCT ON (o.member_id) l.payer_account, o.member_id, l.id, p.made_by, p.made_at
    FROM bank_allocations p JOIN bank_lines l ON l.id = p.line_id JOIN orders o ON o.id = p.order_id
    WHERE p.line_id = ${lineId} AND p.purpose = 'order' AND p.undone_at IS NULL AND NOT p.is_third_party
      AND l.payer_account IS NOT NULL
    ORDER BY o.member_id, p.id
    ON CONFLICT DO NOTHING`)
}

/**
 * Takes back what the line confirmed for a member, once none of its allocations pays an order of the member. Another line of the same
 * account that does takes its place.
 */
async function withdrawPayer(tx: Tx, lineId: string, memberId: string): Promise<void> {
  const pays = sql`p.purpose = 'order' AND p.undone_at IS NULL AND NOT p.is_third_party AND o.member_id = ${memberId}`
  const { rows } = await tx.execute<{ account: string }>(sql`
    DELETE FROM payer_accounts WHERE line_id = ${lineId} AND member_id = ${memberId} AND NOT EXISTS (
      SELECT FROM bank_allocations p JOIN orders o ON o.id = p.order_id WHERE p.line_id = ${lineId} AND ${pays})
    RETURNING account`)
  for (const { account } of rows)
    await tx.execute(sql`
      INSERT INTO payer_accounts (account, member_id, line_id, confirmed_by, created_at)
      SELECT l.payer_account, o.member_id, l.id, p.made_by, p.made_at
      FROM orders o JOIN bank_allocations p ON p.order_id = o.id JOIN bank_lines l ON l.id = p.line_id
      WHERE ${pays} AND l.payer_account = ${account}
      ORDER BY p.id LIMIT 1
      ON CONFLICT DO NOTHING`)
}
