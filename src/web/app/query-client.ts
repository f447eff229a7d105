import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isUnauthorized, readEnrolment, onReadUnauthorized, onStepUpRequired } from '#web/api.ts'
import { endSession, enrolment, followTabs, waitForSignIn } from './session.ts'

const onError = (error: Error) => {
  if (isUnauthorized(error)) endSession(queryClient)
  const needed = readEnrolment(error)
  if (needed) enrolment.set(needed)
}

/** Never stale, no refetch on focus, no retry (product 3.4). The event stream reports changes (`live.ts`). */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // `always` sends calls even when the browser believes it is offline, so that a failure is shown.
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

// Its code is fetched when it is needed first.
onStepUpRequired((refusal) => import('./step-up.ts').then(({ askForStepUp }) => askForStepUp(refusal)))
onReadUnauthorized((signal) => waitForSignIn(queryClient, signal))
followTabs(queryClient)
