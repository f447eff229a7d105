import { sql } from 'drizzle-orm'
import type { OrderPayment, OrderPayments } from '#contract/schemas/bank-allocations.ts'
import type { Order } from '#contract/schemas/orders.ts'
import type { Ctx } from '#server/core/context.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Db } from '#server/db/client.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { buildEpc, getOrder, isOwed, readDatabaseTime } from '#server/features/orders/service.ts'
import { selectClaims } from '#server/features/bank/statements/lines.ts'
import { formatMoney } from '#server/db/select.ts'
import { readAllocationRows, toBankAllocation } from './allocation-rows.ts'

/** What an order still waits for, or is owed, as a decimal string. Of one that takes no more it is 0. */
const findOutstanding = (order: Order): string => {
  const { status, investmentAmount, received } = order
  return status === 'waiting_payment' || status === 'expired' || isOwed(order)
    ? fromUnits(toUnits(investmentAmount) - toUnits(received))
    : fromUnits(0n)
}

/** The bank's money on an order, with what was undone, and how to pay the rest (product 8.2). Throws not_found. */
export async function readOrderPayments(ctx: Ctx, id: string): Promise<OrderPayments> {
  const order = await getOrder(ctx, id)
  const outstanding = findOutstanding(order)
  // From its end on an order counts as expired, even before the job marks it.
  const isDue = order.status === 'waiting_payment' && order.expiresAt <= (await readDatabaseTime(ctx.database.db))
  const { epc, refusal } = buildEpc({ ...order, outstanding, ...(isDue && { status: 'expired' }) })
  return {
    asked: order.investmentAmount,
    received: order.received,
    outstanding,
    currency: order.currency,
    paidVia: order.paidVia,
    takenBack: await readTakenBack(ctx.database.db, order.id),
    payments: await readPayments(ctx.database.db, order.id),
    waiting: await readWaiting(ctx.database.db, order.orderNumber),
    reference: order.paymentReference,
    epc,
    epcRefusal: refusal,
  }
}

/** What the bank took back of an order's payments, by decisions that stand. */
async function readTakenBack(db: Db, orderId: string): Promise<string> {
  const { rows } = await db.execute<{ sum: string }>(sql`
    SELECT ${sql.raw(formatMoney('coalesce(sum(p.amount), 0)'))} AS sum FROM bank_allocations p
    WHERE p.order_id = ${orderId} AND p.purpose = 'order' AND EXISTS (SELECT FROM bank_allocations b
      WHERE b.line_id = p.line_id AND b.made_with = p.undone_with AND b.purpose = 'reversal' AND b.undone_at IS NULL)`)
  return rows[0]!.sum
}

/** More lines that may pay one order are not shown. */
const mostWaiting = 20

/** The lines that are work and for which the order is proposed. */
async function readWaiting(db: Db, orderNumber: string): Promise<OrderPayments['waiting']> {
  const { rows } = await db.execute<OrderPayments['waiting'][number] & Record<string, unknown>>(sql`
    SELECT id::text, ${sql.raw(formatMoney('amount - allocated'))} AS open, currency, booked_on::text AS "bookedOn",
      coalesce(payer_name, payer_account) AS payer,
      left(array_to_string(CASE WHEN cardinality(remittance) > 0 THEN remittance ELSE info END, ' '), 200) AS text
    FROM bank_lines WHERE state IN ('open', 'part') AND direction = 'credit' AND proposed_orders @> ${textArray([orderNumber])}
    ORDER BY listed_at, id LIMIT ${mostWaiting}`)
  return rows
}

async function readPayments(db: Db, orderId: string): Promise<OrderPayment[]> {
  const allocations = await readAllocationRows(db, sql`WHERE p.order_id = ${orderId} ORDER BY p.id DESC`)
  const { rows } = await db.execute<OrderPayment['line'] & Record<string, unknown>>(sql`
    SELECT l.id::text, l.account_id::text AS "accountId", a.name AS "accountName", s.number AS "statementNumber", l.place,
      l.booked_on::text AS "bookedOn", l.amount::text,
      json_build_object('name', l.payer_name, 'account', l.payer_account) AS payer, ${sql.raw(selectClaims('l'))} AS claims
    FROM bank_lines l JOIN bank_accounts a ON a.id = l.account_id JOIN bank_statements s ON s.id = l.statement_id
    WHERE l.id IN (SELECT line_id FROM bank_allocations WHERE order_id = ${orderId})`)
  const lines = new Map(rows.map((line) => [line.id, line]))
  return allocations.map((row) => ({ allocation: toBankAllocation(row), line: lines.get(row.lineId)! }))
}
