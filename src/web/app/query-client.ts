import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isUnauthorized, onReadUnauthorized } from '#web/api.ts'
import { endSession, followTabs, waitForSignIn } from './session.ts'

const onError = (error: Error) => {
  if (isUnauthorized(error)) endSession(queryClient)
}

/** Product 3.4: never stale, no refetch on focus, no retry. News comes by the event stream (`live.ts`). */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // `always`: a call is made and its failure told, also when the browser believes itself offline.
    queries: {
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: false,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

onReadUnauthorized((signal) => waitForSignIn(queryClient, signal))
followTabs(queryClient)
