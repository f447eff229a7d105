import { eq, sql } from 'drizzle-orm'
import type { EventEndpoint } from '#contract/schemas/deliveries.ts'
import { announce, audit, raiseSecurityEvent } from '#server/core/audit.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { leavesOf } from '#server/db/list.ts'
import { settings } from '#server/db/tables/core.ts'

/** Stands while the endpoint has said that it is gone for ever (410), and nobody has resumed it. */
export const pauseSetting = 'platform_events_paused'

/** Nothing is sent from now on, until resumed by command. An endpoint that is paused already is told of once. */
export async function pauseEndpoint(tx: Tx, ctx: Ctx): Promise<void> {
  const { rowCount } = await tx
    .insert(settings)
    .values({ name: pauseSetting, value: sql`jsonb_build_object('at', now())` })
    .onConflictDoNothing()
  if (!rowCount) return
  await raiseSecurityEvent(tx, ctx, {
    // Critical, so that it stands behind the bell: until it is resumed the platform hears of nothing.
    severity: 'critical',
    type: 'event_endpoint_gone',
    description: `${ctx.platformEndpoint.host} answered 410: it takes no more events. They wait until: npm run admin -- events resume`,
  })
}

/** Lets events go out again to an endpoint that was paused; answers since when it was. Throws CommandError when it is not. */
export const resumeEvents = (ctx: Ctx): Promise<string> =>
  inTransaction(ctx, async (tx) => {
    const [gone] = await tx
      .delete(settings)
      .where(eq(settings.name, pauseSetting))
      .returning({ at: sql<string>`value->>'at'` })
    if (!gone) throw new CommandError('Events are not paused, so there is nothing to resume')
    const pausedAt = toInstant(gone.at)
    await audit(tx, ctx, { action: 'resume_events', details: { pausedAt } })
    await announce(tx, 'deliveries')
    return pausedAt
  })

/** Of the open events of each state, the oldest. */
const mostLookedAt = 200

interface Figures {
  pausedAt: string | null
  waiting: string
  failed: string
  oldestWaitingAt: string | null
}

/**
 * Since when each of the oldest open events waits. One that was sent again has more tries than its present sending: it
 * waits since that began, its first try, or, where none has ended, since it is due. Whatever is newer than these waits
 * for less long, unless all of these were sent again.
 */
const waitingSince = sql`
  SELECT CASE WHEN made.count <= ended.count THEN open.created_at
    ELSE least(open.next_try_at, (
      SELECT a.created_at FROM message_attempts AS a WHERE a.message_id = open.id AND ended.count > 0
      ORDER BY a.id DESC OFFSET greatest(ended.count - 1, 0) LIMIT 1)) END AS at
  FROM (
    (SELECT * FROM messages WHERE channel = 'platform' AND state = 'waiting' ORDER BY created_at LIMIT ${mostLookedAt})
    UNION ALL
    (SELECT * FROM messages WHERE channel = 'platform' AND state = 'sending' ORDER BY created_at LIMIT ${mostLookedAt})
  ) AS open
  CROSS JOIN LATERAL (SELECT open.tries - (open.state = 'sending')::int AS count) AS ended
  CROSS JOIN LATERAL (SELECT count(*) FROM message_attempts AS a WHERE a.message_id = open.id) AS made`

/** The endpoint, what waits for it, and how many events were given up. */
export async function eventEndpoint({ database, platformEndpoint }: Ctx): Promise<EventEndpoint> {
  const { rows } = await database.db.execute<Figures & Record<string, unknown>>(sql`
    SELECT (SELECT value->>'at' FROM settings WHERE name = ${pauseSetting}) AS "pausedAt",
      coalesce(sum(rows) FILTER (WHERE leaf = 'platform/out/waiting'), 0) AS waiting,
      coalesce(sum(rows) FILTER (WHERE leaf = 'platform/out/failed'), 0) AS failed,
      (SELECT min(at) FROM (${waitingSince}) AS oldest) AS "oldestWaitingAt"
    FROM ${sql.raw(leavesOf('messages'))} AS counted`)
  const { pausedAt, waiting, failed, oldestWaitingAt } = rows[0]!
  return {
    host: platformEndpoint.host,
    pausedAt: pausedAt && toInstant(pausedAt),
    waiting: Number(waiting),
    oldestWaitingAt: oldestWaitingAt && toInstant(oldestWaitingAt),
    failed: Number(failed),
  }
}

/** Events that were given up: the platform still believes what is no longer so. */
export async function countFailedEvents({ database }: Ctx): Promise<number> {
  const { rows } = await database.db.execute<{ failed: number }>(sql`
    SELECT coalesce(sum(rows), 0)::int AS failed FROM ${sql.raw(leavesOf('messages'))} AS counted
    WHERE leaf = 'platform/out/failed'`)
  return rows[0]!.failed
}
