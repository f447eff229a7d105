import {
  createBrowserHistory,
  createRouter,
  type ErrorComponentProps,
  RouterProvider,
  useRouter,
} from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { describeError } from '#web/api.ts'
import { onApprovalOpened } from '#web/changes/open-approval.ts'
import type { PageTitle } from '#web/lib/page.ts'
import { confirmLeave, hasUnsaved } from '#web/lib/unsaved.ts'
import { paths } from '#web/paths.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { routeTree } from './routes.tsx'

/** Each browser words a failed module load differently. The usual cause is a new version. */
const isMissingPart = (error: unknown) =>
  error instanceof Error && /dynamically imported module|module script failed|preload CSS/i.test(error.message)

/** The address where a retry has failed. An older browser remembers a failed module, so a reload comes next. */
let failedHref = ''

/** The error state of a page. The shell around it stays. */
function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const [isRetrying, setRetrying] = useState(false)
  const isMissing = isMissingPart(error)
  const { href } = router.state.location
  const needsReload = isMissing && failedHref === href
  const retry = async () => {
    if (needsReload) return window.location.reload()
    setRetrying(true)
    if (isMissing) failedHref = href
    await router.invalidate()
    setRetrying(false)
    reset()
  }
  return (
    <div className="gutter py-6">
      <ErrorState
        size="page"
        title={isMissing ? 'This page could not be loaded' : 'This page could not be shown'}
        message={
          isMissing
            ? 'The connection was lost, or the console has been updated in the meantime.'
            : describeError(error, 'Something in it failed. The rest of the console still works.')
        }
        onRetry={() => void retry()}
        retrying={isRetrying}
        {...(needsReload && { retryLabel: 'Reload the Console' })}
      />
    </div>
  )
}

/** Parameters are plain text: `?search=123` stays text, and unknown ones stay as written. */
function parseSearch(written: string): Record<string, unknown> {
  const search = new URLSearchParams(written)
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const values = search.getAll(name)
      return [name, values.length > 1 ? values : values[0]]
    }),
  )
}

function stringifySearch(search: Record<string, unknown>): string {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (value === undefined) continue
    for (const each of Array.isArray(value) ? value : [value]) written.append(name, String(each))
  }
  return written.size > 0 ? `?${written}` : ''
}

const history = createBrowserHistory()

/** One router for each sign-in, so that no screen of the former admin remains. */
function createAppRouter() {
  const router = createRouter({
    routeTree,
    history,
    caseSensitive: true,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultErrorComponent: PageError,
    scrollRestoration: true,
    scrollToTopSelectors: ['#content'],
  })
  onApprovalOpened((id) => router.navigate(paths.approval(id)))
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  interface StaticDataRouteOption extends Partial<PageTitle> {}
}

/** Everything behind the login form; its code is fetched only then. */
export default function ConsoleRouter() {
  const [router] = useState(createAppRouter)
  useEffect(
    () =>
      router.history.block({
        enableBeforeUnload: hasUnsaved,
        async blockerFn({ currentLocation, nextLocation, action }) {
          const isSamePage = currentLocation.pathname === nextLocation.pathname
          // What a page does with its own address, such as naming the case that comes next.
          if (isSamePage && action === 'REPLACE') return false
          return !(await confirmLeave({ closeForms: isSamePage }))
        },
      }),
    [router],
  )
  return <RouterProvider router={router} />
}
