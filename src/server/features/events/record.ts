import { sql } from 'drizzle-orm'
import type { TryOutcome } from '#server/adapters/signed-post.ts'
import { announce } from '#server/audit.ts'
import { type Ctx, inTransaction } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { recordset, textArray } from '#server/upsert.ts'
import { tellDeadLetters } from './dead-letters.ts'
import { pauseEndpoint } from './endpoint.ts'
import { firstOpen, isHeld, type Taken } from './queue.ts'
import { nextPause } from './schedule.ts'

export interface Ended {
  event: Taken
  outcome: TryOutcome
}
type Written = { id: string; isWaitedFor: boolean }

/**
 * Writes down how tries went: a row each, and what becomes of their events. An event that another try has taken over by
 * then stays with that one.
 */
export const recordTries = (ctx: Ctx, ended: readonly Ended[], pauses?: readonly number[]): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const tries = ended.map((each) => ({ ...each, ...after(each, pauses) }))
    const written = new Map((await write(tx, tries)).map(({ id, isWaitedFor }) => [id, isWaitedFor]))
    const concerned = tries.filter(({ event }) => written.has(event.id))
    if (concerned.some(({ isGone }) => isGone)) await pauseEndpoint(tx, ctx)
    const over = concerned.filter(({ event, state }) => state !== 'waiting' && written.get(event.id))
    await releaseBlocked(
      tx,
      over.map(({ event }) => event.id),
    )
    await announce(tx, 'deliveries')
    await tellDeadLetters(
      tx,
      ctx,
      concerned.filter(({ state }) => state === 'failed'),
    )
  })

type Next = { state: 'delivered' | 'waiting' | 'failed'; pause: number | null; isGone: boolean }

/**
 * What becomes of an event. One that was answered 410 uses up no try: it is the first to go when the endpoint is resumed,
 * being due since it was made.
 */
function after({ event, outcome }: Ended, pauses?: readonly number[]): Next {
  if (outcome.success) return { state: 'delivered', pause: null, isGone: false }
  if (outcome.httpStatus === 410) return { state: 'waiting', pause: null, isGone: true }
  const pause = nextPause(event.tries, outcome, pauses)
  return { state: pause === null ? 'failed' : 'waiting', pause, isGone: false }
}

async function write(tx: Tx, tries: readonly (Ended & Next)[]): Promise<Written[]> {
  const given = tries.map(({ event, outcome, state, pause, isGone }) => ({
    id: event.id,
    tries: event.tries,
    lease_until: event.leaseUntil,
    state,
    pause,
    is_gone: isGone,
    success: outcome.success,
    error_message: outcome.errorMessage,
    http_status: outcome.httpStatus,
    latency_ms: outcome.latencyMs,
    response_excerpt: outcome.responseExcerpt,
  }))
  const { rows } = await tx.execute<Written>(sql`
      WITH e AS MATERIALIZED (
        SELECT * FROM ${recordset(given)} AS e(id bigint, tries integer,
          lease_until timestamptz, state text, pause float8, is_gone boolean, success boolean, error_message text,
          http_status integer, latency_ms integer, response_excerpt text)
      ), logged AS (
        INSERT INTO event_attempts
          (outbox_id, try_number, success, error_message, http_status, latency_ms, response_excerpt)
        SELECT id, 1 + (SELECT count(*) FROM event_attempts AS a WHERE a.outbox_id = e.id), success, error_message,
          http_status, latency_ms, response_excerpt
        FROM e ORDER BY id
      )
      UPDATE outbox AS o SET state = e.state, lease_until = NULL,
        tries = o.tries - CASE WHEN is_gone THEN 1 ELSE 0 END,
        next_try_at = CASE WHEN is_gone THEN o.created_at ELSE now() + pause * interval '1 second' END,
        delivered_at = CASE WHEN success THEN now() ELSE o.delivered_at END
      FROM e WHERE ${isHeld}
      RETURNING o.id::text, EXISTS (
        SELECT FROM outbox AS later
        WHERE (later.entity_type, later.entity_id) = (o.entity_type, o.entity_id) AND later.id > o.id
          AND later.state = 'waiting' AND later.next_try_at > now()) AS "isWaitedFor"`)
  return rows
}

/** What waited for events that are no longer open is due now. */
async function releaseBlocked(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.execute(sql`
    WITH next AS MATERIALIZED (
      SELECT ${firstOpen} AS id FROM outbox AS o WHERE id = ANY(${textArray(ids)}::bigint[])
    )
    UPDATE outbox AS o SET next_try_at = now()
    FROM next WHERE o.id = next.id AND state = 'waiting' AND tries = 0 AND next_try_at > now()`)
}
