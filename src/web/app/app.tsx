import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, useEffect, useState } from 'react'
import { serverMessage } from '#web/api.ts'
import { useStore } from '#web/lib/store.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { shownToast } from '#web/ui/toast.ts'
import { Lazily } from './lazily.tsx'
import { sessionQuery } from './session.ts'
import { ThemeToggle } from './theme-toggle.tsx'

const loadSignedIn = () => import('./signed-in.tsx')
const SignedIn = lazy(loadSignedIn)
const LoginPage = lazy(() => import('#web/features/auth/login-page.tsx'))
const Toaster = lazy(() => import('#web/ui/toaster.tsx'))

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

/** True from the first key or pointer press on: what only an action calls for need not come before one. */
function useFirstUse() {
  const [isUsed, setUsed] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    for (const use of ['pointerdown', 'keydown'])
      window.addEventListener(use, () => setUsed(true), { once: true, signal: stop.signal })
    return () => stop.abort()
  }, [])
  return isUsed
}

export function App() {
  const hasToast = useStore(shownToast) !== null
  const isUsed = useFirstUse()
  return (
    <>
      <Lazily fallback={<Starting />}>
        <Session />
      </Lazily>
      {/* An open dialog hides the rest of the page from screen readers, but nothing that is marked as live. */}
      <div aria-live="off">
        {(isUsed || hasToast) && (
          <Lazily fallback={null}>
            <Toaster />
          </Lazily>
        )}
      </div>
    </>
  )
}
