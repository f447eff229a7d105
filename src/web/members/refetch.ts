import type { QueryClient } from '@tanstack/react-query'
import { refetchReads } from '#web/refetch-reads.ts'

/** Refetches what a change of one member affects: lists, details, KYC and figures. */
export const refetchMembers = (client: QueryClient) => refetchReads(client, '/api/users', '/api/kyc', '/api/analytics')
