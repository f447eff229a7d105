import { and, asc, eq, isNull } from 'drizzle-orm'
import { buildEventBody } from '#server/adapters/platform-endpoint.ts'
import { isSigned } from '#server/core/message-mac.ts'
import { platformEndpoints } from '#server/db/tables/platform-events.ts'
import { hour, minute } from '#server/lib/retry-pause.ts'
import type { Channel } from './channel.ts'
import { reportDeadLetters } from './dead-letters.ts'
import { forgedOutcome } from './forged.ts'
import { lockAndNoteResults, pauseEndpoint, endpointTarget } from './endpoints.ts'

/** Seconds, as Standard Webhooks has them; after the tenth try an event is given up. */
export const standardPauses: readonly number[] = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

const { id, deletedAt, isOn, pausedAt } = platformEndpoints

/** Events to the platform's endpoints, in order per entity and endpoint (product 10.4). */
export const platformEvents: Channel = {
  name: 'platform',
  everySeconds: 1,
  atOnce: 16,
  pauses: standardPauses,
  longestPause: 24 * hour,
  pausesWhenGone: true,
  renewsId: false,
  isClosed: (message) =>
    `EXISTS (SELECT FROM platform_endpoints AS p WHERE p.id = ${message}.endpoint_id AND p.deleted_at IS NOT NULL)`,
  closedState: 'dropped',
  lists: ['deliveries'],
  async connect(ctx) {
    const open = await ctx.database.db
      .select()
      .from(platformEndpoints)
      .where(and(isNull(deletedAt), isNull(pausedAt), eq(isOn, true)))
      .orderBy(asc(id))
    return open.flatMap((row) => {
      const target = endpointTarget(ctx, row)
      return target
        ? {
            endpointId: row.id,
            send: async (message, signal) =>
              isSigned(ctx, message) ? ctx.platformEndpoint.send(target, message, signal) : forgedOutcome,
          }
        : []
    })
  },
  showBody: async (_ctx, message) => buildEventBody(message),
  lock: lockAndNoteResults,
  async settle(tx, ctx, _ended, counted) {
    const gone = new Set(counted.filter(({ isGone }) => isGone).map(({ message }) => message.endpointId!))
    for (const each of gone) await pauseEndpoint(tx, ctx, each)
    await reportDeadLetters(
      tx,
      ctx,
      counted.filter(({ state }) => state === 'failed'),
    )
  },
}
