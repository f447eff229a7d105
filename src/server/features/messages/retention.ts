import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

const messagesAtATime = 2000

const isHeld = sql`EXISTS (SELECT FROM legal_holds AS h WHERE m.entity_type = 'member' AND h.member_id = m.entity_id)`

/** Deletes the bodies of some answers and results that came so many days ago. Returns how many. */
export async function deleteDueBodies(tx: Tx, days: number): Promise<number> {
  const before = sql`now() - make_interval(days => ${days})`
  const received = await tx.execute<{ id: string }>(sql`
    UPDATE messages SET body_excerpt = NULL WHERE id IN (
      SELECT m.id FROM messages AS m WHERE m.body_excerpt IS NOT NULL AND m.created_at < ${before} AND NOT ${isHeld}
      ORDER BY m.id LIMIT ${messagesAtATime}) RETURNING id::text`)
  const answers = await tx.execute<{ id: string }>(sql`
    UPDATE message_attempts SET response_excerpt = NULL WHERE id IN (
      SELECT a.id FROM message_attempts AS a JOIN messages AS m ON m.id = a.message_id
      WHERE a.response_excerpt IS NOT NULL AND a.created_at < ${before} AND NOT ${isHeld}
      ORDER BY a.id LIMIT ${messagesAtATime}) RETURNING id::text`)
  return received.rows.length + answers.rows.length
}
