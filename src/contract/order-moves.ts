import type { ApprovalAction } from './approvals.ts'
import type { EventData, PlatformEventType } from './schemas/platform-events.ts'
import type { AdminAction } from './security.ts'
import { listKeys } from './states.ts'

/** Product 7.4. */
export const orderStatusLabels = {
  waiting_payment: 'Waiting Payment',
  paid: 'Paid',
  completed: 'Completed',
  expired: 'Expired',
  cancelled: 'Cancelled',
}
export const orderStatuses = listKeys(orderStatusLabels)
export type OrderStatus = (typeof orderStatuses)[number]

/** The events that report this status, so that a move cannot send another event. */
type EventOfStatus<Status extends OrderStatus> = {
  [T in PlatformEventType]: EventData<T> extends { status: Status } ? T : never
}[PlatformEventType]

type OrderMove<To extends OrderStatus> = {
  from: readonly OrderStatus[]
  /** The event for the platform. Null for what it does itself. */
  event: (To extends 'waiting_payment' ? 'order.payment_reversed' : EventOfStatus<To>) | null
  action: AdminAction
  /** The column for the time of this status, besides the time of the last move. */
  stamp?: 'paidAt' | 'completedAt'
} & (
  | { by: 'platform' | 'system' }
  | {
      by: 'operator'
      /** Stored as the order's notes. `refusal` is the message if they are missing. */
      notes: { label: string; refusal: string | null }
      /** The button in the dialog and on the order's page. */
      button: string
      /** The button in a row of the list. Null for none. */
      rowButton: string | null
      /** Closes the dialog without the move. */
      keepButton: string
      question: (orderNumber: string) => string
    }
)

/**
 * Every move of an order, by its target status (product 7.4). A status without an entry does not compile.
 */
export const orderMoves = {
  /** Takes back that an operator marked the order paid. */
  waiting_payment: {
    from: ['paid'],
    by: 'operator',
    event: 'order.payment_reversed',
    action: 'undo_payment',
    notes: { label: 'Reason', refusal: 'A reason is required to undo a payment' },
    button: 'Undo Payment',
    rowButton: null,
    keepButton: 'Keep Paid',
    question: (orderNumber) => `Undo the payment of order #${orderNumber}?`,
  },
  paid: {
    from: ['waiting_payment'],
    by: 'operator',
    event: 'order.paid',
    action: 'set_order_status',
    stamp: 'paidAt',
    notes: { label: 'Payment notes', refusal: null },
    button: 'Mark Paid',
    rowButton: 'Mark Paid',
    keepButton: 'Cancel',
    question: (orderNumber) => `Mark order #${orderNumber} paid?`,
  },
  completed: { from: ['paid'], by: 'platform', event: null, action: 'complete_order', stamp: 'completedAt' },
  /** At `expiresAt`, by the clock. */
  expired: { from: ['waiting_payment'], by: 'system', event: 'order.expired', action: 'set_order_status' },
  cancelled: {
    from: ['waiting_payment'],
    by: 'operator',
    event: 'order.cancelled',
    action: 'set_order_status',
    notes: { label: 'Reason', refusal: 'Cancellation reason is required' },
    button: 'Cancel Order',
    rowButton: 'Cancel',
    keepButton: 'Keep Order',
    question: (orderNumber) => `Cancel order #${orderNumber}?`,
  },
} as const satisfies { [Status in OrderStatus]: OrderMove<Status> }

/** How an order was paid. `hand`: an operator marked it. `bank`: the bank's money covers it. */
export const paidVias = ['hand', 'bank'] as const
export type PaidVia = (typeof paidVias)[number]

/**
 * The moves of an order by the bank's money (product 7.4), each only with a line behind it: to `paid` when parts cover the
 * amount, and back when one of them is undone. An order that has expired is paid only by money that was booked in time.
 */
export const paymentMoves = {
  paid: { from: ['waiting_payment', 'expired'], event: 'order.paid', action: 'apply_payment' },
  waiting_payment: { from: ['paid'], event: 'order.payment_reversed', action: 'undo_payment' },
} as const satisfies Partial<
  Record<OrderStatus, { from: readonly OrderStatus[]; event: PlatformEventType; action: AdminAction }>
>

type StatusesMovedBy<By> = {
  [To in OrderStatus]: (typeof orderMoves)[To] extends { by: By } ? To : never
}[OrderStatus]

/** The statuses that operators can set, in the order of their buttons. */
export type OperatorMove = StatusesMovedBy<'operator'>
export const operatorMoves = orderStatuses.filter((to): to is OperatorMove => orderMoves[to].by === 'operator')

/** The action of which a rule may ask for a second operator's approval. */
export const moveApprovals = {
  waiting_payment: 'undo_mark_paid',
  paid: 'mark_order_paid',
  cancelled: 'cancel_order',
} as const satisfies Record<OperatorMove, ApprovalAction>

/** The messages after an operator's move, and after a failure without a message of the server. */
export const orderMoveTexts = { done: 'Order Updated', failed: 'Failed to update order status' }

/** Why operators and platform may not change an order while the bank's money is on it. `received` is more than 0. */
export const describeBankMoney = ({ received, currency }: { received: string; currency: string }): string =>
  `${received} ${currency} of the bank are applied to this order: undo that first`

/** Whether the bank's money is on an order. */
export const hasBankMoney = ({ received }: { received: string }): boolean => /[1-9]/.test(received)

interface MovableOrder {
  status: OrderStatus
  expiresAt: string
  paidVia: PaidVia | null
  received: string
}

/**
 * Whether an order may move. From `expiresAt` on it counts as expired, even before the job marks it. Only a payment
 * that an operator marked, without bank money behind it, leads back. `now` is the database's clock on the server, and
 * the browser's clock for buttons.
 */
export function canMove(to: OrderStatus, order: MovableOrder, now: string): boolean {
  const from: readonly OrderStatus[] = orderMoves[to].from
  if (!from.includes(order.status)) return false
  if (to === 'waiting_payment') return order.paidVia === 'hand' && !hasBankMoney(order)
  const isDue = order.status === 'waiting_payment' && order.expiresAt <= now
  return to === 'expired' ? isDue : !isDue
}
