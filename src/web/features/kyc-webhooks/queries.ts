import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { kycWebhookRoutes, type webhookOutcomes } from '#contract/kyc-webhooks.ts'
import { buildQuery } from '#web/api.ts'

/** The notice's filter, as the address bar names it. */
export type UnreachedFilter = '24h' | undefined

export const statsQuery = () => buildQuery(kycWebhookRoutes.stats)

/** How the attempts that are shown went; undefined shows all. */
export type Outcome = (typeof webhookOutcomes)[number] | undefined

/** The log, without parameters unless the list of a notice or of a card is meant. */
export const logsQuery = (unreached: UnreachedFilter, status: Outcome) => ({
  ...buildQuery(kycWebhookRoutes.logs, { query: { unreached, status } }),
  placeholderData: keepPreviousData,
  // Only this page refetches the log, so cached data is always outdated.
  staleTime: 0,
})

const reads = [statsQuery().queryKey[0], logsQuery(undefined, undefined).queryKey[0]]

/** Fetches again what is shown of the attempts; resolves when it is there. */
export const refetchWebhooks = (client: QueryClient) =>
  client.invalidateQueries({ predicate: ({ queryKey: [first] }) => reads.some((read) => read === first) })
