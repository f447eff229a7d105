import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { describeError } from '#web/api.ts'
import { accountQuery } from '#web/use-can.ts'
import { useStore } from '#web/lib/store.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { shownToast, type Toast, toastMs } from '#web/ui/toast.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { enrolment, sessionQuery, completeSignIn } from './session.ts'
import { ThemeToggle } from './theme-toggle.tsx'
import { useOverlays } from './use-overlays.tsx'

const ConsoleRouter = lazy(() => import('./console-router.tsx'))
const LoginPage = lazy(() => import('#web/features/auth/login-page.tsx'))
const EnrolmentPage = lazy(() => import('./enrolment-page.tsx'))

/** Every path shows the login form until someone has signed in (product 2.1). */
function Session() {
  const session = useQuery(sessionQuery)
  const client = useQueryClient()
  const isSignedIn = Boolean(session.data)
  const account = useQuery({ ...accountQuery, enabled: isSignedIn })
  useEffect(() => {
    if (isSignedIn) ConsoleRouter.prefetch()
  }, [isSignedIn])
  const needed = useStore(enrolment)
  if (session.data && needed)
    return <EnrolmentPage needed={needed} username={session.data.username} themeToggle={<ThemeToggle />} />
  const failed = [session, account].find(({ isError, data }) => isError && !data)
  if (failed) {
    return (
      <StartFailure
        message={describeError(failed.error, 'The server failed.')}
        onRetry={() => void failed.refetch()}
        retrying={failed.isFetching}
      />
    )
  }
  if (session.isPending || (isSignedIn && !account.data)) return <StartScreen />
  // The key remounts the console for another admin or role, who must not see the former one's screens.
  if (account.data && isSignedIn) {
    const { id, role } = account.data.admin
    return <ConsoleRouter key={`${id} ${role}`} />
  }
  return (
    <LoginPage
      themeToggle={<ThemeToggle />}
      onSignedIn={(admin) => completeSignIn(client, admin)}
      onTyping={ConsoleRouter.prefetch}
    />
  )
}

interface StartFailureProps {
  message?: string
  onRetry: () => void
  retrying?: boolean
}

const StartFailure = ({
  message = 'A part of it could not be fetched. Check the connection.',
  ...rest
}: StartFailureProps) => (
  <main className="grid min-h-dvh place-items-center">
    <h1 className="sr-only">Back Office</h1>
    <ErrorState size="page" title="The console could not start" message={message} {...rest} />
  </main>
)

const StartScreen = () => (
  <main aria-busy="true" className="min-h-dvh">
    <h1 className="sr-only">Back Office</h1>
    <span className="sr-only">Loading...</span>
  </main>
)

/** Loads the toaster at the first key, press or toast. The next of them retries after a failure, of which it says the words alone. */
function useToaster() {
  const shown = useStore(shownToast)
  const [toaster, setToaster] = useState<ReactNode>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (toaster) return
    const load = () =>
      void import('#web/ui/toaster.tsx').then(
        (module) => setToaster(<module.default />),
        () => setFailed(true),
      )
    if (shown) load()
    const stop = new AbortController()
    for (const use of ['pointerdown', 'keydown']) window.addEventListener(use, load, { signal: stop.signal })
    return () => stop.abort()
  }, [toaster, shown])
  return toaster ?? (hasFailed && shown && <PlainToast key={shown.id} {...shown} />)
}

/** The words of a toast, while the toaster can't be fetched. */
function PlainToast({ title, description }: Toast) {
  useEffect(() => {
    const timer = setTimeout(() => shownToast.set(null), toastMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p role="alert" className="toasts z-30">
      <span className="block rounded-l bg-raised px-3.5 py-3 text-13 shadow-dialog">
        <b>{title}</b> {description}
      </span>
    </p>
  )
}

export function App() {
  return (
    <>
      <LazyBoundary fallback={<StartScreen />} failure={StartFailure}>
        <Session />
      </LazyBoundary>
      {useOverlays()}
      {/* An open dialog hides the rest of the page from screen readers, except live regions. */}
      <div aria-live="off">{useToaster()}</div>
    </>
  )
}
