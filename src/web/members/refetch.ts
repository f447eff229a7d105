import type { QueryClient } from '@tanstack/react-query'

/** The reads that a change of one member affects: lists, details, KYC and figures. */
const memberReads = ['/api/users', '/api/kyc', '/api/analytics']

/** Refetches what the screen shows of members and their KYC. Resolves when it has arrived. */
export const refetchMembers = (client: QueryClient) =>
  client.invalidateQueries({
    predicate: ({ queryKey: [first] }) =>
      typeof first === 'string' && memberReads.some((read) => first === read || first.startsWith(`${read}/`)),
  })
