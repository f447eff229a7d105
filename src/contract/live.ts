import type { Permission } from './permissions.ts'
import type { Routes } from './route.ts'
import type { liveSchemas } from './schemas/live.ts'

/**
 * The lists whose changes are announced, to admins who may view them. A console only refetches those that it shows.
 */
export const liveListPermissions = {
  users: 'members.view',
  analytics: 'dashboard.view',
  orders: 'orders.view',
  bank: 'bank.view',
  tokens: 'tokens.view',
  transactions: 'transactions.view',
  chainTransactions: 'transactions.view',
  security: 'security.view',
  logs: 'audit.view',
  kyc: 'kyc.view',
  kycWebhooks: 'messages.view',
  deliveries: 'messages.view',
  chain: 'transactions.view',
  operators: 'operators.manage',
} as const satisfies Record<string, Permission>
export type LiveList = keyof typeof liveListPermissions

// Object.keys only knows that they are strings.
export const liveLists = Object.keys(liveListPermissions) as [LiveList, ...LiveList[]]

/** The interval of heartbeats. A stream that is silent for twice as long counts as lost. */
export const heartbeatSeconds = 15

/**
 * A call with this header does not count as activity (product 2.2). The console sends it when it refetches by itself, so that
 * a busy platform does not keep an abandoned console signed in.
 */
export const passiveHeader = 'x-passive'

export const liveRoutes: Routes<typeof liveSchemas> = {
  stream: {
    method: 'GET',
    path: '/api/live',
    access: 'admin',
    raw: true,
    passive: true,
  },
}
