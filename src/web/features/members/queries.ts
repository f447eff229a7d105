import { orderRoutes } from '#contract/orders.ts'
import { allocationRoutes } from '#contract/bank-allocations.ts'
import { memberRoutes } from '#contract/members.ts'
import { ApiError, buildQuery } from '#web/api.ts'

export const memberQuery = (id: string) => buildQuery(memberRoutes.detail, { params: { id } })

/** How many orders a member's page shows. */
export const memberOrdersShown = 5

/** The member's newest orders. */
export const memberOrdersQuery = (userId: string) =>
  buildQuery(orderRoutes.list, { query: { userId, limit: memberOrdersShown } })

/** The member's newest orders that wait for payment, and how many there are. */
export const openMemberOrdersQuery = (userId: string) =>
  buildQuery(orderRoutes.list, { query: { userId, status: 'waiting_payment', limit: memberOrdersShown } })

/** From where the member's orders were paid. */
export const payersQuery = (id: string) => buildQuery(allocationRoutes.memberPayers, { params: { id } })

/** Which operators have opened the member. */

/** There is no such member: unknown, or an id that no member can have. */
export const isUnknownMember = (error: unknown) => error instanceof ApiError && [400, 404].includes(error.status)
