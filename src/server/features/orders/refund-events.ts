import type { RefundCause } from '#contract/bank-allocations.ts'
import { type EventData, type PlatformEvent, platformEvent } from '#contract/schemas/platform-events.ts'
import type { Ctx } from '#server/core/context.ts'
import { enqueueEvents } from '#server/core/enqueue.ts'
import type { Tx } from '#server/db/client.ts'
import { lockOrdersById } from './bank-payment.ts'
import type { OrderRow } from './move.ts'

type Amounts = Pick<EventData<'order.refund_due'>, 'refundId' | 'amount' | 'currency'>

/**
 * The outcome of a refund of an order, as the platform hears it (product 10.5). `outstanding` has not gone out. Amounts
 * are decimal strings.
 */
export type RefundChange = Amounts & { orderId: string } & (
    | { change: 'due'; outstanding: string; cause: RefundCause }
    | { change: 'paid'; outstanding: string; bookedOn: string }
    | { change: 'withdrawn'; reason: string }
  )

/** Tells the platform of refunds, in their change's transaction. The orders stay as they are; the caller holds them. */
export async function announceRefunds(tx: Tx, ctx: Ctx, changes: readonly RefundChange[], now: string): Promise<void> {
  const orders = await lockOrdersById(tx, [...new Set(changes.map(({ orderId }) => orderId))])
  await enqueueEvents(
    tx,
    ctx,
    changes.map((change) => buildEvent(orders.get(change.orderId)!, change, now)),
  )
}

function buildEvent({ orderNumber, memberId, version }: OrderRow, change: RefundChange, at: string): PlatformEvent {
  const { refundId, amount, currency } = change
  const data = { orderNumber, memberId, at, refundId, amount, currency }
  const entity = { id: orderNumber, version }
  switch (change.change) {
    case 'due': {
      const { outstanding, cause } = change
      return platformEvent('order.refund_due', { ...entity, data: { ...data, outstanding, cause } })
    }
    case 'paid': {
      const { outstanding, bookedOn } = change
      return platformEvent('order.refund_paid', { ...entity, data: { ...data, outstanding, bookedOn } })
    }
    case 'withdrawn':
      return platformEvent('order.refund_withdrawn', { ...entity, data: { ...data, reason: change.reason } })
  }
}
