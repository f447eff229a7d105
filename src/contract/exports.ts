import * as z from 'zod/mini'
import { DeliveriesQuery } from './deliveries.ts'
import { StepsQuery, SubmissionsQuery, VerificationsQuery } from './kyc-reviews.ts'
import { WebhookLogsQuery } from './kyc-webhooks.ts'
import { OrdersQuery } from './orders.ts'
import { route, type QueryOf } from './route.ts'
import { EventsQuery, LogsQuery } from './security.ts'
import { TransactionsQuery } from './transactions.ts'
import { UsersQuery } from './users.ts'

/** Where each list's CSV comes from. A browser follows it as a plain link, so it needs no route of its own. */
export const exportPaths = {
  users: '/api/exports/users',
  orders: '/api/exports/orders',
  earningTokens: '/api/exports/earning-tokens',
  fractionsTokens: '/api/exports/fractions-tokens',
  chainTransactions: '/api/exports/chain-transactions',
  submissions: '/api/exports/kyc-submissions',
  verifications: '/api/exports/kyc-verifications',
  step2: '/api/exports/kyc-step2',
  step3: '/api/exports/kyc-step3',
  step4: '/api/exports/kyc-step4',
  webhookLogs: '/api/exports/kyc-webhook-logs',
  deliveries: '/api/exports/deliveries',
  securityEvents: '/api/exports/security-events',
  adminLogs: '/api/exports/admin-logs',
} as const
export type ExportName = keyof typeof exportPaths

/** A list as CSV: every row that the filters let through, never the page; so page, limit and total mean nothing here. */
const exportOf = <Query extends z.ZodMiniType>(name: ExportName, query: Query) =>
  route({ method: 'GET', path: exportPaths[name], summary: `The list as CSV: ${name}`, query, raw: true })

/** Asked before the link is followed: what a browser would tell of a refused download is told by the console instead. */
export const exportReady = route({
  method: 'GET',
  path: '/api/exports',
  summary: 'Whether an export may begin now; 204, or why not',
})

export const exportRoutes = {
  ready: exportReady,
  users: exportOf('users', UsersQuery),
  orders: exportOf('orders', OrdersQuery),
  earningTokens: exportOf('earningTokens', z.object({})),
  fractionsTokens: exportOf('fractionsTokens', z.object({})),
  chainTransactions: exportOf('chainTransactions', TransactionsQuery),
  submissions: exportOf('submissions', SubmissionsQuery),
  verifications: exportOf('verifications', VerificationsQuery),
  step2: exportOf('step2', StepsQuery),
  step3: exportOf('step3', StepsQuery),
  step4: exportOf('step4', StepsQuery),
  webhookLogs: exportOf('webhookLogs', WebhookLogsQuery),
  deliveries: exportOf('deliveries', DeliveriesQuery),
  securityEvents: exportOf('securityEvents', EventsQuery),
  adminLogs: exportOf('adminLogs', LogsQuery),
}

/** The filters that a list's export takes. */
export type ExportFilter<Name extends ExportName> = Exclude<
  keyof QueryOf<(typeof exportRoutes)[Name]>,
  'page' | 'limit' | 'total'
>
