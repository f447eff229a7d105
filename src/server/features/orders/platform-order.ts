import { sql } from 'drizzle-orm'
import type { PlatformOrder } from '#contract/schemas/platform-api.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { expressions, selectColumns } from '#server/db/select.ts'
import { orders } from '#server/db/tables/orders.ts'
import { omit } from '#server/lib/omit.ts'
import { orderColumns } from './list.ts'
import { buildEpc } from './epc.ts'

const columns = { ...omit(orderColumns, ['id', 'userId', 'statusChangedBy', 'paidVia']), memberId: orders.memberId }

/** An order as `platformOrderSelect` selects it. */
export type PlatformOrderRow = Omit<PlatformOrder, 'epcPayload'> & { outstanding: string }

/** Selects an order as the platform reads it: what it sent and what was decided. `toPlatformOrder` takes the row. */
export function platformOrderSelect(alias: string): string {
  const plain = expressions(columns, alias)
  // From `expiresAt` on an order is expired, even before the job marks it.
  const isDue = `${alias}.status = 'waiting_payment' AND ${alias}.expires_at <= now()`
  return selectColumns({
    ...plain,
    status: `CASE WHEN ${isDue} THEN 'expired' ELSE ${alias}.status END`,
    statusChangedAt: `CASE WHEN ${isDue} THEN ${plain.expiresAt} ELSE ${plain.statusChangedAt} END`,
    outstanding: `(${alias}.investment_amount - ${alias}.received)::text`,
  })
}

/** Adds the text of the QR code to pay by. */
export function toPlatformOrder({ outstanding, ...order }: PlatformOrderRow): PlatformOrder {
  return { ...order, epcPayload: buildEpc({ ...order, outstanding }).epc }
}

/** Reads an order for the platform. Undefined for an unknown number. */
export async function readPlatformOrder(db: Db | Tx, orderNumber: string): Promise<PlatformOrder | undefined> {
  const { rows } = await db.execute<PlatformOrderRow & Record<string, unknown>>(
    sql`SELECT ${sql.raw(platformOrderSelect('o'))} FROM ${orders} AS o WHERE o.order_number = ${orderNumber}`,
  )
  return rows[0] && toPlatformOrder(rows[0])
}
