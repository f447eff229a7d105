import * as z from 'zod/mini'
import { route } from './route.ts'

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

/** `changed`: these lists changed. `resync`: changes may have been missed, refetch what is shown. `end`: the session is over. */
export const LiveEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('changed'), lists: z.array(z.enum(liveLists)) }),
  z.object({ type: z.literal('resync') }),
  z.object({ type: z.literal('end') }),
])
export type LiveEvent = z.infer<typeof LiveEvent>

/** The server sends a heartbeat this often; a stream silent for twice as long is taken as lost. */
export const heartbeatSeconds = 15

/**
 * A call with this header never counts as the admin's activity (PRODUCT 3.6): the console sends it with what it refetches
 * by itself, so that a busy platform does not keep an abandoned console signed in.
 */
export const passiveHeader = 'x-passive'

export const liveRoutes = {
  stream: route({
    method: 'GET',
    path: '/api/live',
    summary: 'Server-sent events that name the lists that changed; resumes by Last-Event-ID',
    raw: true,
    passive: true,
  }),
}
