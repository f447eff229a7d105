import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { orderList } from '#contract/lists.ts'
import { approvalActions } from '#contract/approvals.ts'
import { operatorMoves, orderStatuses, paidVias } from '#contract/order-moves.ts'
import { maxOrderNotes } from '#contract/orders.ts'
import { Decimal, listQuery, pageOf, text, Timestamp } from './common.ts'

export const OrderStatus = z.enum(orderStatuses)

/** What the console and the platform both read of an order. */
export const orderFields = {
  projectId: z.string(),
  projectName: z.string(),
  /** Decimal string, in `currency` (ISO 4217). */
  investmentAmount: Decimal,
  currency: z.string(),
  status: OrderStatus,
  /** The payment notes, or why it was cancelled or its payment undone. */
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
  /** ISO 11649, without blanks: a payment that repeats it is matched beyond doubt. */
  paymentReference: z.string(),
  /** How much of the amount the bank's money covers. */
  received: Decimal,
}

/** How an order was paid. `hand`: an operator marked it. `bank`: the bank's money covers it. */
export const PaidVia = z.nullable(z.enum(paidVias))

export const Order = z.object({
  id: z.string(),
  orderNumber: z.string(),
  userId: z.string(),
  userFirstName: z.nullable(z.string()),
  userLastName: z.nullable(z.string()),
  userEmail: z.string(),
  userMembershipId: z.nullable(z.string()),
  userBanned: z.boolean(),
  userBannedReason: z.nullable(z.string()),
  ...orderFields,
  paidVia: PaidVia,
  statusChangedBy: z.nullable(z.string()),
  statusChangedAt: z.nullable(Timestamp),
  version: z.int(),
})
export type Order = z.infer<typeof Order>

export const ListedOrder = z.object({
  ...Order.shape,
  /** How many lines of the bank are work and may pay it; 0 of one that does not wait for payment. */
  waitingLines: z.int(),
  /** What was requested of it and waits for the approval of a second operator. */
  waitingApprovals: z.array(z.enum(approvalActions)),
})
export type ListedOrder = z.infer<typeof ListedOrder>

export const OrdersQuery = z.object(listQuery(orderList))
export type OrdersQuery = z.infer<typeof OrdersQuery>

/** `notes` are what the move asks for; a missing reason is refused in the words of product 9.5. */
export const SetOrderStatus = z.strictObject({
  status: z.enum(operatorMoves, { error: `must be one of ${operatorMoves.join(', ')}` }),
  notes: z.optional(z.nullable(text(maxOrderNotes))),
})
export type SetOrderStatus = z.infer<typeof SetOrderStatus>

/** Any text: what no order can have as its id is an unknown order (404), not a wrong call. */
const Id = z.object({ id: z.string() })

export const orderSchemas = {
  list: { summary: 'Orders, newest first', query: OrdersQuery, reply: pageOf('orders', ListedOrder) },
  detail: { summary: 'One order', params: Id, reply: z.object({ order: Order }) },
  setStatus: {
    summary: 'Mark an order paid, take that back, or cancel it',
    params: Id,
    body: SetOrderStatus,
    reply: z.object({ message: z.string(), order: Order }),
    refuses: ['order_state', 'bank_money_applied'],
  },
} satisfies Record<string, RouteSchemas>
