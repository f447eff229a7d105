import type { QueryClient } from '@tanstack/react-query'
import { messageRoutes } from '#contract/messages.ts'
import { buildQuery } from '#web/api.ts'
import { refetchReads } from '#web/refetch-reads.ts'

export const endpointQuery = () => buildQuery(messageRoutes.endpoint)

export const messageQuery = (id: string) => buildQuery(messageRoutes.detail, { params: { id } })

/** Fetches again what is shown of messages; resolves when it is there. */
export const refetchMessages = (client: QueryClient) => refetchReads(client, messageRoutes.list.path)
