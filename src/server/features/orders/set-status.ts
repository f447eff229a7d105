import { eq, inArray } from 'drizzle-orm'
import { RowId } from '#contract/schemas/common.ts'
import { type OrderStatus, orderStatusLabels } from '#contract/order-moves.ts'
import type { Order, SetOrderStatus } from '#contract/schemas/orders.ts'
import { announce } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { orders } from '#server/db/tables/orders.ts'
import { members } from '#server/db/tables/members.ts'
import { createLimiters } from '#server/lib/concurrency-limit.ts'
import { AppError, formatInstant, notFound, requireVersion } from '#server/lib/errors.ts'
import { readDatabaseTime } from './state.ts'
import { orderColumns, orderMemberColumns } from './list.ts'
import { moveOrder, type OrderRow, readMove, requireMovable } from './move.ts'

/** Reads one order with its member. Throws not_found, also for an invalid id. */
export const getOrder = async ({ database }: Ctx, id: string): Promise<Order> => readOrder(database.db, id)

const selectOrders = (db: Db | Tx) =>
  db
    .select({ ...orderColumns, ...orderMemberColumns })
    .from(orders)
    .innerJoin(members, eq(members.id, orders.memberId))

async function readOrder(db: Db | Tx, id: string): Promise<Order> {
  const [order] = await selectOrders(db).where(eq(orders.id, requireRowId(id)))
  if (!order) throw notFound('Order')
  return order
}

/** Reads orders with their members, in the order of their ids. */
export const readOrders = async (db: Db | Tx, ids: readonly string[]): Promise<Order[]> =>
  ids.length === 0
    ? []
    : selectOrders(db)
        .where(inArray(orders.id, [...ids]))
        .orderBy(orders.id)

function requireRowId(id: string): string {
  if (!RowId.safeParse(id).success) throw notFound('Order')
  return id
}

/** Reads the order and locks it until the transaction ends. Throws not_found. */
async function lockOrder(tx: Tx, id: string): Promise<OrderRow> {
  const [order] = await tx
    .select()
    .from(orders)
    .where(eq(orders.id, requireRowId(id)))
    .for('no key update')
  if (!order) throw notFound('Order')
  return order
}

/** Refuses a change that was decided on an older version (product 8.4). The message names the present state. */
function requireFreshOrder(order: OrderRow, ifMatch: number | undefined) {
  requireVersion(ifMatch, order.version, () => {
    const { status, version, statusChangedBy: by, statusChangedAt: at } = order
    const who = by && at ? `last set by ${by} on ${formatInstant(at)}` : 'by the platform'
    const state = `${orderStatusLabels[status].toLowerCase()}, ${order.investmentAmount} ${order.currency}`
    const message = `This order was changed meanwhile, ${who}: now ${state}. Reload and decide again.`
    return new AppError('stale', message, { details: { version, status } })
  })
}

/** A decision that has waited for another one for so long gives up, as it would for a lock of the database. */
const patienceMs = 5000
const tryAgain = 'nothing was changed. Try again in a moment'

/**
 * Decisions on one order wait here for each other. In the database each of them would hold a connection of the pool,
 * and a few operators would leave none to others.
 */
const enterOrder = createLimiters(1, 200, `Too many decisions on this order at once; ${tryAgain}`)

/** Throws as the move would, without a lock: who comes after a decision need not wait for others who do. */
async function requireUndecided({ database }: Ctx, id: string, to: OrderStatus): Promise<void> {
  const [order] = await database.db
    .select()
    .from(orders)
    .where(eq(orders.id, requireRowId(id)))
  if (!order) throw notFound('Order')
  requireMovable(order, to, await readDatabaseTime(database.db))
}

/**
 * Makes an operator's move (product 7.4, 9.5): marks a waiting order paid, with optional notes, cancels it for a
 * reason, or takes back for a reason that it was marked paid. One of several simultaneous moves wins. The others throw
 * order_state with the present state. Throws not_found, stale, and invalid for a missing reason.
 */
export async function setOrderStatus(
  ctx: Ctx,
  id: string,
  given: SetOrderStatus,
  ifMatch: number | undefined,
): Promise<Order> {
  const move = readMove(given)
  const change = () =>
    inTransaction(ctx, async (tx) => {
      const before = await lockOrder(tx, id)
      const now = await readDatabaseTime(tx)
      requireMovable(before, move.to, now)
      requireFreshOrder(before, ifMatch)
      await moveOrder(tx, ctx, before, move, now)
      await announce(tx, 'orders')
      return readOrder(tx, id)
    })
  // The transaction of an approval may hold what the others wait for.
  if (ctx.tx) return change()
  const askedAt = performance.now()
  return enterOrder(id, async () => {
    await requireUndecided(ctx, id, move.to)
    if (performance.now() - askedAt > patienceMs)
      throw new AppError('busy', `Another decision on this order is still under way; ${tryAgain}`)
    return change()
  })
}
