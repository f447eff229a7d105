import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { type ComponentType, use } from 'react'
import { comparisons, type Period, periods } from '#contract/analytics.ts'
import { expiryWindows } from '#contract/orders.ts'
import { tokenKinds } from '#contract/token-kinds.ts'
import { approvalTabs, kycTabs, securityTabs, transactionTabs, memberTabs } from '#web/paths.ts'
import { readListSearch } from '#web/table/list-search.ts'
import { queryClient } from './query-client.ts'
import { sessionQuery } from './session.ts'
import { Shell } from './shell.tsx'

/** Reads a parameter with a fixed set of values. A bad value counts as absent. */
function readChoice<Name extends string, Value extends string>(name: Name, values: readonly Value[]) {
  return (search: Record<string, unknown>) => {
    const choice = { [name]: values.find((value) => value === search[name]) } as Partial<Record<Name, Value>>
    return { ...search, ...choice }
  }
}

/** `review` is the verification that review mode has open, or `next`. */
const readReview = ({ review, ...search }: Record<string, unknown>) => ({
  ...search,
  ...(typeof review === 'string' && /^(next|[1-9]\d{0,17})$/.test(review) && { review }),
})

const root = createRootRoute({ component: Shell, notFoundComponent: lazyPage(() => import('./not-found.tsx')) })
const parent = { getParentRoute: () => root }

const readPeriod = readChoice('period', Object.keys(periods) as Period[])
const readComparison = readChoice('compare', comparisons)
const dashboard = createRoute({
  ...parent,
  path: '/',
  staticData: { title: 'Analytics Dashboard' },
  validateSearch: (given: Record<string, unknown>) => readPeriod(readComparison(given)),
  component: lazyPage(() => import('#web/features/dashboard/dashboard-page.tsx')),
})
const users = createRoute({
  ...parent,
  path: '/users',
  staticData: { title: 'User Management' },
  validateSearch: readListSearch,
  component: lazyPage(() => import('#web/features/members/members-page.tsx')),
})
const user = createRoute({
  ...parent,
  path: '/users/$id',
  staticData: { title: 'User', parent: { label: 'User Management', to: '/users' } },
  validateSearch: readChoice('tab', memberTabs),
  component: lazyPage(() => import('#web/features/members/member-page.tsx')),
})

const readExpiring = readChoice('expiring', expiryWindows)
const orders = createRoute({
  ...parent,
  path: '/orders',
  staticData: { title: 'Order Management' },
  validateSearch: (given: Record<string, unknown>) => readListSearch(readExpiring(given)),
  component: lazyPage(() => import('#web/features/orders/orders-page.tsx')),
})
const order = createRoute({
  ...parent,
  path: '/orders/$id',
  staticData: { title: 'Order', parent: { label: 'Order Management', to: '/orders' } },
  component: lazyPage(() => import('#web/features/orders/order-page.tsx')),
})

const bank = createRoute({
  ...parent,
  path: '/reconciliation',
  staticData: { title: 'Reconciliation' },
  validateSearch: readListSearch,
  component: lazyPage(() => import('#web/features/bank/bank-page.tsx')),
})

const readTokenTab = readChoice('tab', tokenKinds)
const readAdd = readChoice('add', ['true'])
const tokens = createRoute({
  ...parent,
  path: '/tokens',
  staticData: { title: 'Token Management' },
  validateSearch: (given: Record<string, unknown>) => readTokenTab(readAdd(given)),
  component: lazyPage(() => import('#web/features/tokens/tokens-page.tsx')),
})

const readTransactionTab = readChoice('tab', transactionTabs)
const transactions = createRoute({
  ...parent,
  path: '/transactions',
  staticData: { title: 'Transaction Monitoring' },
  validateSearch: (given: Record<string, unknown>) => readListSearch(readTransactionTab(given)),
  component: lazyPage(() => import('#web/features/transactions/transactions-page.tsx')),
})

const readSecurityTab = readChoice('tab', securityTabs)
const security = createRoute({
  ...parent,
  path: '/security',
  staticData: { title: 'Security & Audit Logs' },
  validateSearch: (given: Record<string, unknown>) => readListSearch(readSecurityTab(given)),
  component: lazyPage(() => import('#web/features/security/security-page.tsx')),
})

const operators = createRoute({
  ...parent,
  path: '/operators',
  staticData: { title: 'Operators' },
  component: lazyPage(() => import('#web/features/operators/operators-page.tsx')),
})

const readApprovalTab = readChoice('tab', approvalTabs)
const approvals = createRoute({
  ...parent,
  path: '/approvals',
  staticData: { title: 'Approvals' },
  validateSearch: (given: Record<string, unknown>) => readListSearch(readApprovalTab(given)),
  component: lazyPage(() => import('#web/features/approvals/approvals-page.tsx')),
})
const approval = createRoute({
  ...parent,
  path: '/approvals/$id',
  staticData: { title: 'Request', parent: { label: 'Approvals', to: '/approvals' } },
  component: lazyPage(() => import('#web/features/approvals/approval-page.tsx')),
})

const bulkPage = {
  ...parent,
  staticData: { title: 'Bulk Jobs' },
  validateSearch: readListSearch,
  component: lazyPage(() => import('#web/features/bulk/bulk-page.tsx')),
}
const bulk = createRoute({ ...bulkPage, path: '/bulk' })
const bulkJob = createRoute({ ...bulkPage, path: '/bulk/$id' })

const readKycTab = readChoice('tab', kycTabs)
const kyc = createRoute({
  ...parent,
  path: '/kyc',
  staticData: { title: 'KYC Management' },
  validateSearch: (given: Record<string, unknown>) => readListSearch(readReview(readKycTab(given))),
  component: lazyPage(() => import('#web/features/kyc/kyc-page.tsx')),
})

const kycWebhooks = createRoute({
  ...parent,
  path: '/kyc-webhooks',
  staticData: { title: 'KYC Webhooks' },
  validateSearch: readChoice('unreached', ['24h']),
  component: lazyPage(() => import('#web/features/kyc-webhooks/webhooks-page.tsx')),
})

const account = createRoute({
  ...parent,
  path: '/account',
  staticData: { title: 'Account' },
  component: lazyPage(() => import('#web/features/account/account-page.tsx')),
})

/** A signed-in admin goes from the login form to the dashboard. */
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
  orders,
  order,
  bank,
  tokens,
  transactions,
  kyc,
  kycWebhooks,
  security,
  operators,
  approvals,
  approval,
  bulk,
  bulkJob,
  account,
  login,
])

/**
 * A page that is loaded at its first visit. A failure shows the page's error state, and each further visit or "Try
 * again" loads it again. The console is never reloaded.
 */
function lazyPage(load: () => Promise<{ default: ComponentType }>) {
  let Page: ComponentType | undefined
  let loading: Promise<void> | undefined
  let failure: { error: unknown } | undefined
  /** The router calls this before it shows the page, and when the pointer is on a link to it. */
  const preload = () =>
    (loading ??= load().then(
      (module) => void (Page = module.default),
      (error: unknown) => {
        loading = undefined
        failure = { error }
      },
    ))
  function LazyPage() {
    if (Page) return <Page />
    if (failure) throw failure.error
    use(preload())
    return null
  }
  return Object.assign(LazyPage, { preload })
}
