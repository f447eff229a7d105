import type { QueryClient } from '@tanstack/react-query'

/** The reads that a change of one member reaches: the lists, the member, their KYC, and what is counted of members. */
const memberReads = ['/api/users', '/api/kyc', '/api/analytics']

/** Fetches again what is shown of members and their KYC; resolves when it is there. */
export const refetchMembers = (client: QueryClient) =>
  client.invalidateQueries({
    predicate: ({ queryKey: [first] }) =>
      typeof first === 'string' && memberReads.some((read) => first === read || first.startsWith(`${read}/`)),
  })
