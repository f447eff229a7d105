import { eq } from 'drizzle-orm'
import { canMove, hasBankMoney, type OperatorMove, orderMoves, type OrderStatus } from '#contract/order-moves.ts'
import type { SetOrderStatus } from '#contract/schemas/orders.ts'
import { platformEvent, type PlatformEvent } from '#contract/schemas/platform-events.ts'
import { trimText } from '#contract/visible.ts'
import { actorName, audit } from '#server/core/audit.ts'
import { enqueueEvent } from '#server/core/enqueue.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { orders } from '#server/db/tables/orders.ts'
import { AppError } from '#server/lib/errors.ts'
import { bankMoneyError, stateConflict } from './state.ts'

export type OrderRow = typeof orders.$inferSelect

type MoveWithNotes = {
  [To in OperatorMove]: (typeof orderMoves)[To]['notes']['refusal'] extends string ? To : never
}[OperatorMove]

/** A move with the notes that it requires. `expire.ts` makes the system's own move, for many orders at once. */
type Move =
  | { to: MoveWithNotes; notes: string }
  | { to: Exclude<OperatorMove, MoveWithNotes>; notes: string | null }
  | { to: 'completed'; notes: null }

const needsNotes = (to: OperatorMove): to is MoveWithNotes => orderMoves[to].notes.refusal !== null

/** Parses the move that an operator requests. Throws invalid if it requires a reason and none is given. */
export function readMove({ status: to, notes: given }: SetOrderStatus): Move {
  const notes = trimText(given) || null
  if (!needsNotes(to)) return { to, notes }
  if (notes === null) throw new AppError('invalid', orderMoves[to].notes.refusal)
  return { to, notes }
}

/**
 * Throws order_state with the present state, and bank_money_applied for an operator's move of an order with the bank's
 * money. `now` is the time of the database.
 */
export function requireMovable(order: OrderRow, to: OrderStatus, now: string): void {
  if (!canMove(to, order, now)) {
    if (to === 'waiting_payment' && order.status === 'paid' && hasBankMoney(order)) throw bankMoneyError(order)
    throw stateConflict(order, now)
  }
  if (orderMoves[to].by === 'operator' && hasBankMoney(order)) throw bankMoneyError(order)
}

/** Moves a locked order that may move. Writes its row, audit row and event in the caller's transaction. */
export async function moveOrder(tx: Tx, ctx: Ctx, before: OrderRow, move: Move, now: string): Promise<void> {
  const { to, notes } = move
  const design = orderMoves[to]
  await tx
    .update(orders)
    .set({
      status: to,
      notes: notes ?? before.notes,
      ...('stamp' in design && { [design.stamp]: now }),
      ...(to === 'paid' && { paidVia: 'hand' as const }),
      ...(to === 'waiting_payment' && { paidVia: null, paidAt: null }),
      statusChangedBy: actorName(ctx.actor),
      statusChangedAt: now,
      version: before.version + 1,
    })
    .where(eq(orders.id, before.id))
  await audit(tx, ctx, {
    action: design.action,
    target: { type: 'order', id: before.id },
    ...(notes !== null && { personal: { memberId: before.memberId, details: { notes } } }),
    details: { orderNumber: before.orderNumber, before: { status: before.status }, after: { status: to } },
  })
  const event = buildEvent(before, move, now)
  if (event) await enqueueEvent(tx, ctx, event)
}

function buildEvent(before: OrderRow, move: Move, at: string): PlatformEvent | null {
  const { orderNumber, memberId, received, investmentAmount, currency } = before
  const head = { id: orderNumber, version: before.version + 1 }
  const order = { orderNumber, memberId, at }
  switch (move.to) {
    case 'paid': {
      const data = { ...order, status: move.to, ...(move.notes !== null && { notes: move.notes }) }
      return platformEvent(orderMoves[move.to].event, { ...head, data })
    }
    case 'waiting_payment': {
      const money = { received, outstanding: investmentAmount, currency }
      const data = { ...order, status: move.to, ...money, reason: move.notes }
      return platformEvent(orderMoves[move.to].event, { ...head, data })
    }
    case 'cancelled':
      return platformEvent(orderMoves[move.to].event, {
        ...head,
        data: { ...order, status: move.to, notes: move.notes },
      })
    case 'completed':
      return orderMoves[move.to].event
  }
}
