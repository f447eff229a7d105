import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { periods, type Period } from '#contract/analytics.ts'
import { userFilters } from '#contract/users.ts'
import { userTabs } from '#web/paths.ts'
import { readListSearch } from '#web/table/list-search.ts'
import { queryClient } from './query-client.ts'
import { sessionQuery } from './session.ts'
import { Shell } from './shell.tsx'

/** Reads one parameter that has a fixed set of values; unknown ones are kept, a bad value is as if it were not there. */
function readChoice<Name extends string, Value extends string>(name: Name, values: readonly Value[]) {
  return (search: Record<string, unknown>) => {
    const choice = { [name]: values.find((value) => value === search[name]) } as Partial<Record<Name, Value>>
    return { ...search, ...choice }
  }
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: lazyRouteComponent(() => import('./not-found.tsx'), 'NotFound'),
})
const parent = { getParentRoute: () => root }

const dashboard = createRoute({
  ...parent,
  path: '/',
  staticData: { title: 'Analytics Dashboard' },
  validateSearch: readChoice('period', Object.keys(periods) as Period[]),
  component: lazyRouteComponent(() => import('#web/features/dashboard/dashboard-page.tsx'), 'DashboardPage'),
})
const users = createRoute({
  ...parent,
  path: '/users',
  staticData: { title: 'User Management' },
  validateSearch: readListSearch(Object.keys(userFilters)),
  component: lazyRouteComponent(() => import('#web/features/users/users-page.tsx'), 'UsersPage'),
})
const user = createRoute({
  ...parent,
  path: '/users/$id',
  staticData: { title: 'User', parent: { label: 'User Management', to: '/users' } },
  validateSearch: readChoice('tab', userTabs),
  component: lazyRouteComponent(() => import('#web/features/users/user-page.tsx'), 'UserPage'),
})

const comingPage = lazyRouteComponent(() => import('./coming-page.tsx'), 'ComingPage')
const coming = <Path extends string>(path: Path, title: string, up?: { label: string; to: string }) =>
  createRoute({ ...parent, path, staticData: { title, ...(up && { parent: up }) }, component: comingPage })

/** Signed in, the login form is not what anyone came for. */
const login = createRoute({
  ...parent,
  path: '/login',
  beforeLoad: () => {
    if (queryClient.getQueryData(sessionQuery.queryKey)) throw redirect({ to: '/', replace: true })
  },
})

export const routeTree = root.addChildren([
  dashboard,
  users,
  user,
  coming('/orders', 'Order Management'),
  coming('/orders/$id', 'Order', { label: 'Order Management', to: '/orders' }),
  coming('/tokens', 'Token Management'),
  coming('/transactions', 'Transaction Monitoring'),
  coming('/kyc', 'KYC Management'),
  coming('/kyc-webhooks', 'KYC Webhooks'),
  coming('/security', 'Security & Audit Logs'),
  login,
])
