import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { bulkItemStates, bulkRoutes, bulkStates } from '#contract/bulk.ts'
import { pageSize } from '#contract/common.ts'
import { ApiError, buildQuery } from '#web/api.ts'
import { refetchReads } from '#web/refetch-reads.ts'

interface ListState {
  /** A state as the address bar has it. Anything else is not a filter. */
  status: string
  page: number
}

export const jobsQuery = ({ status, page }: ListState, view: 'own' | 'unseen' | undefined) => ({
  ...buildQuery(bulkRoutes.list, {
    query: { state: bulkStates.find((known) => known === status), view, page, limit: pageSize },
  }),
  placeholderData: keepPreviousData,
})

export const jobQuery = (id: string) => buildQuery(bulkRoutes.detail, { params: { id } })

export const itemsQuery = (id: string, { status, page }: ListState) => ({
  ...buildQuery(bulkRoutes.items, {
    params: { id },
    query: { state: bulkItemStates.find((known) => known === status), page, limit: pageSize },
  }),
  placeholderData: keepPreviousData,
})

export const isUnknownJob = (error: unknown) => error instanceof ApiError && [400, 404].includes(error.status)

export const refetchJobs = (client: QueryClient) => refetchReads(client, '/api/bulk')
