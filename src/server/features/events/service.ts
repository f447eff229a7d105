import { eq, sql } from 'drizzle-orm'
import { announce, audit } from '#server/audit.ts'
import { type Ctx, inTransaction } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { outbox } from '#server/db/tables/events.ts'
import { conflict, notFound } from '#server/errors.ts'
import { textArray } from '#server/upsert.ts'

export { eventEndpoint, resumeEvents } from './endpoint.ts'
export { sendDueEvents } from './send.ts'

/**
 * Sends these events of the outbox again, under their own ids, as soon as may be: whatever became of them, all tries are
 * theirs again. Answers how many were not under way.
 */
export async function resendEvents(tx: Tx, ids: readonly string[]): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(sql`
    WITH chosen AS MATERIALIZED (
      SELECT id FROM outbox
      WHERE id = ANY(${textArray(ids)}::bigint[]) AND (state <> 'sending' OR lease_until <= clock_timestamp())
      ORDER BY id FOR UPDATE
    ), due AS (
    UPDATE outbox AS o SET state = 'waiting', tries = 0, next_try_at = now(), lease_until = NULL
    FROM chosen WHERE o.id = chosen.id RETURNING o.id
    ) SELECT count(*)::integer AS count FROM due`)
  await announce(tx, 'deliveries')
  return rows[0]!.count
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Sends one event again by its `webhook-id`. Throws not_found, and conflict while a try is under way. */
export const resendEvent = (ctx: Ctx, eventId: string): Promise<{ type: string; entityId: string }> =>
  inTransaction(ctx, async (tx) => {
    if (!uuidForm.test(eventId)) throw notFound('Event')
    const [event] = await tx
      .select({
        id: outbox.id,
        eventId: outbox.eventId,
        type: outbox.type,
        entityType: outbox.entityType,
        entityId: outbox.entityId,
      })
      .from(outbox)
      .where(eq(outbox.eventId, eventId))
    if (!event) throw notFound('Event')
    if ((await resendEvents(tx, [event.id])) === 0)
      throw conflict('A try to send this event is under way; wait until it has ended')
    await audit(tx, ctx, {
      action: 'resend_deliveries',
      target: { type: event.entityType === 'member' ? 'user' : event.entityType, id: event.entityId },
      details: { eventId: event.eventId, type: event.type },
    })
    return event
  })
