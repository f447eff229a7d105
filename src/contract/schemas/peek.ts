import * as z from 'zod/mini'
import { Activity } from './activity.ts'
import { filter, PlatformId } from './common.ts'
import { Order } from './orders.ts'
import { Member, Sum } from './members.ts'

/** A member at a glance. What the admin may not view is null. */
export const MemberPeek = z.object({
  user: Member,
  /** The attempt that the KYC state is of. */
  attemptNumber: z.nullable(z.int()),
  /** The member's fractions by token, the largest first. A token that is not registered has its address as its unit. */
  holdings: z.array(Sum),
  /** What orders that wait for payment come to, by currency, the largest first. */
  openOrders: z.nullable(z.array(Sum)),
  /** The one of them that expires next. */
  nextOrder: z.nullable(Order),
  /** The verification that waits for a decision. */
  reviewId: z.nullable(z.string()),
  /** The newest entries, as the call of the activity answers without parameters. */
  activity: Activity,
})
export type MemberPeek = z.infer<typeof MemberPeek>

export const OrderPeek = z.object({ order: Order, activity: Activity })
export type OrderPeek = z.infer<typeof OrderPeek>

/** `ahead`: fetched before it is shown, perhaps never. The trace of reads tells the two apart (product 6.9). */
export const PeekQuery = z.object({ ahead: filter(['true']) })

export const peekSchemas = {
  member: {
    summary: 'A member at a glance, with the newest activity',
    params: z.object({ id: PlatformId }),
    query: PeekQuery,
    reply: MemberPeek,
  },
  order: {
    summary: 'An order at a glance, with the newest activity',
    params: z.object({ id: z.string() }),
    query: PeekQuery,
    reply: OrderPeek,
  },
}
