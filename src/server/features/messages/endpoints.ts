import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { EndpointState } from '#contract/endpoints.ts'
import type { EventEndpoint } from '#contract/schemas/messages.ts'
import type { Endpoint } from '#contract/schemas/endpoints.ts'
import type { EventTarget } from '#server/adapters/platform-endpoint.ts'
import { raiseSecurityEvent } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { executePrepared } from '#server/db/execute-prepared.ts'
import { recordset, textArray } from '#server/db/parameters.ts'
import { platformEndpoints, settingsEndpoint } from '#server/db/tables/platform-events.ts'
import { notFound } from '#server/lib/errors.ts'
import type { FinishedTry } from './channel.ts'
import { messageCounts } from './read-queue.ts'

export type EndpointRow = typeof platformEndpoints.$inferSelect

/** Where an endpoint's events go; null while there is no address. */
export function endpointTarget({ platformEndpoint }: Ctx, row: EndpointRow): EventTarget | null {
  if (row.id === settingsEndpoint) return platformEndpoint.target
  if (row.url === null) return null
  return { url: row.url, secrets: [row.secret, row.previousSecret].filter((secret) => secret !== null) }
}

/** The host alone: the rest of an address may hold a secret. */
export const readHost = (url: string): string => new URL(url).host

/** Of the open events of an endpoint, the oldest. */
const mostLookedAt = 200

/**
 * Since when the oldest of an endpoint's open events waits. One that was sent again has more tries than its present
 * sending: it waits since that began, its first try, or, where none has ended, since it is due. Whatever is newer than
 * those looked at waits for less long, unless all of these were sent again.
 */
const oldestWaiting = sql<string | null>`(
  SELECT min(CASE WHEN made.count <= ended.count THEN open.created_at
    ELSE least(open.next_try_at, (
      SELECT a.created_at FROM message_attempts AS a WHERE a.message_id = open.id AND ended.count > 0
      ORDER BY a.id DESC OFFSET greatest(ended.count - 1, 0) LIMIT 1)) END)
  FROM (
    SELECT * FROM messages AS m
    WHERE channel = 'platform' AND state IN ('waiting', 'sending') AND m.endpoint_id = platform_endpoints.id
    ORDER BY m.created_at LIMIT ${mostLookedAt}
  ) AS open
  CROSS JOIN LATERAL (SELECT open.tries - (open.state = 'sending')::int AS count) AS ended
  CROSS JOIN LATERAL (SELECT count(*) FROM message_attempts AS a WHERE a.message_id = open.id) AS made)`

const countMessages = (state: 'waiting' | 'failed') => sql<number>`(
  SELECT coalesce(sum(rows), 0)::int FROM ${sql.raw(messageCounts.all)} AS counted
  WHERE ${sql.raw(messageCounts.leaves({ kind: 'event', state }))}
    AND ${sql.raw(messageCounts.part('endpoint'))} = platform_endpoints.id::text)`

function endpointState({ isOn, pausedAt, failingSince, lastSuccessAt }: EndpointRow, isSet: boolean): EndpointState {
  if (!isOn) return 'off'
  if (!isSet) return 'unset'
  if (pausedAt !== null) return 'paused'
  if (failingSince !== null) return 'failing'
  return lastSuccessAt === null ? 'untried' : 'healthy'
}

/** All endpoints, the settings' one first; or those of `ids`. */
export async function readEndpoints(
  ctx: Ctx,
  ids?: readonly string[],
  db: Db | Tx = ctx.database.db,
): Promise<Endpoint[]> {
  const found = await db
    .select({
      row: platformEndpoints,
      waiting: countMessages('waiting'),
      failed: countMessages('failed'),
      oldestWaitingAt: oldestWaiting,
    })
    .from(platformEndpoints)
    .where(and(isNull(platformEndpoints.deletedAt), ids && inArray(platformEndpoints.id, [...ids])))
    .orderBy(asc(platformEndpoints.id))
  return found.map(({ row, waiting, failed, oldestWaitingAt }) => {
    const target = endpointTarget(ctx, row)
    const { id, name, types, isOn, pausedAt, failingSince, lastSuccessAt, secretSetAt, version, createdAt } = row
    return {
      id,
      name,
      isFromSettings: id === settingsEndpoint,
      host: target && readHost(target.url),
      types: types as Endpoint['types'],
      isOn,
      state: endpointState(row, target !== null),
      pausedAt,
      failingSince,
      lastSuccessAt,
      waiting,
      oldestWaitingAt: oldestWaitingAt && toInstant(oldestWaitingAt),
      failed,
      secrets: target?.secrets.length ?? 0,
      secretSetAt,
      version,
      createdAt,
    }
  })
}

/** One endpoint, in a transaction as that leaves it. Throws not_found, also for one that was deleted. */
export async function readEndpoint(ctx: Ctx, id: string, tx?: Tx): Promise<Endpoint> {
  const [endpoint] = await readEndpoints(ctx, [id], tx)
  if (!endpoint) throw notFound('Endpoint')
  return endpoint
}

/** The endpoint of the settings. */
export async function eventEndpoint(ctx: Ctx): Promise<EventEndpoint> {
  const { host, pausedAt, waiting, oldestWaitingAt, failed } = await readEndpoint(ctx, settingsEndpoint)
  return { host, pausedAt, waiting, oldestWaitingAt, failed }
}

/** The number of events that were given up. The platform does not know of these changes. */
export async function countFailedEvents({ database }: Ctx): Promise<number> {
  const { rows } = await database.db.execute<{ failed: number }>(sql`
    SELECT coalesce(sum(rows), 0)::int AS failed FROM ${sql.raw(messageCounts.all)} AS counted
    WHERE ${sql.raw(messageCounts.leaves({ kind: 'event', state: 'failed' }))}`)
  return rows[0]!.failed
}

/**
 * Locks the endpoints of these tries and notes how the tries went, at most once a second while nothing is new. One statement,
 * because it runs for every few events.
 */
export async function lockAndNoteResults(tx: Tx, ended: readonly FinishedTry[]): Promise<void> {
  const results = [...Map.groupBy(ended, ({ message }) => message.endpointId!)].map(([id, tries]) => ({
    id,
    is_failing: !tries.at(-1)!.outcome.success,
    has_success: tries.some(({ outcome }) => outcome.success),
  }))
  const noted = sql`
    WITH locked AS MATERIALIZED (
      SELECT id, failing_since IS NOT NULL AS was_failing,
        last_success_at IS NULL OR last_success_at < now() - interval '1 second' AS is_outdated
      FROM platform_endpoints WHERE id = ANY(${textArray(results.map(({ id }) => id))}::bigint[])
      ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE platform_endpoints AS p SET
      last_success_at = CASE WHEN has_success THEN now() ELSE last_success_at END,
      failing_since = CASE WHEN is_failing THEN coalesce(failing_since, now()) END
    FROM locked JOIN ${recordset(results)} AS e(id bigint, is_failing boolean, has_success boolean) ON e.id = locked.id
    WHERE p.id = locked.id AND (was_failing <> is_failing OR (has_success AND is_outdated))`
  await executePrepared(tx, noted)
}

/** Nothing goes to the endpoint from now on, until it is resumed. One that is paused already is reported once. */
export async function pauseEndpoint(tx: Tx, ctx: Ctx, id: string): Promise<void> {
  const [paused] = await tx
    .update(platformEndpoints)
    .set({ pausedAt: sql`now()` })
    .where(and(eq(platformEndpoints.id, id), isNull(platformEndpoints.pausedAt), isNull(platformEndpoints.deletedAt)))
    .returning()
  if (!paused) return
  const target = endpointTarget(ctx, paused)
  const command = id === settingsEndpoint ? 'events resume' : `endpoint resume ${id}`
  await raiseSecurityEvent(tx, ctx, {
    // Critical, so that it is a notice: the endpoint gets no event until an operator resumes it.
    severity: 'critical',
    type: 'event_endpoint_gone',
    description: `${target ? readHost(target.url) : paused.name} answered 410: it takes no more events. They wait until: npm run admin -- ${command}`,
    details: { endpointId: id },
  })
}
