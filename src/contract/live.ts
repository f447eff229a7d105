import type { Routes } from './route.ts'
import type { liveSchemas } from './schemas/live.ts'

/** The lists whose changes are announced, to admins who may view them. A console only refetches those that it shows. */
export const liveLists = [
  'users',
  'analytics',
  'orders',
  'bank',
  'tokens',
  'transactions',
  'chainTransactions',
  'security',
  'logs',
  'kyc',
  'kycWebhooks',
  'messages',
  'chain',
  'operators',
  'approvals',
  'bulk',
  'alerts',
  'views',
  'templates',
] as const
export type LiveList = (typeof liveLists)[number]

/** The interval of heartbeats. A stream that is silent for twice as long counts as lost. */
export const heartbeatSeconds = 15

/**
 * A call with this header does not count as activity (product 2.2). The console sends it when it refetches by itself,
 * so that a busy platform does not keep an abandoned console signed in.
 */
export const passiveHeader = 'x-passive'

export const liveRoutes: Routes<typeof liveSchemas> = {
  stream: { method: 'GET', path: '/api/live', access: 'admin', raw: true, passive: true },
}
