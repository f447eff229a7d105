import { eq } from 'drizzle-orm'
import { canMove } from '#contract/orders.ts'
import type { PlatformOrder } from '#contract/platform-api.ts'
import { audit } from '#server/audit.ts'
import type { Ctx } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { orders } from '#server/db/tables/orders.ts'
import { notFound } from '#server/errors.ts'
import { databaseTime } from './clock.ts'
import { stateConflict } from './state.ts'

/** An order as the platform is told of it; undefined for an unknown number. */
export async function readPlatformOrder(db: Db | Tx, orderNumber: string): Promise<PlatformOrder | undefined> {
  const [order] = await db
    .select({
      orderNumber: orders.orderNumber,
      memberId: orders.memberId,
      projectId: orders.projectId,
      projectName: orders.projectName,
      investmentAmount: orders.investmentAmount,
      currency: orders.currency,
      status: orders.status,
      notes: orders.notes,
      expiresAt: orders.expiresAt,
      createdAt: orders.createdAt,
      paidAt: orders.paidAt,
      completedAt: orders.completedAt,
      statusChangedAt: orders.statusChangedAt,
    })
    .from(orders)
    .where(eq(orders.orderNumber, orderNumber))
  return order
}

/**
 * The platform completes a paid order (PRODUCT 3.13), in the caller's transaction. It hears no event of what it did
 * itself. Throws not_found, and a conflict that says the present state.
 */
export async function completeOrder(tx: Tx, ctx: Ctx, orderNumber: string): Promise<PlatformOrder> {
  const ofNumber = eq(orders.orderNumber, orderNumber)
  const [before] = await tx.select().from(orders).where(ofNumber).for('no key update')
  if (!before) throw notFound(`Order ${orderNumber}`)
  const now = await databaseTime(tx)
  if (!canMove('completed', before, now)) throw stateConflict(before, now)
  const { actor } = ctx
  await tx
    .update(orders)
    .set({
      status: 'completed',
      completedAt: now,
      statusChangedBy: actor.kind === 'platform' ? `platform:${actor.name}` : actor.name,
      statusChangedAt: now,
      version: before.version + 1,
    })
    .where(ofNumber)
  await audit(tx, ctx, {
    action: 'complete_order',
    target: { type: 'order', id: before.id },
    details: { orderNumber, before: { status: before.status }, after: { status: 'completed' } },
  })
  return (await readPlatformOrder(tx, orderNumber))!
}
