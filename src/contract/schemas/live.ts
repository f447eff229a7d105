import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { liveLists } from '#contract/live.ts'

/** `changed`: these lists changed. `resync`: changes may be missed, refetch. `end`: the session is over. */
export const LiveEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('changed'), lists: z.array(z.enum(liveLists)) }),
  z.object({ type: z.literal('resync') }),
  z.object({ type: z.literal('end') }),
])
export type LiveEvent = z.infer<typeof LiveEvent>

/**
 * What the event `heartbeat` carries. `build`: which build of the web app the server serves, where it serves one.
 * `spreadMs`: consoles are so many that each fetches a change at a random moment within this time.
 */
export const Heartbeat = z.object({ build: z.optional(z.string()), spreadMs: z.optional(z.int()) })
export type Heartbeat = z.infer<typeof Heartbeat>

export const liveSchemas = {
  stream: {
    summary: 'Server-sent events that name the lists that changed; resumes by Last-Event-ID',
    refuses: ['too_many_requests'],
  },
} satisfies Record<string, RouteSchemas>
