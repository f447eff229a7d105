import { sql } from 'drizzle-orm'
import type { OrderPayment, OrderPayments } from '#contract/schemas/reconciliation.ts'
import type { Order } from '#contract/schemas/orders.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Db } from '#server/db/client.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { buildEpc, getOrder, isOwed, readDatabaseTime } from '#server/features/orders/service.ts'
import { readPartRows, toBankPart } from './part-rows.ts'

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
    payments: await readPayments(ctx.database.db, order.id),
    reference: order.paymentReference,
    epc,
    epcRefusal: refusal,
  }
}

async function readPayments(db: Db, orderId: string): Promise<OrderPayment[]> {
  const parts = await readPartRows(db, sql`WHERE p.order_id = ${orderId} ORDER BY p.id DESC`)
  const { rows } = await db.execute<OrderPayment['line'] & Record<string, unknown>>(sql`
    SELECT l.id::text, l.account_id::text AS "accountId", a.name AS "accountName", s.number AS "statementNumber", l.place,
      l.booked_on::text AS "bookedOn", l.amount::text,
      json_build_object('name', l.payer_name, 'account', l.payer_account) AS payer
    FROM bank_lines l JOIN bank_accounts a ON a.id = l.account_id JOIN bank_statements s ON s.id = l.statement_id
    WHERE l.id IN (SELECT line_id FROM bank_parts WHERE order_id = ${orderId})`)
  const lines = new Map(rows.map((line) => [line.id, line]))
  return parts.map((part) => ({ part: toBankPart(part), line: lines.get(part.lineId)! }))
}
