import { sql } from 'drizzle-orm'
import { announce } from '#server/core/audit.ts'
import type { Tx } from '#server/db/client.ts'

const eventsAtATime = 2000

/**
 * Deletes some security events that were resolved so many days ago. Returns how many. An event that an output of alarms has
 * not sent yet stays.
 */
export async function deleteDueSecurityEvents(tx: Tx, days: number): Promise<number> {
  const before = sql`now() - make_interval(days => ${days})`
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    DELETE FROM security_events WHERE id IN (
      SELECT id FROM security_events WHERE created_at < ${before} AND resolved_at < ${before}
        AND NOT EXISTS (SELECT FROM alarm_outputs AS o WHERE seq > o.event_seq OR seq IS NULL)
      ORDER BY created_at, id LIMIT ${eventsAtATime} FOR UPDATE SKIP LOCKED) RETURNING id`)
  if (rows.length > 0) await announce(tx, 'security')
  return rows.length
}
