import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { pageSize } from '#contract/common.ts'
import { messageKinds, messageRoutes, shownStates } from '#contract/messages.ts'
import type { createdSorts } from '#contract/sorts.ts'
import { withZone } from '#web/lib/dates.ts'
import { buildQuery } from '#web/api.ts'
import { refetchReads } from '#web/refetch-reads.ts'

/** The log's filters from the address bar. Unknown values are no filter. */
export interface MessageFilter {
  search: string
  kind: string
  status: string
  endpoint: string
  /** Days of the browser's time zone. */
  from: string | undefined
  to: string | undefined
  sort: keyof typeof createdSorts | undefined
}

export const buildFilter = ({ search, kind, status, endpoint, from, to, sort }: MessageFilter) => ({
  search: search.trim() || undefined,
  kind: messageKinds.find((known) => known === kind),
  state: shownStates.find((known) => known === status),
  endpoint: /^[1-9]\d{0,17}$/.test(endpoint) ? endpoint : undefined,
  ...withZone({ from, to }),
  sort,
})

/** One page of the log. The old rows stay until the new ones come. */
export const messagesQuery = (filter: MessageFilter, page: number) => ({
  ...buildQuery(messageRoutes.list, { query: { ...buildFilter(filter), page, limit: pageSize } }),
  placeholderData: keepPreviousData,
})

export const endpointQuery = () => buildQuery(messageRoutes.endpoint)

export const messageQuery = (id: string) => buildQuery(messageRoutes.detail, { params: { id } })

/** Fetches again what is shown of messages; resolves when it is there. */
export const refetchMessages = (client: QueryClient) => refetchReads(client, messageRoutes.list.path)
