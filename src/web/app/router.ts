import { createBrowserHistory, createRouter } from '@tanstack/react-router'
import { onApprovalOpened } from '#web/changes/open-approval.ts'
import type { PageTitle } from '#web/lib/page.ts'
import { paths } from '#web/paths.ts'
import { PageError } from './page-error.tsx'
import { routeTree } from './routes.tsx'

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
export function createAppRouter() {
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
