import { sql } from 'drizzle-orm'
import {
  describeBankMoney,
  orderMoves,
  orderStatusLabels,
  type OrderStatus,
  paymentMoves,
} from '#contract/order-moves.ts'
import { AppError, conflict } from '#server/lib/errors.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'

/**
 * The time by the database's clock, which decides what has expired (product 7.4). Call it after the row is locked:
 * `now()` is the time at which the transaction began, before it waited for the lock.
 */
export async function readDatabaseTime(db: Db | Tx): Promise<string> {
  const { rows } = await db.execute<{ now: string }>(sql`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`)
  return toInstant(rows[0]!.now)
}

interface OrderState {
  status: OrderStatus
  expiresAt: string
  statusChangedBy: string | null
  statusChangedAt: string | null
}

/** The actor of the job that expires orders. */
export const expiryActor = 'system'

/** From `expiresAt` on an order is expired, even before the job marks it (product 7.4). */
export const isDue = ({ status, expiresAt }: Pick<OrderState, 'status' | 'expiresAt'>, now: string) =>
  status === 'waiting_payment' && expiresAt <= now

/** The error for a move that the present state forbids: names the state, who set it and when (product 8.5). */
export function stateConflict(order: OrderState, now: string, subject = 'This order'): AppError {
  const { status, by, at } = isDue(order, now)
    ? { status: 'expired' as const, by: expiryActor, at: order.expiresAt }
    : { status: order.status, by: order.statusChangedBy, at: order.statusChangedAt }
  return conflict('order_state', `${subject} is ${orderStatusLabels[status].toLowerCase()}`, { status, by, at })
}

/** The error for a change of an order while the bank's money is on it. */
export const bankMoneyError = (order: { received: string; currency: string }): AppError =>
  new AppError('bank_money_applied', describeBankMoney(order))

/** Whether the platform may still change the order itself (product 7.8). */
export const isChangeable = (order: OrderState, now: string) => order.status === 'waiting_payment' && !isDue(order, now)

/**
 * Whether an order with this status has, or once had, the earlier status. An expired one may have been paid by the
 * bank's money. That a payment was undone says nothing of what came before.
 */
export const mayHaveBeen = (earlier: OrderStatus, status: OrderStatus): boolean =>
  status === earlier || listEarlier(status).some((before) => mayHaveBeen(earlier, before))

const listEarlier = (status: OrderStatus): readonly OrderStatus[] =>
  status === 'waiting_payment' ? [] : [...orderMoves[status].from, ...(status === 'paid' ? paymentMoves.paid.from : [])]
