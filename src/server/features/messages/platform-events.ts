import { and, asc, eq, isNull } from 'drizzle-orm'
import { buildEventBody } from '#server/adapters/platform-endpoint.ts'
import { isSigned } from '#server/core/message-mac.ts'
import { platformEndpoints, settingsEndpoint } from '#server/db/tables/platform-events.ts'
import { hour, minute } from '#server/lib/pauses.ts'
import type { Ctx } from '#server/core/context.ts'
import { countSecurityEvent } from '#server/core/counted-events.ts'
import type { Tx } from '#server/db/client.ts'
import type { Channel, FinishedTry } from './channel.ts'
import { forgedOutcome } from './sign-stored.ts'
import { lockAndNoteResults, pauseEndpoint, endpointTarget } from './endpoints.ts'

/**
 * Reports failed events, because the platform now has wrong data. One security event per endpoint and minute counts them, so
 * that a lost endpoint does not flood the log. Call this last in the transaction, because servers wait here for each other.
 */
async function reportDeadLetters(tx: Tx, ctx: Ctx, given: readonly FinishedTry[]): Promise<void> {
  const ofEndpoints = [...Map.groupBy(given, ({ message }) => message.endpointId!)]
  // Every server uses the same order, so that no two deadlock.
  for (const [id, lost] of ofEndpoints.toSorted(([one], [other]) => Number(one) - Number(other)))
    await groupByEndpoint(tx, ctx, id, lost)
}

async function groupByEndpoint(tx: Tx, ctx: Ctx, endpointId: string, lost: readonly FinishedTry[]) {
  const last = lost.at(-1)!
  const { messageId: eventId, entityType, entityId } = last.message
  const name = await readEndpointName(tx, endpointId)
  await countSecurityEvent<{ count: number }>(tx, ctx, {
    type: 'event_dead_letter',
    severity: 'medium',
    by: { endpointId },
    describe(present) {
      const count = (present?.count ?? 0) + lost.length
      return { description: describe(name, count, last), details: { count, eventId, entityType, entityId } }
    },
  })
}

async function readEndpointName(tx: Tx, id: string): Promise<string> {
  if (id === settingsEndpoint) return 'The platform'
  const { name } = platformEndpoints
  const [endpoint] = await tx.select({ name }).from(platformEndpoints).where(eq(platformEndpoints.id, id))
  return `The endpoint ${endpoint!.name}`
}

function describe(name: string, count: number, { message: event, outcome }: FinishedTry): string {
  const what = `${event.type} of ${event.entityType} ${event.entityId}`
  return count === 1
    ? `${name} did not take ${what} in ${event.tries} tries; the last: ${outcome.errorMessage}`
    : `${name} did not take ${count} events in ${event.tries} tries each; the last of them: ${what}: ${outcome.errorMessage}`
}

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
  lists: ['messages'],
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
