import type { EventData, PlatformEventType } from './schemas/platform-events.ts'
import type { AdminAction } from './security.ts'

/** Product 7.4. */
export const orderStatuses = ['waiting_payment', 'paid', 'completed', 'expired', 'cancelled'] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const orderStatusLabels: Record<OrderStatus, string> = {
  waiting_payment: 'Waiting Payment',
  paid: 'Paid',
  completed: 'Completed',
  expired: 'Expired',
  cancelled: 'Cancelled',
}

/** The events that report this very status: a move can't send one of another. */
type EventOfStatus<Status extends OrderStatus> = {
  [T in PlatformEventType]: EventData<T> extends { status: Status } ? T : never
}[PlatformEventType]

type OrderMove<To extends OrderStatus> = {
  from: readonly OrderStatus[]
  /** What the platform is told; nothing of what it does itself. */
  event: EventOfStatus<To> | null
  action: AdminAction
  /** Where the order keeps when it came to be so, beside the time of its last move. */
  stamp?: 'paidAt' | 'completedAt'
} & (
  | { by: 'platform' | 'system' }
  | {
      by: 'operator'
      /** Stored as the order's notes; a refusal says what is missing. */
      notes: { label: string; refusal: string | null }
      /** In the dialog and on the order's page. */
      button: string
      /** In a row of the list. */
      rowButton: string
      /** Closes the dialog without the move. */
      keepButton: string
      question: (orderNumber: string) => string
    }
)

/**
 * Every move of an order, by the status it leads to (product 7.4); nothing leads back to the first one. A status without
 * its line here does not compile.
 */
export const orderMoves = {
  waiting_payment: null,
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
} as const satisfies { [Status in OrderStatus]: OrderMove<Status> | null }

type StatusesMovedBy<By> = {
  [To in OrderStatus]: (typeof orderMoves)[To] extends { by: By } ? To : never
}[OrderStatus]

/** The statuses that an operator can give an order, in the order of their buttons. */
export type OperatorMove = StatusesMovedBy<'operator'>
export const operatorMoves = orderStatuses.filter((to): to is OperatorMove => orderMoves[to]?.by === 'operator')

/** What any of their moves says once it is made, and when it fails without words of the server. */
export const orderMoveTexts = { done: 'Order Updated', failed: 'Failed to update order status' }

/**
 * Whether an order may move. From `expiresAt` on it counts as expired for every move, also before the job has come by;
 * `now` is the database's clock on the server, the browser's for which buttons are shown.
 */
export function canMove(to: OrderStatus, order: { status: OrderStatus; expiresAt: string }, now: string): boolean {
  const from: readonly OrderStatus[] = orderMoves[to]?.from ?? []
  if (!from.includes(order.status)) return false
  const isDue = order.status === 'waiting_payment' && order.expiresAt <= now
  return to === 'expired' ? isDue : !isDue
}
