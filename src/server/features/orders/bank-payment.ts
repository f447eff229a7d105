import { eq, inArray } from 'drizzle-orm'
import { hasBankMoney, type OrderStatus, paymentMoves } from '#contract/order-moves.ts'
import { platformEvent } from '#contract/schemas/platform-events.ts'
import { actorName } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import { enqueueEvent } from '#server/core/enqueue.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { orders } from '#server/db/tables/orders.ts'
import { type AppError, conflict, formatDay, formatInstant, notFound } from '#server/lib/errors.ts'
import { isSameDecimal } from '#server/lib/decimal.ts'
import type { OrderRow } from './move.ts'
import { isDue, stateConflict } from './state.ts'

// The moves of an order by the bank's money (product 7.4). The allocations of the lines are the bank's; their callers write them in
// the same transaction and hold the orders.

/** Orders by their ids, locked until the transaction ends. Throws not_found for one that there is not. */
export async function lockOrdersById(tx: Tx, ids: readonly string[]): Promise<Map<string, OrderRow>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select()
    .from(orders)
    .where(inArray(orders.id, [...ids]))
    .orderBy(orders.id)
    .for('no key update')
  const found = new Map(rows.map((row) => [row.id, row]))
  if (ids.some((id) => !found.has(id))) throw notFound('Order')
  return found
}

/** Orders by their ids, as they are. */
export async function readOrdersById(db: Db | Tx, ids: readonly string[]): Promise<Map<string, OrderRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select()
    .from(orders)
    .where(inArray(orders.id, [...ids]))
  return new Map(rows.map((row) => [row.id, row]))
}

/** What of an order decides whether money may come to it. */
export type PayableState = Pick<
  OrderRow,
  | 'orderNumber'
  | 'status'
  | 'expiresAt'
  | 'paidVia'
  | 'received'
  | 'investmentAmount'
  | 'statusChangedBy'
  | 'statusChangedAt'
>

/** Of an order that an operator marked paid, or the platform brought as paid, an allocation only says which line it was. */
const isPaidByHand = ({ status, paidVia }: Pick<OrderRow, 'status' | 'paidVia'>): boolean =>
  (status === 'paid' || status === 'completed') && paidVia !== 'bank'

/** Whether the bank took money of an order back after completion. It stays completed, and takes the money again. */
export const isOwed = ({
  status,
  paidVia,
  received,
  investmentAmount,
}: Pick<OrderRow, 'status' | 'paidVia' | 'received' | 'investmentAmount'>): boolean =>
  status === 'completed' && paidVia === 'bank' && !isSameDecimal(received, investmentAmount)

const isExpired = (order: PayableState, now: string) => order.status === 'expired' || isDue(order, now)

/** The last day on which money for an expired order may have been booked. */
function addGrace(expiresAt: string, graceDays: number): string {
  const day = new Date(`${expiresAt.slice(0, 10)}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() + graceDays)
  return day.toISOString().slice(0, 10)
}

/**
 * Throws order_state where no money booked on this day may come to the order. One that waits takes it, one that expired
 * takes what was booked within the days of grace, one that was marked paid by hand takes the line behind it, and a
 * completed one what the bank took back of it.
 */
export function requirePayable(
  order: PayableState,
  { bookedOn, graceDays }: { bookedOn: string | null; graceDays: number },
  now: string,
): void {
  const subject = `Order ${order.orderNumber}`
  if (isOwed(order)) return
  if (isPaidByHand(order)) {
    if (isSameDecimal(order.received, order.investmentAmount)) throw stateConflict(order, now, subject)
    return
  }
  if (!isExpired(order, now)) {
    if (order.status !== 'waiting_payment') throw stateConflict(order, now, subject)
    return
  }
  const last = addGrace(order.expiresAt, graceDays)
  if (bookedOn !== null && bookedOn <= last) return
  const booked = bookedOn === null ? 'the bank names no day for this' : `this was booked on ${formatDay(bookedOn)}`
  const grace = graceDays === 1 ? '1 day' : `${graceDays} days`
  throw conflict(
    'order_state',
    `${subject} expired on ${formatInstant(order.expiresAt)}: with ${grace} of grace it takes money booked up to ${formatDay(last)}, and ${booked}`,
  )
}

/** Throws order_state for an order that was marked paid by hand since: the money that was taken off it then has come otherwise. */
export function requireNotPaidSince(order: OrderRow, since: string): void {
  const { orderNumber, paidAt } = order
  if (!isPaidByHand(order) || paidAt === null || paidAt <= since) return
  throw conflict('order_state', `Order ${orderNumber} was marked paid by hand on ${formatInstant(paidAt)}`)
}

/** What is on an order once an allocation was written or undone. Amounts are decimal strings. */
export interface OrderMoney {
  received: string
  outstanding: string
}

/** The money that has come to an order: on which day the last of it, in how many allocations. */
export interface BankPayment extends OrderMoney {
  bookedOn: string
  allocations: number
}

/**
 * Pays a locked order by the allocation that was just written. It becomes paid when nothing is outstanding, and waits on otherwise.
 * One that was marked paid by hand stays as it is, and so does a completed one, which has its money again.
 */
export async function payByBank(
  tx: Tx,
  ctx: Ctx,
  before: OrderRow,
  { received, outstanding, bookedOn, allocations }: BankPayment,
  now: string,
): Promise<void> {
  if (isPaidByHand(before)) return markReceived(tx, before)
  const { orderNumber, memberId, currency } = before
  const version = before.version + 1
  const data = { orderNumber, memberId, at: now }
  if (isOwed(before) || hasBankMoney({ received: outstanding })) {
    await tx.update(orders).set({ version }).where(eq(orders.id, before.id))
    const money = { received, outstanding, currency, bookedOn }
    return enqueueEvent(
      tx,
      ctx,
      platformEvent('order.payment_received', { id: orderNumber, version, data: { ...data, ...money } }),
    )
  }
  await tx
    .update(orders)
    .set({ status: 'paid', paidVia: 'bank', paidAt: now, ...buildChange(ctx, version, now) })
    .where(eq(orders.id, before.id))
  const late = isExpired(before, now)
  const payment = { via: 'bank' as const, amount: received, currency, bookedOn, allocations, late }
  const event = { id: orderNumber, version, data: { ...data, status: 'paid' as const, payment } }
  await enqueueEvent(tx, ctx, platformEvent(paymentMoves.paid.event, event))
}

/** What is received is a change of the order, also where nothing else is: the platform's list of changes goes by the version. */
async function markReceived(tx: Tx, { id, version }: OrderRow): Promise<void> {
  await tx
    .update(orders)
    .set({ version: version + 1 })
    .where(eq(orders.id, id))
}

const buildChange = ({ actor }: Ctx, version: number, now: string) => ({
  statusChangedBy: actorName(actor),
  statusChangedAt: now,
  version,
})

/** Why a person cannot take the money of an order off it: null where they can. */
export function findReversalRefusal(
  order: Pick<OrderRow, 'orderNumber' | 'status' | 'paidVia' | 'statusChangedBy' | 'statusChangedAt'>,
): AppError | null {
  const { orderNumber, status, statusChangedBy: by, statusChangedAt: at } = order
  if (status !== 'completed' || isPaidByHand(order)) return null
  const since = [by && ` by ${by}`, at && ` on ${formatInstant(at)}`].filter(Boolean).join('')
  return conflict('order_state', `Order ${orderNumber} was completed${since}: settle it with the platform first`)
}

/**
 * Takes the bank's money off a locked order, before its allocation is undone. An order that it had paid waits again; one that was
 * marked paid by hand stays paid. One that is completed stays so where the bank takes the money back; throws order_state where a
 * person does.
 */
export async function reversePayment(
  tx: Tx,
  ctx: Ctx,
  before: OrderRow,
  { received, outstanding, reason, isByBank }: OrderMoney & { reason: string; isByBank: boolean },
  now: string,
): Promise<void> {
  const refusal = isByBank ? null : findReversalRefusal(before)
  if (refusal) throw refusal
  if (isPaidByHand(before)) return markReceived(tx, before)
  const { orderNumber, memberId, currency } = before
  const version = before.version + 1
  const isPaid = before.status === 'paid'
  const status: OrderStatus = isPaid ? 'waiting_payment' : before.status
  await tx
    .update(orders)
    .set(isPaid ? { status, paidVia: null, paidAt: null, ...buildChange(ctx, version, now) } : { version })
    .where(eq(orders.id, before.id))
  const data = { orderNumber, memberId, at: now, status, received, outstanding, currency, reason }
  await enqueueEvent(tx, ctx, platformEvent(paymentMoves.waiting_payment.event, { id: orderNumber, version, data }))
}
