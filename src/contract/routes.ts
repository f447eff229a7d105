import { analyticsRoutes } from './analytics.ts'
import { authRoutes } from './auth.ts'
import { chainRoutes } from './chain.ts'
import { deliveryRoutes } from './deliveries.ts'
import { documentRoutes } from './documents.ts'
import { exportRoutes } from './exports.ts'
import { kycReviewRoutes } from './kyc-reviews.ts'
import { kycWebhookRoutes } from './kyc-webhooks.ts'
import { liveRoutes } from './live.ts'
import { noticeRoutes } from './notices.ts'
import { openApiRoutes } from './openapi.ts'
import { orderRoutes } from './orders.ts'
import { platformRoutes } from './platform-api.ts'
import type { Route } from './route.ts'
import { searchRoutes } from './search.ts'
import { securityRoutes } from './security.ts'
import { tokenRoutes } from './tokens.ts'
import { transactionRoutes } from './transactions.ts'
import { userRoutes } from './users.ts'
import { walletRoutes } from './wallets.ts'

/** Every call there is, by group. */
export const routeGroups = {
  platform: platformRoutes,
  users: userRoutes,
  kycReviews: kycReviewRoutes,
  kycWebhooks: kycWebhookRoutes,
  deliveries: deliveryRoutes,
  documents: documentRoutes,
  orders: orderRoutes,
  tokens: tokenRoutes,
  transactions: transactionRoutes,
  wallets: walletRoutes,
  chain: chainRoutes,
  security: securityRoutes,
  analytics: analyticsRoutes,
  notices: noticeRoutes,
  search: searchRoutes,
  exports: exportRoutes,
  live: liveRoutes,
  auth: authRoutes,
  openApi: openApiRoutes,
}
type Groups = typeof routeGroups
export type GroupName = keyof Groups

/** Such as `users.ban`. */
export type CallName = { [G in GroupName]: `${G}.${Extract<keyof Groups[G], string>}` }[GroupName]

export interface NamedRoute {
  name: CallName
  group: GroupName
  /** The route's own name within its group. */
  key: string
  route: Route
}

export const allRoutes: readonly NamedRoute[] = Object.entries(routeGroups).flatMap(([group, routes]) =>
  Object.entries<Route>(routes).map(([key, route]) => ({
    // The two loops walk exactly what the types name.
    name: `${group}.${key}` as CallName,
    group: group as GroupName,
    key,
    route,
  })),
)
