import { eq } from 'drizzle-orm'
import type { Ctx } from '#server/core/context.ts'
import { countSecurityEvent } from '#server/core/counted-events.ts'
import type { Tx } from '#server/db/client.ts'
import { platformEndpoints, settingsEndpoint } from '#server/db/tables/platform-events.ts'
import type { FinishedTry } from './channel.ts'

/**
 * Reports failed events, because the platform now has wrong data. One security event per endpoint and minute counts them, so
 * that a lost endpoint does not flood the log. Call this last in the transaction, because servers wait here for each other.
 */
export async function reportDeadLetters(tx: Tx, ctx: Ctx, given: readonly FinishedTry[]): Promise<void> {
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
