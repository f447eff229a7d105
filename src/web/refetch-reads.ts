import type { QueryClient } from '@tanstack/react-query'

/** Fetches again what is shown of these reads, and of those below them. Resolves when it has arrived. */
export const refetchReads = (client: QueryClient, ...reads: readonly string[]) =>
  client.invalidateQueries({
    predicate: ({ queryKey: [first] }) =>
      typeof first === 'string' && reads.some((read) => first === read || first.startsWith(`${read}/`)),
  })
