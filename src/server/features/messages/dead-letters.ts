import { eq, sql } from 'drizzle-orm'
import { announce, raiseSecurityEvent } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import type { Tx } from '#server/db/client.ts'
import { platformEndpoints, settingsEndpoint } from '#server/db/tables/platform-events.ts'
import { securityEvents } from '#server/db/tables/security.ts'
import type { EndedTry } from './channel.ts'

const type = 'event_dead_letter'

/**
 * Reports events that were given up, since the platform now believes what is no longer true: of each endpoint one security
 * event a minute, which counts them, so that one that is lost does not flood the log. The last step of its transaction,
 * since servers wait here for each other.
 */
export async function reportDeadLetters(tx: Tx, ctx: Ctx, given: readonly EndedTry[]): Promise<void> {
  const ofEndpoints = [...Map.groupBy(given, ({ message }) => message.endpointId!)]
  // In one order, so that no two servers wait for each other.
  for (const [id, lost] of ofEndpoints.toSorted(([one], [other]) => Number(one) - Number(other)))
    await reportOf(tx, ctx, id, lost)
}

async function reportOf(tx: Tx, ctx: Ctx, endpointId: string, lost: readonly EndedTry[]) {
  await lockInTransaction(tx, `${type}/${endpointId}`)
  const { rows } = await tx.execute<{ id: string; count: number }>(sql`
    SELECT id::text, (details->>'count')::int AS count FROM security_events
    WHERE event_type = ${type} AND details->>'endpointId' = ${endpointId} AND resolved_at IS NULL
      AND created_at > clock_timestamp() - interval '1 minute'
    ORDER BY created_at DESC, id DESC LIMIT 1 FOR UPDATE`)
  const [reported] = rows
  const count = (reported?.count ?? 0) + lost.length
  const last = lost.at(-1)!
  const { messageId: eventId, entityType, entityId } = last.message
  const description = describe(await nameOf(tx, endpointId), count, last)
  const text = { description, details: { count, endpointId, eventId, entityType, entityId } }
  if (!reported) return raiseSecurityEvent(tx, ctx, { severity: 'medium', type, ...text })
  await tx
    .update(securityEvents)
    .set({ ...text, version: sql`${securityEvents.version} + 1` })
    .where(eq(securityEvents.id, reported.id))
  await announce(tx, 'security')
}

async function nameOf(tx: Tx, id: string): Promise<string> {
  if (id === settingsEndpoint) return 'The platform'
  const { name } = platformEndpoints
  const [endpoint] = await tx.select({ name }).from(platformEndpoints).where(eq(platformEndpoints.id, id))
  return `The endpoint ${endpoint!.name}`
}

function describe(name: string, count: number, { message: event, outcome }: EndedTry): string {
  const what = `${event.type} of ${event.entityType} ${event.entityId}`
  return count === 1
    ? `${name} did not take ${what} in ${event.tries} tries; the last: ${outcome.errorMessage}`
    : `${name} did not take ${count} events in ${event.tries} tries each; the last of them: ${what}: ${outcome.errorMessage}`
}
