import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { announce } from '#server/core/audit.ts'

const eventsAtATime = 2000

/**
 * Deletes some security events that were resolved so many days ago. Returns how many. An event that an output of alarms
 * has not sent yet stays.
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

const erasedText = 'Erased'

/** Replaces texts of security events, and the notes on them, that name any of `values`. Returns how many. */
export async function eraseEventTexts(tx: Tx, values: readonly string[]): Promise<number> {
  const names = (text: string) => sql`EXISTS (
    SELECT FROM unnest(${sql.param([...values])}::text[]) AS v WHERE strpos(lower(${sql.raw(text)}), lower(v)) > 0)`
  const [inNote, inText, inDetails] = [names('e.resolution_note'), names('e.description'), names('e.details::text')]
  const { rows } = await tx.execute<{ id: string }>(sql`
    UPDATE security_events AS e SET version = e.version + 1,
      resolution_note = CASE WHEN ${inNote} THEN ${erasedText} ELSE e.resolution_note END,
      description = CASE WHEN ${inText} THEN ${erasedText} ELSE e.description END,
      details = CASE WHEN ${inDetails} THEN '{}' ELSE e.details END
    WHERE ${inNote} OR ${inText} OR ${inDetails} RETURNING e.id::text`)
  return rows.length
}
