import { eq, sql } from 'drizzle-orm'
import { announce, raiseSecurityEvent } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { securityEvents } from '#server/db/tables/security.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import type { EndedTry } from './channel.ts'

const type = 'event_dead_letter'

type Told = { id: string; count: number }

/**
 * Events that were given up are told, since the platform now believes what is no longer true: one security event a minute,
 * which counts them, so that an endpoint that is lost does not flood the log. The last step of its transaction, since
 * servers wait here for each other.
 */
export async function tellDeadLetters(tx: Tx, ctx: Ctx, given: readonly EndedTry[]): Promise<void> {
  const last = given.at(-1)
  if (!last) return
  await lockInTransaction(tx, type)
  const { rows } = await tx.execute<Told>(sql`
    SELECT id::text, (details->>'count')::int AS count FROM security_events
    WHERE event_type = ${type} AND resolved_at IS NULL AND created_at > clock_timestamp() - interval '1 minute'
    ORDER BY created_at DESC, id DESC LIMIT 1 FOR UPDATE`)
  const [told] = rows
  const count = (told?.count ?? 0) + given.length
  const { messageId: eventId, entityType, entityId } = last.message
  const text = { description: describe(count, last), details: { count, eventId, entityType, entityId } }
  if (!told) return raiseSecurityEvent(tx, ctx, { severity: 'medium', type, ...text })
  await tx
    .update(securityEvents)
    .set({ ...text, version: sql`${securityEvents.version} + 1` })
    .where(eq(securityEvents.id, told.id))
  await announce(tx, 'security')
}

function describe(count: number, { message: event, outcome }: EndedTry): string {
  const what = `${event.type} of ${event.entityType} ${event.entityId}`
  return count === 1
    ? `The platform did not take ${what} in ${event.tries} tries; the last: ${outcome.errorMessage}`
    : `The platform did not take ${count} events in ${event.tries} tries each; the last of them: ${what}: ${outcome.errorMessage}`
}
