import type { QueryClient } from '@tanstack/react-query'
import { securityRoutes } from '#contract/security.ts'
import { buildQuery } from '#web/api.ts'
import { refetchReads } from '#web/refetch-reads.ts'

/** Which events are shown: those that nobody has resolved yet, equal ones together, unless the address bar asks for others. */
export const eventViews = ['each', 'true', 'all'] as const
export type EventView = (typeof eventViews)[number] | undefined

export const figuresQuery = () => buildQuery(securityRoutes.figures)
export const integrityQuery = () => buildQuery(securityRoutes.integrity)

/** Fetches again what is shown of events and of the log; resolves when it is there. */
export const refetchSecurity = (client: QueryClient) => refetchReads(client, '/api/security', '/api/admin/logs')
