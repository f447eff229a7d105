import { sql } from 'drizzle-orm'
import type { Services } from '#server/core/context.ts'
import { isSigned, type MessageFacts, signMessage } from '#server/core/message-mac.ts'
import { recordset } from '#server/db/parameters.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'

const erasedText = 'Erased'

type EventMessage = MessageFacts & {
  id: string
  createdAt: string
  mac: string | null
  payload: Record<string, unknown>
}

/** Events of the member and of the member's orders that hold a text of an operator. */
const withTexts = (memberId: string) => sql`
  v.id IN (
    SELECT id FROM platform_events WHERE entity_type = 'member' AND entity_id = ${memberId}
    UNION ALL SELECT e.id FROM orders AS o JOIN platform_events AS e ON e.entity_type = 'order' AND e.entity_id = o.order_number
    WHERE o.member_id = ${memberId})
  AND (v.payload ? 'reason' OR v.payload ? 'notes')`

/** The texts stay as parts of their events, and say that there was one. */
const withoutTexts = (payload: Record<string, unknown>): Record<string, unknown> => ({
  ...payload,
  ...('reason' in payload && { reason: erasedText }),
  ...('notes' in payload && { notes: erasedText }),
})

/**
 * Removes what messages say of a member beyond ids: bodies of answers, and texts of events. Cases that wait for the provider are
 * dropped. An event that is changed is signed again if it was as it was written; a forged one stays forged. Returns the number of messages.
 */
export async function eraseMessages(tx: Tx, ctx: Pick<Services, 'config'>, memberId: string): Promise<number> {
  const { rows: touched } = await tx.execute<{ id: string }>(sql`
    UPDATE messages SET body_excerpt = NULL, note = NULL,
      state = CASE WHEN channel = 'kyc' AND direction = 'out' AND state = 'waiting' THEN 'dropped' ELSE state END,
      next_try_at = CASE WHEN channel = 'kyc' THEN NULL ELSE next_try_at END,
      last_failed_at = CASE WHEN channel = 'kyc' THEN NULL ELSE last_failed_at END
    WHERE entity_type = 'member' AND entity_id = ${memberId} RETURNING id::text`)
  await tx.execute(sql`
    UPDATE message_attempts AS a SET response_excerpt = NULL FROM messages AS m
    WHERE m.id = a.message_id AND m.entity_type = 'member' AND m.entity_id = ${memberId}`)
  const { rows } = await tx.execute<EventMessage & Record<string, unknown>>(sql`
    SELECT m.id::text, m.channel, m.endpoint_id::text AS "endpointId", m.message_id AS "messageId", m.type,
      m.entity_type AS "entityType", m.entity_id AS "entityId", m.attempt_number AS "attemptNumber",
      m.created_at AS "createdAt", v.sequence, v.version, v.payload, m.mac
    FROM platform_events AS v JOIN messages AS m ON m.event_row = v.id
    WHERE ${withTexts(memberId)} FOR UPDATE OF m`)
  const macs = rows
    .map((row) => ({ ...row, createdAt: toInstant(row.createdAt) }))
    .filter((row) => isSigned(ctx, row))
    .map((row) => ({ id: row.id, mac: signMessage(ctx, { ...row, payload: withoutTexts(row.payload) }) }))
  if (macs.length > 0)
    await tx.execute(sql`
      UPDATE messages AS m SET mac = e.mac FROM ${recordset(macs)} AS e(id bigint, mac text) WHERE m.id = e.id`)
  await tx.execute(sql`
    UPDATE platform_events AS v SET payload = v.payload
      || CASE WHEN v.payload ? 'reason' THEN jsonb_build_object('reason', ${erasedText}::text) ELSE '{}' END
      || CASE WHEN v.payload ? 'notes' THEN jsonb_build_object('notes', ${erasedText}::text) ELSE '{}' END
    WHERE ${withTexts(memberId)}`)
  return touched.length
}
