import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { kycWebhookRoutes } from '#contract/kyc-webhooks.ts'
import { queryOf } from '#web/api.ts'

/** The notice's filter, as the address bar names it. */
export type Unreached = '24h' | undefined

export const statsQuery = () => queryOf(kycWebhookRoutes.stats)

/** The log as SPEC section 7 asks for it: without parameters, unless the notice's list is meant. */
export const logsQuery = (unreached: Unreached) => ({
  ...queryOf(kycWebhookRoutes.logs, { query: { unreached } }),
  placeholderData: keepPreviousData,
  // Nothing but the page itself asks for the log again: what a former visit saw is old.
  staleTime: 0,
})

const reads = [statsQuery().queryKey[0], logsQuery(undefined).queryKey[0]]

/** Fetches again what is shown of the attempts; resolves when it is there. */
export const refetchWebhooks = (client: QueryClient) =>
  client.invalidateQueries({ predicate: ({ queryKey: [first] }) => reads.some((read) => read === first) })
