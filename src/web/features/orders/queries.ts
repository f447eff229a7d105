import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { pageSize } from '#contract/common.ts'
import { orderStatuses } from '#contract/order-moves.ts'
import { type ExpiryWindow, orderRoutes } from '#contract/orders.ts'
import { allocationRoutes } from '#contract/bank-allocations.ts'
import type { orderSorts } from '#contract/sorts.ts'
import type { OrderPayment } from '#contract/schemas/bank-allocations.ts'
import { withZone } from '#web/lib/dates.ts'
import { ApiError, buildQuery } from '#web/api.ts'
import { refetchReads } from '#web/refetch-reads.ts'

interface OrderListState {
  search: string
  /** A value of the status filter, as it stands in the address bar; anything else is not a filter. */
  status: string
  /** Only orders that expire so soon: the list of a notice and of the dashboard. */
  expiring: ExpiryWindow | undefined
  /** Only orders of this member. */
  userId: string | undefined
  /** Days of the browser's time zone. */
  from: string | undefined
  to: string | undefined
  sort: keyof typeof orderSorts | undefined
  page: number
}

export const buildFilter = ({ search, status, expiring, userId, from, to, sort }: Omit<OrderListState, 'page'>) => ({
  search,
  status: orderStatuses.find((known) => known === status),
  expiring,
  userId,
  ...withZone({ from, to }),
  sort,
})
/** What expires soon changes with time, without an event. So each visit fetches it again. */
const getStaleTime = ({ expiring }: Omit<OrderListState, 'page'>) => (expiring ? { staleTime: 0 } : {})

/** One page of the list. The old rows stay until the new ones come. */
export const ordersQuery = (place: OrderListState) => ({
  ...buildQuery(orderRoutes.list, { query: { ...buildFilter(place), page: place.page, limit: pageSize } }),
  ...getStaleTime(place),
  placeholderData: keepPreviousData,
})

/** The exact total of a search that the list answered before it was counted (product 4.5). */
export const exactTotalQuery = (place: Omit<OrderListState, 'page'>) => ({
  ...buildQuery(orderRoutes.list, { query: { ...buildFilter(place), page: 1, limit: 1, total: 'exact' } }),
  ...getStaleTime(place),
})

export const orderQuery = (id: string) => buildQuery(orderRoutes.detail, { params: { id } })

export const paymentsQuery = (orderId: string) =>
  buildQuery(allocationRoutes.orderPayments, { params: { id: orderId } })

/** Fetches again what is shown of orders; resolves when it is there. */
export const refetchOrders = (client: QueryClient) => refetchReads(client, '/api/orders')

export const isUnknownOrder = (error: unknown) => error instanceof ApiError && error.status === 404

/** Fetches a payment of an order as it is now. Throws when it is gone. */
export async function fetchPayment(orderId: string, allocationId: string, client: QueryClient): Promise<OrderPayment> {
  const { payments } = await client.fetchQuery({ ...paymentsQuery(orderId), staleTime: 0 })
  const found = payments.find(({ allocation }) => allocation.id === allocationId)
  if (!found) throw new Error(`order ${orderId} has no payment ${allocationId}`)
  return found
}

/** Fetches again what is shown of orders and of the bank. */
export const refetchPayments = (client: QueryClient) => refetchReads(client, '/api/orders', '/api/bank')
