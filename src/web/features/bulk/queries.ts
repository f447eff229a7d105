import type { QueryClient } from '@tanstack/react-query'
import { bulkRoutes } from '#contract/bulk.ts'
import { ApiError, buildQuery } from '#web/api.ts'
import { refetchReads } from '#web/refetch-reads.ts'

export const jobQuery = (id: string) => buildQuery(bulkRoutes.detail, { params: { id } })

export const isUnknownJob = (error: unknown) => error instanceof ApiError && [400, 404].includes(error.status)

export const refetchJobs = (client: QueryClient) => refetchReads(client, '/api/bulk')
