import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { textArray } from '#server/db/parameters.ts'
import { hasOneOf, type SearchedTexts, searchTexts, type TextsFound } from '#server/db/search-texts.ts'
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

const texts = [sql`e.resolution_note`, sql`e.description`, sql`e.details::text`] as const

export const eventTexts: SearchedTexts = {
  rows: sql`security_events AS e`,
  id: sql`e.id`,
  text: sql`concat_ws(chr(10), ${sql.join([...texts], sql`, `)})`,
}

/** Events that got a note since the details of audit rows were searched. They may be of any age. */
async function listNotedSince(tx: Tx, { until }: TextsFound): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    SELECT a.target_id AS id FROM audit_personal AS p JOIN audit_log AS a ON a.id = p.audit_id
    WHERE p.audit_id > ${until} AND a.id > ${until} AND p.member_id IS NULL AND a.action = 'resolve_event'`)
  return rows.map(({ id }) => id)
}

/**
 * Replaces texts of security events, and the notes on them, that name any of `values`. Returns how many. `ahead`: what
 * was found before, in details of audit rows first. An older event that is counted further meanwhile names nobody.
 */
export async function eraseEventTexts(
  tx: Tx,
  values: readonly string[],
  ahead: { details: TextsFound; events: TextsFound },
): Promise<number> {
  const { ids } = await searchTexts(tx, eventTexts, values, ahead.events)
  const eventIds = [...ids, ...(await listNotedSince(tx, ahead.details))]
  const [inNote, inText, inDetails] = texts.map((text) => hasOneOf(text, values))
  const { rows } = await tx.execute<{ id: string }>(sql`
    UPDATE security_events AS e SET version = e.version + 1,
      resolution_note = CASE WHEN ${inNote} THEN ${erasedText} ELSE e.resolution_note END,
      description = CASE WHEN ${inText} THEN ${erasedText} ELSE e.description END,
      details = CASE WHEN ${inDetails} THEN '{}' ELSE e.details END
    WHERE e.id = ANY(${textArray(eventIds)}::bigint[]) AND (${inNote} OR ${inText} OR ${inDetails})
    RETURNING e.id::text`)
  return rows.length
}
