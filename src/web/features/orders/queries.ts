import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { pageSize } from '#contract/common.ts'
import { orderRoutes, orderStatuses } from '#contract/orders.ts'
import { ApiError, queryOf } from '#web/api.ts'

interface Place {
  search: string
  /** A value of the status filter, as it stands in the address bar; anything else is no filter. */
  status: string
  page: number
}

const filterOf = ({ search, status }: Omit<Place, 'page'>) => ({
  search,
  status: orderStatuses.find((known) => known === status),
})

/** One page of the list. The old rows stay until the new ones come. */
export const ordersQuery = (place: Place) => ({
  ...queryOf(orderRoutes.list, { query: { ...filterOf(place), page: place.page, limit: pageSize } }),
  placeholderData: keepPreviousData,
})

/** The exact total of a search that the list answered before it was counted (PRODUCT 3.8). */
export const exactTotalQuery = (place: Omit<Place, 'page'>) =>
  queryOf(orderRoutes.list, { query: { ...filterOf(place), page: 1, limit: 1, total: 'exact' } })

export const orderQuery = (id: string) => queryOf(orderRoutes.detail, { params: { id } })

/** Fetches again what is shown of orders; resolves when it is there. */
export const refetchOrders = (client: QueryClient) =>
  client.invalidateQueries({ predicate: ({ queryKey: [first] }) => first === '/api/orders' })

export const isUnknownOrder = (error: unknown) => error instanceof ApiError && error.status === 404
