import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { pageSize } from '#contract/common.ts'
import { deliveryKinds, deliveryRoutes, shownStates } from '#contract/deliveries.ts'
import type { createdSorts } from '#contract/sorts.ts'
import { withZone } from '#web/lib/dates.ts'
import { buildQuery } from '#web/api.ts'
import { refetchReads } from '#web/refetch-reads.ts'

/** The log's filters from the address bar. Unknown values are no filter. */
export interface DeliveryFilter {
  search: string
  kind: string
  status: string
  endpoint: string
  /** Days of the browser's time zone. */
  from: string | undefined
  to: string | undefined
  sort: keyof typeof createdSorts | undefined
}

export const buildFilter = ({ search, kind, status, endpoint, from, to, sort }: DeliveryFilter) => ({
  search: search.trim() || undefined,
  kind: deliveryKinds.find((known) => known === kind),
  state: shownStates.find((known) => known === status),
  endpoint: /^[1-9]\d{0,17}$/.test(endpoint) ? endpoint : undefined,
  ...withZone({ from, to }),
  sort,
})

/** One page of the log. The old rows stay until the new ones come. */
export const deliveriesQuery = (filter: DeliveryFilter, page: number) => ({
  ...buildQuery(deliveryRoutes.list, { query: { ...buildFilter(filter), page, limit: pageSize } }),
  placeholderData: keepPreviousData,
})

export const endpointQuery = () => buildQuery(deliveryRoutes.endpoint)

export const deliveryQuery = (id: string) => buildQuery(deliveryRoutes.detail, { params: { id } })

/** Fetches again what is shown of messages; resolves when it is there. */
export const refetchDeliveries = (client: QueryClient) => refetchReads(client, deliveryRoutes.list.path)
