import { sql } from 'drizzle-orm'
import type { EventMessage } from '#server/adapters/platform-endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { toInstant } from '#server/db/columns.ts'
import { recordset } from '#server/upsert.ts'
import { isPaused } from './endpoint.ts'

/** A try is over within its time-out; one that holds its event for longer has died with its server. */
const lease = sql`date_trunc('milliseconds', clock_timestamp()) + interval '30 seconds'`

/** An event that one try holds; `tries` and `leaseUntil` tell it from any other try. */
export interface Taken extends EventMessage {
  id: string
  entityType: string
  entityId: string
  tries: number
  leaseUntil: string
}

/** The first open event of the entity of `o`: none other of it may be sent. */
export const firstOpen = sql`(
  SELECT id FROM outbox AS e
  WHERE (e.entity_type, e.entity_id) = (o.entity_type, o.entity_id) AND e.state IN ('waiting', 'sending')
  ORDER BY e.id LIMIT 1)`

/** An earlier event that is sent again by hand waits for a later one that is under way: one post an entity at a time. */
const noneUnderWay = sql`NOT EXISTS (
  SELECT FROM outbox AS s WHERE (s.entity_type, s.entity_id) = (o.entity_type, o.entity_id) AND s.state = 'sending')`

/**
 * Takes up to `most` events for one try each: those due before which nothing of their entity is open, the longest due
 * first, and those that a server that died has left behind. None while the endpoint is paused. `id` follows the order of
 * the changes, since whoever writes an event holds its entity's row.
 */
export async function takeDue({ database: { db } }: Ctx, most: number): Promise<Taken[]> {
  const { rows } = await db.execute<Taken>(sql`
    WITH lapsed AS MATERIALIZED (
      SELECT id FROM outbox WHERE state = 'sending' AND lease_until <= now() AND NOT ${isPaused}
      ORDER BY lease_until, id LIMIT ${most} FOR UPDATE SKIP LOCKED
    ), heads AS MATERIALIZED (
      SELECT id FROM outbox AS o
      WHERE state = 'waiting' AND next_try_at <= now() AND NOT ${isPaused} AND id = ${firstOpen} AND ${noneUnderWay}
      ORDER BY next_try_at, id LIMIT ${most} FOR UPDATE OF o SKIP LOCKED
    )
    UPDATE outbox AS o SET state = 'sending', tries = tries + 1, next_try_at = NULL, lease_until = ${lease}
    FROM (SELECT id FROM lapsed UNION ALL SELECT id FROM heads LIMIT ${most}) AS due
    WHERE o.id = due.id
    RETURNING o.id::text, event_id AS "eventId", type, entity_type AS "entityType", entity_id AS "entityId", payload,
      created_at AS "createdAt", tries, lease_until AS "leaseUntil"`)
  return rows
    .map((row) => ({ ...row, createdAt: toInstant(row.createdAt), leaseUntil: toInstant(row.leaseUntil) }))
    .toSorted((one, other) => Number(one.id) - Number(other.id))
}

/** Events that one turn defers. */
const mostDeferred = 2000
/** What is due within it is waited for as it is. */
const soon = sql`interval '2 seconds'`

/**
 * Lets events that wait for an earlier one of their entity fall due with it, so that they are not looked at again and
 * again during a long pause. The earlier one is locked meanwhile: nobody sends it and misses those that wait for it.
 */
export async function deferBlocked({ database: { db } }: Ctx): Promise<void> {
  await db.execute(sql`
    WITH blocked AS MATERIALIZED (
      SELECT id, ${firstOpen} AS head FROM outbox AS o
      WHERE state = 'waiting' AND next_try_at <= now() AND tries = 0 AND NOT ${isPaused}
      ORDER BY next_try_at, id LIMIT ${mostDeferred}
    ), heads AS MATERIALIZED (
      SELECT id, next_try_at FROM outbox
      WHERE id IN (SELECT head FROM blocked) AND state = 'waiting' AND next_try_at > now() + ${soon}
      ORDER BY id FOR UPDATE SKIP LOCKED
    )
    UPDATE outbox AS o SET next_try_at = heads.next_try_at
    FROM blocked JOIN heads ON heads.id = blocked.head
    WHERE o.id = blocked.id AND o.state = 'waiting'`)
}

/** Whether `o` is still held by the try `e`. */
export const isHeld = sql`o.id = e.id AND o.state = 'sending' AND o.tries = e.tries AND o.lease_until = e.lease_until`

/** Gives back events whose tries were given up before their end; they are due at once and have used up no try. */
export async function releaseTaken({ database: { db } }: Ctx, taken: readonly Taken[]): Promise<void> {
  const given = taken.map(({ id, tries, leaseUntil }) => ({ id, tries, lease_until: leaseUntil }))
  await db.execute(sql`
    UPDATE outbox AS o SET state = 'waiting', tries = o.tries - 1, lease_until = NULL, next_try_at = now()
    FROM ${recordset(given)} AS e(id bigint, tries integer, lease_until timestamptz)
    WHERE ${isHeld}`)
}
