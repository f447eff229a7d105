import type { QueryClient } from '@tanstack/react-query'
import { useChange, type Change } from '#web/changes/use-change.ts'

/** Fetches again what the Account screen shows. */
export const refetchAccount = (client: QueryClient) =>
  client.invalidateQueries({
    predicate: ({ queryKey: [first] }) => typeof first === 'string' && first.startsWith('/api/account/'),
  })

/** A change of the own account, from a dialog. */
export const useAccountChange = <Reply>(change: Omit<Change<null, Reply>, 'entity' | 'refetch'>) =>
  useChange({ entity: null, refetch: refetchAccount, ...change })
