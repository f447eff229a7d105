import type { QueryClient } from '@tanstack/react-query'
import type { TokenKind } from '#contract/token-kinds.ts'
import { tokenRoutes } from '#contract/tokens.ts'
import { buildQuery } from '#web/api.ts'

/** All tokens of a kind, newest first. */
export const tokensQuery = (kind: TokenKind) => buildQuery(tokenRoutes.list, { params: { kind } })

/** The reads that a change of one token affects: lists and figures. */
const tokenReads = new Set<unknown>(['/api/tokens', '/api/analytics'])

/** Fetches again what is shown of tokens; resolves when it is there. */
export const refetchTokens = (client: QueryClient) =>
  client.invalidateQueries({ predicate: ({ queryKey: [first] }) => tokenReads.has(first) })
