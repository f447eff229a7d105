import { sql } from 'drizzle-orm'
import { announce } from '#server/core/audit.ts'
import type { Tx } from '#server/db/client.ts'
import { isOver } from '#server/db/tables/messages.ts'

const messagesAtATime = 2000

const isHeld = sql`EXISTS (SELECT FROM legal_holds AS h WHERE m.entity_type = 'member' AND h.member_id = m.entity_id)`

/**
 * Deletes some events and alerts that were delivered so many days ago, with their tries, and results that changed nothing because they
 * were refused or came twice. The events themselves stay in `platform_events`, and a result that counted stays because it
 * keeps the same result from counting again. Returns how many messages.
 */
export async function deleteDueMessages(tx: Tx, days: number): Promise<number> {
  const before = sql`now() - make_interval(days => ${days})`
  // Who sends a message again has locked it: such a message is left to the next turn, and is then not due.
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    WITH due AS MATERIALIZED (
      SELECT m.id FROM messages AS m
      WHERE m.created_at < ${before} AND greatest(m.created_at, m.delivered_at) < ${before} AND NOT ${isHeld}
        AND ${isOver}
      ORDER BY m.created_at, m.id LIMIT ${messagesAtATime} FOR UPDATE OF m SKIP LOCKED
    ), deleted AS (
      DELETE FROM messages USING due WHERE messages.id = due.id RETURNING event_row, delivered_at
    ), delivered AS (
      UPDATE platform_events AS v SET delivered_at = greatest(v.delivered_at, d.at)
      FROM (SELECT event_row, max(delivered_at) AS at FROM deleted GROUP BY event_row) AS d WHERE v.id = d.event_row
    )
    SELECT FROM deleted`)
  if (rows.length > 0) await announce(tx, 'messages', 'kycWebhooks')
  return rows.length
}

/** Deletes the bodies of some answers and results that came so many days ago. Returns how many. */
export async function deleteDueBodies(tx: Tx, days: number): Promise<number> {
  const before = sql`now() - make_interval(days => ${days})`
  const received = await tx.execute<{ id: string }>(sql`
    UPDATE messages SET body_excerpt = NULL WHERE id IN (
      SELECT m.id FROM messages AS m WHERE m.body_excerpt IS NOT NULL AND m.created_at < ${before} AND NOT ${isHeld}
      ORDER BY m.created_at, m.id LIMIT ${messagesAtATime}) RETURNING id::text`)
  const answers = await tx.execute<{ id: string }>(sql`
    UPDATE message_attempts SET response_excerpt = NULL WHERE id IN (
      SELECT a.id FROM message_attempts AS a JOIN messages AS m ON m.id = a.message_id
      WHERE a.response_excerpt IS NOT NULL AND a.created_at < ${before} AND NOT ${isHeld}
      ORDER BY a.created_at, a.id LIMIT ${messagesAtATime}) RETURNING id::text`)
  return received.rows.length + answers.rows.length
}
