import { sql } from 'drizzle-orm'
import { announce } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { retryPause } from '#server/lib/pauses.ts'
import { executePrepared } from '#server/db/execute-prepared.ts'
import { recordset, textArray } from '#server/db/parameters.ts'
import type { Channel, CountedTry, FinishedTry } from './channel.ts'
import { reportForged } from './sign-stored.ts'
import { firstOpen, isStillLeased } from './queue.ts'

export interface RecordOptions {
  /** The operator's name, if the queue did not start the tries. */
  startedBy?: string
  /** Replaces the channel's pauses. */
  pauses?: readonly number[] | undefined
}

type TryRow = { id: string; attemptId: string; counts: boolean; isWaitedFor: boolean }

/**
 * Records finished tries: a row each, the next state of their messages, and the channel's further changes. A message that
 * another try has leased meanwhile keeps that try's state, except that an unordered message counts as delivered if it was
 * not restarted since. Returns the ids of the tries' rows by message.
 */
export async function recordTries(
  tx: Tx,
  ctx: Ctx,
  channel: Channel,
  ended: readonly FinishedTry[],
  options: RecordOptions = {},
): Promise<Map<string, string>> {
  // The other side has no part in a message that was not sent.
  const sent = ended.filter(({ outcome }) => !outcome.isForged)
  await channel.lock?.(tx, sent)
  const tries = ended.map((each) => ({ ...each, ...decideNextState(channel, each, options.pauses) }))
  const written = new Map((await writeTries(tx, ctx, channel, tries, options)).map((row) => [row.id, row]))
  const counted = tries.filter(({ message }) => written.get(message.id)!.counts)
  await makeNextDue(
    tx,
    counted.filter(({ message, state }) => state !== 'waiting' && written.get(message.id)!.isWaitedFor),
  )
  await announce(tx, ...channel.lists)
  await channel.settle?.(
    tx,
    ctx,
    sent,
    counted.filter(({ outcome }) => !outcome.isForged),
  )
  await reportForged(
    tx,
    ctx,
    ended.filter(({ outcome }) => outcome.isForged),
  )
  return new Map([...written.values()].map(({ id, attemptId }) => [id, attemptId]))
}

type NextState = Pick<CountedTry, 'state' | 'isGone'> & { pause: number | null }

/** The next state of a message after a try. `pause` is in seconds. */
function decideNextState(channel: Channel, { message, outcome }: FinishedTry, pauses = channel.pauses): NextState {
  if (outcome.success) return { state: 'delivered', pause: null, isGone: false }
  if (outcome.isForged) return { state: 'failed', pause: null, isGone: false }
  const isGone = outcome.httpStatus === 410
  if (isGone && channel.pausesWhenGone) return { state: 'waiting', pause: null, isGone }
  const planned = isGone ? undefined : pauses[message.retries]
  if (planned === undefined) return { state: 'failed', pause: null, isGone: false }
  return { state: 'waiting', pause: retryPause(planned, outcome.retryAfter, channel.longestPause), isGone: false }
}

/** An answer of 410 uses up no try: the message is the first to go when the endpoint is resumed. */
async function writeTries(
  tx: Tx,
  ctx: Ctx,
  channel: Channel,
  tries: readonly (FinishedTry & NextState)[],
  { startedBy = 'queue' }: RecordOptions,
): Promise<TryRow[]> {
  const given = tries.map(({ message, outcome, state, pause, isGone }) => ({
    id: message.id,
    message_id: message.messageId,
    tries: message.tries,
    is_retry: message.isRetry,
    lease_until: message.leaseUntil,
    state,
    pause,
    is_gone: isGone,
    success: outcome.success,
    error_message: outcome.errorMessage,
    http_status: outcome.httpStatus,
    latency_ms: outcome.latencyMs,
    response_excerpt: outcome.responseExcerpt,
  }))
  const written = sql`
    WITH e AS MATERIALIZED (
      SELECT e.*, coalesce(${ctx.at ?? null}::timestamptz, date_trunc('milliseconds', clock_timestamp())) AS ended_at,
        ${sql.raw(channel.isClosed('m'))} AS is_closed
      FROM ${recordset(given)} AS e(id bigint, message_id text, tries integer, is_retry boolean,
        lease_until timestamptz, state text, pause float8, is_gone boolean, success boolean, error_message text,
        http_status integer, latency_ms integer, response_excerpt text) LEFT JOIN messages AS m ON m.id = e.id
    ), logged AS (
      INSERT INTO message_attempts (message_id, channel, try_number, success, error_message, http_status, latency_ms,
        response_excerpt, started_by, created_at)
      SELECT id, ${channel.name}, 1 + (SELECT count(*) FROM message_attempts AS a WHERE a.message_id = e.id), success,
        error_message, http_status, latency_ms, response_excerpt, ${startedBy}, ended_at
      FROM e ORDER BY id
      RETURNING id, message_id
    ), changed AS (
      UPDATE messages AS m SET lease_until = NULL,
        state = CASE WHEN is_closed AND NOT success THEN ${channel.closedState} ELSE e.state END,
        tries = m.tries - is_gone::int,
        retries = m.retries - (is_gone AND is_retry)::int,
        next_try_at = CASE WHEN is_gone THEN m.created_at WHEN NOT is_closed THEN ended_at + pause * interval '1 s' END,
        last_failed_at = CASE WHEN NOT success AND NOT is_closed THEN ended_at END,
        delivered_at = CASE WHEN success THEN ended_at ELSE m.delivered_at END
      FROM e
      WHERE m.id = e.id AND ((${isStillLeased}) OR (success AND m.ordering_key IS NULL AND m.message_id = e.message_id))
      RETURNING m.id, EXISTS (
        SELECT FROM messages AS later WHERE later.ordering_key = m.ordering_key AND later.id > m.id
          AND later.state = 'waiting' AND later.next_try_at > now()) AS is_waited_for
    )
    SELECT l.message_id::text AS id, l.id::text AS "attemptId", c.id IS NOT NULL AS counts,
      coalesce(c.is_waited_for, false) AS "isWaitedFor"
    FROM logged AS l LEFT JOIN changed AS c ON c.id = l.message_id`
  return (await executePrepared<TryRow>(tx, written)).rows
}

/** Makes messages due that waited for one that is no longer open. */
async function makeNextDue(tx: Tx, over: readonly FinishedTry[]): Promise<void> {
  if (over.length === 0) return
  await tx.execute(sql`
    WITH next AS MATERIALIZED (
      SELECT ${firstOpen} AS id FROM messages AS m
      WHERE id = ANY(${textArray(over.map(({ message }) => message.id))}::bigint[])
    )
    UPDATE messages AS m SET next_try_at = now()
    FROM next WHERE m.id = next.id AND state = 'waiting' AND tries = 0 AND next_try_at > now()`)
}
