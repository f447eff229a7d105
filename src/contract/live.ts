import type { Routes } from './route.ts'
import type { liveSchemas } from './schemas/live.ts'

/** The lists whose changes the server announces. A console refetches what it shows of them, nothing else. */
export const liveLists = [
  'users',
  'analytics',
  'orders',
  'tokens',
  'transactions',
  'chainTransactions',
  'security',
  'logs',
  'kyc',
  'kycWebhooks',
  'deliveries',
  'chain',
] as const
export type LiveList = (typeof liveLists)[number]

/** The server sends a heartbeat this often; a stream silent for twice as long is taken as lost. */
export const heartbeatSeconds = 15

/**
 * A call with this header never counts as the admin's activity (product 2.2): the console sends it with what it refetches
 * by itself, so that a busy platform does not keep an abandoned console signed in.
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
