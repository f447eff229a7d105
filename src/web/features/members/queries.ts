import { keepPreviousData } from '@tanstack/react-query'
import { pageSize } from '#contract/common.ts'
import { orderRoutes } from '#contract/orders.ts'
import { allocationRoutes } from '#contract/bank-allocations.ts'
import type { createdSorts } from '#contract/sorts.ts'
import { type SubmissionFilter, memberFilters, memberRoutes } from '#contract/members.ts'
import { withZone } from '#web/lib/dates.ts'
import { ApiError, buildQuery } from '#web/api.ts'

interface MemberListState {
  search: string
  /** A value of the status filter, as it stands in the address bar; anything else is not a filter. */
  status: string
  submission?: SubmissionFilter | undefined
  /** Days of the browser's time zone on which they joined. */
  from: string | undefined
  to: string | undefined
  sort: keyof typeof createdSorts | undefined
  page: number
}

export const buildFilter = ({ search, status, sort, submission, from, to }: Omit<MemberListState, 'page'>) => ({
  search,
  ...withZone({ from, to }),
  sort,
  submission,
  ...Object.entries(memberFilters).find(([value]) => value === status)?.[1].query,
})

/** One page of the list. The old rows stay until the new ones come. */
export const membersQuery = (place: MemberListState) => ({
  ...buildQuery(memberRoutes.list, { query: { ...buildFilter(place), page: place.page, limit: pageSize } }),
  placeholderData: keepPreviousData,
})

/** The exact total of a search that the list answered before it was counted (product 4.5). */
export const exactTotalQuery = (place: Omit<MemberListState, 'page'>) =>
  buildQuery(memberRoutes.list, { query: { ...buildFilter(place), page: 1, limit: 1, total: 'exact' } })

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
export const viewersQuery = (id: string) => buildQuery(memberRoutes.viewers, { params: { id } })

/** There is no such member: unknown, or an id that no member can have. */
export const isUnknownMember = (error: unknown) => error instanceof ApiError && [400, 404].includes(error.status)
