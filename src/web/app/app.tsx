import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy } from 'react'
import { serverMessage } from '#web/api.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Lazily } from './lazily.tsx'
import { sessionQuery } from './session.ts'
import { ThemeToggle } from './theme-toggle.tsx'

const loadSignedIn = () => import('./signed-in.tsx')
const SignedIn = lazy(loadSignedIn)
const LoginPage = lazy(() => import('#web/features/auth/login-page.tsx'))
const Toaster = lazy(async () => {
  await idle()
  return import('#web/ui/toaster.tsx')
})

/** Settles once the browser has nothing more urgent to do. */
const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve())
    else setTimeout(resolve, 200)
  })

/** Signed out, every path shows the login form in place; signed in, the router takes over (PRODUCT 3.6). */
function Session() {
  const session = useQuery(sessionQuery)
  const client = useQueryClient()
  if (session.isPending) return <Starting />
  if (session.data) return <SignedIn />
  if (session.isError) {
    return (
      <main className="grid min-h-dvh place-items-center">
        <h1 className="sr-only">Back Office</h1>
        <ErrorState
          title="The console could not start"
          message={serverMessage(session.error, 'The server failed.')}
          onRetry={() => void session.refetch()}
          retrying={session.isFetching}
        />
      </main>
    )
  }
  const signedIn = async () => {
    if (window.location.pathname === '/login') window.history.replaceState(null, '', '/')
    await client.refetchQueries(sessionQuery)
  }
  return <LoginPage themeToggle={<ThemeToggle />} onSignedIn={signedIn} onTyping={() => void loadSignedIn()} />
}

const Starting = () => (
  <main aria-busy="true" className="min-h-dvh">
    <h1 className="sr-only">Back Office</h1>
    <span className="sr-only">Loading...</span>
  </main>
)

export const App = () => (
  <>
    <Lazily fallback={<Starting />}>
      <Session />
    </Lazily>
    <Lazily fallback={null}>
      <Toaster />
    </Lazily>
  </>
)
