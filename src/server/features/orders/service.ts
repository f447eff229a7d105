import { eq } from 'drizzle-orm'
import { RowId } from '#contract/common.ts'
import { cancelReasonRequired, canMove, orderStatusLabels, type Order, type SetOrderStatus } from '#contract/orders.ts'
import { announce, audit, tellPlatform } from '#server/audit.ts'
import { type Ctx, inTransaction } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { orders } from '#server/db/tables/orders.ts'
import { members } from '#server/db/tables/users.ts'
import { AppError, inWords, notFound, requireVersion } from '#server/errors.ts'
import { databaseTime } from './clock.ts'
import { orderColumns, orderUserColumns } from './columns.ts'
import { stateConflict } from './state.ts'

export { completeOrder, readPlatformOrder } from './complete.ts'
export { expireOrders } from './expire.ts'
export { askOrders, countExpiring, listOrders } from './list.ts'

type OrderRow = typeof orders.$inferSelect

/** One order with its member. Throws not_found, also for what no order can have as its id. */
export const getOrder = async ({ database }: Ctx, id: string): Promise<Order> => readOrder(database.db, id)

async function readOrder(db: Db | Tx, id: string): Promise<Order> {
  const [order] = await db
    .select({ ...orderColumns, ...orderUserColumns })
    .from(orders)
    .innerJoin(members, eq(members.id, orders.memberId))
    .where(eq(orders.id, knownForm(id)))
  if (!order) throw notFound('Order')
  return order
}

function knownForm(id: string): string {
  if (!RowId.safeParse(id).success) throw notFound('Order')
  return id
}

/** The order's row, locked until the transaction ends. Throws not_found. */
async function lockOrder(tx: Tx, id: string): Promise<OrderRow> {
  const [order] = await tx
    .select()
    .from(orders)
    .where(eq(orders.id, knownForm(id)))
    .for('no key update')
  if (!order) throw notFound('Order')
  return order
}

/** Refuses a change that was decided on an older state of the order (PRODUCT 3.22); says how it stands now. */
function requireFreshOrder(order: OrderRow, ifMatch: number | undefined) {
  requireVersion(ifMatch, order.version, () => {
    const { status, version, statusChangedBy: by, statusChangedAt: at } = order
    const who = by && at ? `last set by ${by} on ${inWords(at)}` : 'by the platform'
    const state = `${orderStatusLabels[status].toLowerCase()}, ${order.investmentAmount} ${order.currency}`
    const message = `This order was changed meanwhile, ${who}: now ${state}. Reload and decide again.`
    return new AppError('stale', message, { details: { version, status } })
  })
}

/**
 * Marks a waiting order paid, with optional payment notes, or cancels it for a reason (SPEC sections 4 and 5). Of several
 * moves at once one wins; every other move is a conflict that says the present state (PRODUCT 3.13).
 */
export async function setOrderStatus(
  ctx: Ctx,
  id: string,
  { status, notes: given }: SetOrderStatus,
  ifMatch: number | undefined,
): Promise<Order> {
  const notes = given?.trim() || null
  if (status === 'cancelled' && !notes) throw new AppError('invalid', cancelReasonRequired)
  return inTransaction(ctx, async (tx) => {
    const before = await lockOrder(tx, id)
    const now = await databaseTime(tx)
    if (!canMove(status, before, now)) throw stateConflict(before, now)
    requireFreshOrder(before, ifMatch)
    await tx
      .update(orders)
      .set({
        status,
        notes: notes ?? before.notes,
        ...(status === 'paid' && { paidAt: now }),
        statusChangedBy: ctx.actor.name,
        statusChangedAt: now,
        version: before.version + 1,
      })
      .where(eq(orders.id, id))
    const after = await readOrder(tx, id)
    await recordMove(tx, ctx, before, after, notes)
    return after
  })
}

/** What a move leaves behind, in its own transaction: audit row, event for the platform, word to open consoles. */
async function recordMove(tx: Tx, ctx: Ctx, before: OrderRow, after: Order, notes: string | null) {
  const { orderNumber, userId: memberId, status } = after
  await audit(tx, ctx, {
    action: 'set_order_status',
    target: { type: 'order', id: after.id },
    details: {
      orderNumber,
      ...(notes !== null && { notes }),
      before: { status: before.status },
      after: { status },
    },
  })
  await tellPlatform(tx, {
    type: status === 'paid' ? 'order.paid' : 'order.cancelled',
    entity: { type: 'order', id: orderNumber },
    payload: { orderNumber, memberId, status, at: after.statusChangedAt, ...(notes !== null && { notes }) },
  })
  await announce(tx, 'orders')
}
