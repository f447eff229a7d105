import { sql } from 'drizzle-orm'
import type { Services } from '#server/core/context.ts'
import { type MessageFacts, signMessage } from '#server/core/message-mac.ts'
import { recordset } from '#server/core/upsert.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'

const batchSize = 2000
/** A million take a minute or two. */
const sayEvery = 100_000

/**
 * Signs outgoing messages as they are in the table, and so vouches for them: those that were written before there were MACs, or
 * under a key that is lost. Returns their number, and says how far it is where they are many.
 */
export async function signStoredMessages(
  tx: Tx,
  ctx: Pick<Services, 'config'>,
  knownKeys: readonly string[],
  say: (line: string) => void,
): Promise<number> {
  let signed = 0
  for (let after = '0'; ;) {
    const { rows } = await tx.execute<MessageFacts & { id: string; createdAt: string } & Record<string, unknown>>(sql`
      SELECT m.id::text, m.channel, m.endpoint_id::text AS "endpointId", m.message_id AS "messageId", m.type,
        m.entity_type AS "entityType", m.entity_id AS "entityId", m.attempt_number AS "attemptNumber",
        m.created_at AS "createdAt", v.sequence, v.version, coalesce(v.payload, m.payload) AS payload
      FROM messages AS m LEFT JOIN platform_events AS v ON v.id = m.event_row
      WHERE m.direction = 'out' AND m.id > ${after}
        AND (m.mac IS NULL OR split_part(m.mac, '.', 1) <> ALL(${sql.param([...knownKeys])}::text[]))
      ORDER BY m.id LIMIT ${batchSize} FOR UPDATE OF m`)
    const macs = rows.map((row) => ({
      id: row.id,
      mac: signMessage(ctx, { ...row, createdAt: toInstant(row.createdAt) }),
    }))
    if (macs.length > 0)
      await tx.execute(sql`
        UPDATE messages AS m SET mac = e.mac FROM ${recordset(macs)} AS e(id bigint, mac text) WHERE m.id = e.id`)
    signed += rows.length
    if (rows.length < batchSize) return signed
    if (signed === batchSize) say('Signing the messages that were stored before there was a key. This is done once.')
    if (signed % sayEvery === 0) say(`${signed.toLocaleString('en')} messages are signed`)
    after = rows.at(-1)!.id
  }
}
