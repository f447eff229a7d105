import { eq } from 'drizzle-orm'
import type { PlatformOrder } from '#contract/schemas/platform-api.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { orders } from '#server/db/tables/orders.ts'
import { notFound } from '#server/lib/errors.ts'
import { readDatabaseTime } from './state.ts'
import { moveOrder, requireMovable } from './move.ts'
import { readPlatformOrder } from './platform-order.ts'

/**
 * Completes a paid order for the platform (product 7.4), in the caller's transaction. The platform gets no event for
 * its own change. Throws not_found, and order_state with the present state.
 */
export async function completeOrder(tx: Tx, ctx: Ctx, orderNumber: string): Promise<PlatformOrder> {
  const ofNumber = eq(orders.orderNumber, orderNumber)
  const [before] = await tx.select().from(orders).where(ofNumber).for('no key update')
  if (!before) throw notFound(`Order ${orderNumber}`)
  const now = await readDatabaseTime(tx)
  requireMovable(before, 'completed', now)
  await moveOrder(tx, ctx, before, { to: 'completed', notes: null }, now)
  return (await readPlatformOrder(tx, orderNumber))!
}
