import type { QueryClient } from '@tanstack/react-query'
import { accountSecurityRoutes } from '#contract/account-security.ts'
import type { Account } from '#contract/schemas/account.ts'
import { buildQuery } from '#web/api.ts'
import { accountQuery } from '#web/use-can.ts'

export const sessionsQuery = () => buildQuery(accountSecurityRoutes.sessions)

export const refetchSessions = (client: QueryClient) => client.invalidateQueries({ queryKey: sessionsQuery().queryKey })

/** The own account. Reads the cached one, which is there before the console is shown, and sends no call. */
export const readAccount = (client: QueryClient): Account | undefined => client.getQueryData(accountQuery.queryKey)
