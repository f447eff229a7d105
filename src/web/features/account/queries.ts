import type { QueryClient } from '@tanstack/react-query'
import { accountSecurityRoutes } from '#contract/account-security.ts'
import type { AccountAdmin } from '#contract/schemas/account.ts'
import { buildQuery } from '#web/api.ts'
import { accountQuery } from '#web/use-can.ts'

export const sessionsQuery = () => buildQuery(accountSecurityRoutes.sessions)

export const refetchSessions = (client: QueryClient) => client.invalidateQueries({ queryKey: sessionsQuery().queryKey })

/** Who is signed in. Reads the cached account, which is there before the console is shown, and sends no call. */
export const readAdmin = (client: QueryClient): AccountAdmin | undefined =>
  client.getQueryData(accountQuery.queryKey)?.admin
