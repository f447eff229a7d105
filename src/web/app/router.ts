import { createBrowserHistory, createRouter } from '@tanstack/react-router'
import type { PageTitle } from '#web/lib/page.ts'
import { PageError } from './page-error.tsx'
import { routeTree } from './routes.tsx'

/** Plain text both ways: `?search=123` stays text, and what we do not know stays as it was written. */
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

/** One router a sign-in: what the former admin looked at does not shine through. */
export const createAppRouter = () =>
  createRouter({
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

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  interface StaticDataRouteOption extends Partial<PageTitle> {}
}
