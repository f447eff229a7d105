import type { QueryClient } from '@tanstack/react-query'
import { bankRoutes } from '#contract/bank.ts'
import { buildQuery } from '#web/api.ts'
import { refetchReads } from '#web/refetch-reads.ts'

export const accountsQuery = () => buildQuery(bankRoutes.accounts)

/** Fetches again what is shown of the bank; resolves when it is there. */
export const refetchBank = (client: QueryClient) => refetchReads(client, '/api/bank')
