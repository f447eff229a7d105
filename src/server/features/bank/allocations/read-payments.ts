import { sql } from 'drizzle-orm'
import { textArray } from '#server/core/upsert.ts'
import type { Tx } from '#server/db/client.ts'
import { formatMoney } from '#server/features/bank/shared/money.ts'
import type { BankPayment } from '#server/features/orders/service.ts'

/** The bank's money that is on each order now, in the order of their ids. */
export async function readBankPayments(tx: Tx, orderIds: readonly string[]): Promise<[string, BankPayment][]> {
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
