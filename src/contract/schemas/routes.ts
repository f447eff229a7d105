import { accountSecurityRoutes } from '#contract/account-security.ts'
import { accountRoutes } from '#contract/account.ts'
import { alertRoutes } from '#contract/alerts.ts'
import { analyticsRoutes } from '#contract/analytics.ts'
import { approvalRoutes } from '#contract/approvals.ts'
import { authRoutes } from '#contract/auth.ts'
import { bankRoutes } from '#contract/bank.ts'
import { bulkRoutes } from '#contract/bulk.ts'
import { chainRoutes } from '#contract/chain.ts'
import { messageRoutes } from '#contract/messages.ts'
import { documentRoutes } from '#contract/documents.ts'
import { endpointRoutes } from '#contract/endpoints.ts'
import { exportRoutes } from '#contract/exports.ts'
import { factorRoutes } from '#contract/factors.ts'
import { kycReviewRoutes } from '#contract/kyc-reviews.ts'
import { kycWebhookRoutes } from '#contract/kyc-webhooks.ts'
import { liveRoutes } from '#contract/live.ts'
import { noteRoutes } from '#contract/notes.ts'
import { noticeRoutes } from '#contract/notices.ts'
import { oidcRoutes } from '#contract/oidc.ts'
import { openApiRoutes } from '#contract/openapi.ts'
import { peekRoutes } from '#contract/peek.ts'
import { operatorRoutes } from '#contract/operators.ts'
import { orderRoutes } from '#contract/orders.ts'
import { platformRoutes } from '#contract/platform-api.ts'
import { allocationRoutes } from '#contract/bank-allocations.ts'
import { searchRoutes } from '#contract/search.ts'
import { securityRoutes } from '#contract/security.ts'
import { sessionEndingRoutes } from '#contract/session-endings.ts'
import { activityRoutes } from '#contract/activity.ts'
import { tokenRoutes } from '#contract/tokens.ts'
import { transactionRoutes } from '#contract/transactions.ts'
import { treasuryRoutes } from '#contract/treasury.ts'
import { memberRoutes } from '#contract/members.ts'
import { templateRoutes } from '#contract/reason-templates.ts'
import { viewRoutes } from '#contract/views.ts'
import { walletRoutes } from '#contract/wallets.ts'
import type { Route, RouteSchemas } from '#contract/route.ts'
import { accountSchemas, accountSecuritySchemas } from './account.ts'
import { alertSchemas } from './alerts.ts'
import { analyticsSchemas } from './analytics.ts'
import { approvalSchemas } from './approvals.ts'
import { authSchemas, sessionEndingSchemas } from './auth.ts'
import { bankSchemas } from './bank.ts'
import { allocationSchemas } from './bank-allocations.ts'
import { bulkSchemas } from './bulk.ts'
import { chainSchemas } from './chain.ts'
import { messageSchemas } from './messages.ts'
import { documentSchemas } from './documents.ts'
import { endpointSchemas } from './endpoints.ts'
import { exportSchemas } from './exports.ts'
import { factorSchemas } from './factors.ts'
import { kycReviewSchemas } from './kyc-reviews.ts'
import { kycWebhookSchemas } from './kyc-webhooks.ts'
import { liveSchemas } from './live.ts'
import { noteSchemas } from './notes.ts'
import { noticeSchemas } from './notices.ts'
import { oidcSchemas } from './oidc.ts'
import { openApiSchemas } from './openapi.ts'
import { peekSchemas } from './peek.ts'
import { operatorSchemas } from './operators.ts'
import { orderSchemas } from './orders.ts'
import { platformSchemas } from './platform-api.ts'
import { searchSchemas } from './search.ts'
import { securitySchemas } from './security.ts'
import { activitySchemas } from './activity.ts'
import { tokenSchemas } from './tokens.ts'
import { transactionSchemas } from './transactions.ts'
import { treasurySchemas } from './treasury.ts'
import { memberSchemas } from './members.ts'
import { templateSchemas } from './reason-templates.ts'
import { viewSchemas } from './views.ts'
import { walletSchemas } from './wallets.ts'

/** Every call, by group. */
export const routeGroups = {
  platform: platformRoutes,
  members: memberRoutes,
  kycReviews: kycReviewRoutes,
  kycWebhooks: kycWebhookRoutes,
  messages: messageRoutes,
  endpoints: endpointRoutes,
  documents: documentRoutes,
  orders: orderRoutes,
  activity: activityRoutes,
  peek: peekRoutes,
  notes: noteRoutes,
  views: viewRoutes,
  templates: templateRoutes,
  bank: bankRoutes,
  allocations: allocationRoutes,
  tokens: tokenRoutes,
  transactions: transactionRoutes,
  treasury: treasuryRoutes,
  wallets: walletRoutes,
  chain: chainRoutes,
  security: securityRoutes,
  analytics: analyticsRoutes,
  notices: noticeRoutes,
  search: searchRoutes,
  exports: exportRoutes,
  live: liveRoutes,
  auth: authRoutes,
  sessionEndings: sessionEndingRoutes,
  oidc: oidcRoutes,
  factors: factorRoutes,
  account: accountRoutes,
  accountSecurity: accountSecurityRoutes,
  alerts: alertRoutes,
  operators: operatorRoutes,
  approvals: approvalRoutes,
  bulk: bulkRoutes,
  openApi: openApiRoutes,
}
type Groups = typeof routeGroups
export type GroupName = keyof Groups

const schemaGroups: { [G in GroupName]: Record<keyof Groups[G], RouteSchemas> } = {
  platform: platformSchemas,
  members: memberSchemas,
  kycReviews: kycReviewSchemas,
  kycWebhooks: kycWebhookSchemas,
  messages: messageSchemas,
  endpoints: endpointSchemas,
  documents: documentSchemas,
  orders: orderSchemas,
  activity: activitySchemas,
  peek: peekSchemas,
  notes: noteSchemas,
  views: viewSchemas,
  templates: templateSchemas,
  bank: bankSchemas,
  allocations: allocationSchemas,
  tokens: tokenSchemas,
  transactions: transactionSchemas,
  treasury: treasurySchemas,
  wallets: walletSchemas,
  chain: chainSchemas,
  security: securitySchemas,
  analytics: analyticsSchemas,
  notices: noticeSchemas,
  search: searchSchemas,
  exports: exportSchemas,
  live: liveSchemas,
  auth: authSchemas,
  sessionEndings: sessionEndingSchemas,
  oidc: oidcSchemas,
  factors: factorSchemas,
  account: accountSchemas,
  accountSecurity: accountSecuritySchemas,
  alerts: alertSchemas,
  operators: operatorSchemas,
  approvals: approvalSchemas,
  bulk: bulkSchemas,
  openApi: openApiSchemas,
}

/** Such as `members.ban`. */
export type CallName = { [G in GroupName]: `${G}.${Extract<keyof Groups[G], string>}` }[GroupName]

/** A route with its schemas. */
export type CompleteRoute = Route & RouteSchemas

export interface NamedRoute {
  name: CallName
  group: GroupName
  /** The route's own name within its group. */
  key: string
  route: CompleteRoute
}

export const allRoutes: readonly NamedRoute[] = Object.entries(routeGroups).flatMap(([name, routes]) => {
  // The loops cover exactly what the types name.
  const group = name as GroupName
  const schemas = new Map(Object.entries<RouteSchemas>(schemaGroups[group]))
  return Object.entries<Route>(routes).map(([key, route]) => ({
    name: `${group}.${key}` as CallName,
    group,
    key,
    route: { ...route, ...schemas.get(key)! },
  }))
})

const byPath = new Map(allRoutes.map(({ route }) => [`${route.method} ${route.path}`, route]))

/** The route with its schemas. Throws for a route outside the contract. */
export function completeRoute<R extends Route>({ method, path }: R): R & RouteSchemas {
  const complete = byPath.get(`${method} ${path}`)
  if (!complete) throw new Error(`${method} ${path} is not a call of the contract`)
  // It is the same route, and its type already includes the schemas.
  return complete as R & RouteSchemas
}

const namesByPath = new Map(allRoutes.map(({ name, route }) => [`${route.method} ${route.path}`, name]))

/** The name of a route. Throws for a route outside the contract. */
export function nameRoute({ method, path }: Route): CallName {
  const name = namesByPath.get(`${method} ${path}`)
  if (!name) throw new Error(`${method} ${path} is not a call of the contract`)
  return name
}
