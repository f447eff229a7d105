import * as z from 'zod/mini'
import { filter, pageOf, pageQuery, SearchText, text, Timestamp, TotalWanted } from './common.ts'
import { route } from './route.ts'

/** SPEC section 4. */
export const orderStatuses = ['waiting_payment', 'paid', 'completed', 'expired', 'cancelled'] as const
export const OrderStatus = z.enum(orderStatuses)
export type OrderStatus = z.infer<typeof OrderStatus>

export const orderStatusLabels: Record<OrderStatus, string> = {
  waiting_payment: 'Waiting Payment',
  paid: 'Paid',
  completed: 'Completed',
  expired: 'Expired',
  cancelled: 'Cancelled',
}

/** From where an order may move to each state (PRODUCT 3.13). Nothing leads back. */
const movesFrom = {
  waiting_payment: [],
  paid: ['waiting_payment'],
  cancelled: ['waiting_payment'],
  expired: ['waiting_payment'],
  completed: ['paid'],
} satisfies Record<OrderStatus, OrderStatus[]>

/**
 * Whether an order may move. From `expiresAt` on it counts as expired for every move, also before the job has come by;
 * `now` is the database's clock on the server, the browser's for which buttons are shown.
 */
export function canMove(to: OrderStatus, order: { status: OrderStatus; expiresAt: string }, now: string): boolean {
  const from: readonly OrderStatus[] = movesFrom[to]
  if (!from.includes(order.status)) return false
  const isDue = order.status === 'waiting_payment' && order.expiresAt <= now
  return to === 'expired' ? isDue : !isDue
}

export const Order = z.object({
  id: z.string(),
  orderNumber: z.string(),
  userId: z.string(),
  userFirstName: z.nullable(z.string()),
  userLastName: z.nullable(z.string()),
  userEmail: z.string(),
  userMembershipId: z.nullable(z.string()),
  projectId: z.string(),
  projectName: z.string(),
  /** Decimal string, in `currency` (ISO 4217). */
  investmentAmount: z.string(),
  currency: z.string(),
  status: OrderStatus,
  notes: z.nullable(z.string()),
  expiresAt: Timestamp,
  createdAt: Timestamp,
  paidAt: z.nullable(Timestamp),
  completedAt: z.nullable(Timestamp),
  bankName: z.string(),
  accountHolder: z.string(),
  accountNumber: z.string(),
  iban: z.string(),
  swift: z.string(),
  paymentInstructions: z.string(),
  statusChangedBy: z.nullable(z.string()),
  statusChangedAt: z.nullable(Timestamp),
  version: z.int(),
})
export type Order = z.infer<typeof Order>

export const OrdersQuery = z.object({
  ...pageQuery,
  search: SearchText,
  status: filter(orderStatuses),
  /** Only those that wait for payment and expire within a day. */
  expiring: filter(['24h']),
  total: TotalWanted,
})
export type OrdersQuery = z.infer<typeof OrdersQuery>

export const maxOrderNotes = 1000
export const cancelReasonRequired = 'Cancellation reason is required'

/** `notes` are the payment notes of `paid` (optional) or the reason of `cancelled` (required). */
export const SetOrderStatus = z.strictObject({
  status: z.enum(['paid', 'cancelled'], { error: 'must be paid or cancelled' }),
  notes: z.optional(z.nullable(text(maxOrderNotes))),
})
export type SetOrderStatus = z.infer<typeof SetOrderStatus>

/** Any text: what no order can have as its id is an unknown order (404), not a wrong call. */
const Id = z.object({ id: z.string() })

export const orderRoutes = {
  list: route({
    method: 'GET',
    path: '/api/orders',
    summary: 'Orders, newest first',
    query: OrdersQuery,
    reply: pageOf('orders', Order),
  }),
  detail: route({
    method: 'GET',
    path: '/api/orders/:id',
    summary: 'One order',
    params: Id,
    reply: z.object({ order: Order }),
  }),
  setStatus: route({
    method: 'PATCH',
    path: '/api/orders/:id/status',
    summary: 'Mark an order paid, or cancel it',
    params: Id,
    body: SetOrderStatus,
    reply: z.object({ message: z.string(), order: Order }),
  }),
}
