import { sql } from 'drizzle-orm'
import type { Services, Ctx } from '#server/core/context.ts'
import { type MessageFacts, signMessage } from '#server/core/message-mac.ts'
import { recordset } from '#server/db/parameters.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import type { TryOutcome } from '#server/adapters/signed-post.ts'
import { countSecurityEvent } from '#server/core/counted-events.ts'
import type { FinishedTry } from './channel.ts'

/** The outcome of a message that somebody wrote into the table, or changed there. It is never sent. */
export const forgedOutcome: TryOutcome = {
  success: false,
  errorMessage: 'Not sent: the console did not write this message',
  httpStatus: null,
  latencyMs: null,
  responseExcerpt: null,
  isForged: true,
}

/** Reports messages that the console did not write. Call this last in the transaction, because servers wait here. */
export async function reportForged(tx: Tx, ctx: Ctx, forged: readonly FinishedTry[]): Promise<void> {
  const last = forged.at(-1)?.message
  if (!last) return
  const { id, channel, messageId, type, entityType, entityId } = last
  await countSecurityEvent<{ count: number }>(tx, ctx, {
    type: 'message_forged',
    severity: 'critical',
    by: { channel },
    describe(present) {
      const count = (present?.count ?? 0) + forged.length
      const what = `${type} of ${entityType} ${entityId} (row ${id})`
      const description =
        count === 1
          ? `A message stood in the queue that the console did not write, and was not sent: ${what}`
          : `${count} messages stood in the queue that the console did not write, and were not sent; the last: ${what}`
      return { description, details: { count, rowId: id, messageId, entityType, entityId } }
    },
  })
}

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
