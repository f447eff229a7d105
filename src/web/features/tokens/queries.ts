import type { QueryClient } from '@tanstack/react-query'
import type { TokenKind } from '#contract/token-kinds.ts'
import { tokenRoutes } from '#contract/tokens.ts'
import { queryOf } from '#web/api.ts'

/** All tokens of a kind, newest first. */
export const tokensQuery = (kind: TokenKind) => queryOf(tokenRoutes.list, { params: { kind } })

/** The reads that a change of one token reaches: the lists, and what is counted of tokens. */
const touched = new Set<unknown>(['/api/tokens', '/api/analytics'])

/** Fetches again what is shown of tokens; resolves when it is there. */
export const refetchTokens = (client: QueryClient) =>
  client.invalidateQueries({ predicate: ({ queryKey: [first] }) => touched.has(first) })
