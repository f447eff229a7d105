import { type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { recordset } from '#server/db/parameters.ts'
import { executePrepared } from '#server/db/execute-prepared.ts'
import type { Channel, LeasedMessage } from './channel.ts'

/** A try ends within its time-out. One that holds its message longer has died with its server. */
const lease = sql`date_trunc('milliseconds', clock_timestamp()) + interval '30 seconds'`

/** The first open message of the ordering key of `m`. No other message of the key may be sent. */
export const firstOpen = sql`(
  SELECT id FROM messages AS e WHERE e.ordering_key = m.ordering_key AND e.state IN ('waiting', 'sending')
  ORDER BY e.id LIMIT 1)`

/** An earlier message that an operator sends again waits for a later one that is being sent: one post per key at a time. */
const isNext = sql`(m.ordering_key IS NULL OR (m.id = ${firstOpen} AND NOT EXISTS (
  SELECT FROM messages AS s WHERE s.ordering_key = m.ordering_key AND s.state = 'sending')))`

const leasedColumns = sql`m.id::text AS id, m.message_id AS "messageId", m.type, m.entity_type AS "entityType",
  m.entity_id AS "entityId", m.endpoint_id::text AS "endpointId", m.attempt_number AS "attemptNumber",
  m.created_at AS "createdAt", m.tries, m.retries, m.lease_until AS "leaseUntil", m.channel, m.mac`

type LeasedRow = Omit<LeasedMessage, 'isRetry'> & Record<string, unknown>

const toLeasedMessage = (row: LeasedRow, isRetry: boolean): LeasedMessage => ({
  ...row,
  isRetry,
  createdAt: toInstant(row.createdAt),
  leaseUntil: toInstant(row.leaseUntil),
})

/** How many more messages may be sent to each endpoint. The id is null if the channel has no endpoints. */
export type EndpointCapacity = readonly { endpointId: string | null; most: number }[]

const capacityRows = (capacity: EndpointCapacity) =>
  sql`${recordset(capacity)} AS capacity("endpointId" bigint, most integer)`

const hasCapacity = ({ name }: Channel, capacity: EndpointCapacity) =>
  sql`m.channel = ${name} AND ${capacity.some(({ endpointId }) => endpointId === null) ? sql`true` : sql`m.endpoint_id = capacity."endpointId"`}`

/**
 * Leases due messages for one try each, within the capacity: the longest due first, if no earlier message of their key is
 * open, and those whose server died. Each endpoint is searched alone, so that one with many messages hides none of another.
 * `id` follows the order of the changes, because the writer of an event locks the row of its entity.
 */
export async function leaseDue(
  { database: { db } }: Ctx,
  channel: Channel,
  capacity: EndpointCapacity,
): Promise<LeasedMessage[]> {
  const due = sql`
    WITH capacity AS MATERIALIZED (
      SELECT * FROM ${capacityRows(capacity)}
    ), lapsed AS MATERIALIZED (
      SELECT due.* FROM capacity CROSS JOIN LATERAL (
        SELECT id, event_row, endpoint_id FROM messages AS m
        WHERE state = 'sending' AND lease_until <= now() AND ${hasCapacity(channel, capacity)}
        ORDER BY lease_until, id LIMIT capacity.most FOR UPDATE SKIP LOCKED) AS due
    ), heads AS MATERIALIZED (
      SELECT due.* FROM capacity CROSS JOIN LATERAL (
        SELECT id, event_row, endpoint_id FROM messages AS m
        WHERE state = 'waiting' AND next_try_at <= now() AND ${hasCapacity(channel, capacity)} AND ${isNext}
        ORDER BY next_try_at, id
        LIMIT capacity.most - (SELECT count(*) FROM lapsed WHERE endpoint_id IS NOT DISTINCT FROM capacity."endpointId")
        FOR UPDATE OF m SKIP LOCKED) AS due
    )
    UPDATE messages AS m SET state = 'sending', next_try_at = NULL, lease_until = ${lease}, tries = tries + 1,
      retries = retries + (tries > 0)::int
    FROM (SELECT * FROM lapsed UNION ALL SELECT * FROM heads) AS due LEFT JOIN platform_events AS v ON v.id = due.event_row
    WHERE m.id = due.id
    RETURNING ${leasedColumns}, v.sequence, v.version, coalesce(v.payload, m.payload) AS payload`
  const { rows } = await executePrepared<LeasedRow>(db, due)
  return rows
    .map((row) => toLeasedMessage(row, row.tries > 1))
    .toSorted((one, other) => Number(one.id) - Number(other.id))
}

/**
 * Leases the message of `condition` for one try by hand, whenever it is due. Undefined while another try holds it. A finished
 * message continues, or with `startsOver` starts again under a new id.
 */
export async function leaseNow(
  tx: Tx,
  condition: SQL,
  { startsOver = false, isRetry = false } = {},
): Promise<LeasedMessage | undefined> {
  const { rows } = await tx.execute<LeasedRow>(sql`
    WITH found AS MATERIALIZED (
      SELECT id, ${startsOver} AND state IN ('delivered', 'failed') AS is_anew FROM messages AS m
      WHERE ${condition} AND (state = 'sending' AND lease_until > clock_timestamp()) IS NOT TRUE FOR UPDATE
    )
    UPDATE messages AS m SET state = 'sending', next_try_at = NULL, lease_until = ${lease},
      message_id = CASE WHEN is_anew THEN gen_random_uuid()::text ELSE message_id END,
      tries = CASE WHEN is_anew THEN 1 ELSE tries + 1 END,
      retries = CASE WHEN is_anew THEN 0 ELSE retries + (${isRetry} AND tries > 0)::int END
    FROM found WHERE m.id = found.id
    RETURNING ${leasedColumns}, NULL AS sequence, NULL AS version, NULL AS payload`)
  return rows[0] && toLeasedMessage(rows[0], isRetry && rows[0].tries > 1)
}

/** The number of messages that one run defers. */
const maxDeferred = 2000
/** Messages due within this time are not deferred. */
const soonInterval = sql`interval '2 seconds'`

/**
 * Defers messages behind an earlier one of their key until that one is due, so that they are not checked repeatedly during a
 * long pause. Locks the earlier one, so that nobody sends it meanwhile and misses those behind it.
 */
export async function deferBlocked(
  { database: { db } }: Ctx,
  channel: Channel,
  capacity: EndpointCapacity,
): Promise<void> {
  await db.execute(sql`
    WITH blocked AS MATERIALIZED (
      SELECT due.* FROM ${capacityRows(capacity)} CROSS JOIN LATERAL (
        SELECT id, ${firstOpen} AS head FROM messages AS m
        WHERE ${hasCapacity(channel, capacity)} AND state = 'waiting' AND next_try_at <= now() AND tries = 0
          AND ordering_key IS NOT NULL
        ORDER BY next_try_at, id LIMIT ${maxDeferred}) AS due
    ), heads AS MATERIALIZED (
      SELECT id, next_try_at FROM messages
      WHERE id IN (SELECT head FROM blocked) AND state = 'waiting' AND next_try_at > now() + ${soonInterval}
      ORDER BY id FOR UPDATE SKIP LOCKED
    )
    UPDATE messages AS m SET next_try_at = heads.next_try_at
    FROM blocked JOIN heads ON heads.id = blocked.head
    WHERE m.id = blocked.id AND m.state = 'waiting'`)
}

/** Whether the try `e` still holds the lease of `m`. */
export const isStillLeased = sql`m.state = 'sending' AND m.tries = e.tries AND m.lease_until = e.lease_until`

/** Releases messages whose tries were aborted. They are due at once and have used up no try. */
export async function releaseMessages({ database: { db } }: Ctx, held: readonly LeasedMessage[]): Promise<void> {
  const given = held.map(({ id, tries, leaseUntil, isRetry }) => ({ id, tries, lease_until: leaseUntil, isRetry }))
  await db.execute(sql`
    UPDATE messages AS m SET state = 'waiting', lease_until = NULL, next_try_at = now(), tries = m.tries - 1,
      retries = m.retries - "isRetry"::int
    FROM ${recordset(given)} AS e(id bigint, tries integer, lease_until timestamptz, "isRetry" boolean)
    WHERE m.id = e.id AND ${isStillLeased}`)
}

/**
 * Closes the open and failed messages of `condition` (over `m`) that nobody waits for any more. Returns their number. `isCut`
 * also closes messages of a try under way, whose end then changes nothing.
 */
export async function closeMessages(tx: Tx, channel: Channel, condition: SQL, { isCut = false } = {}): Promise<number> {
  const states = isCut ? sql`'waiting', 'failed', 'sending'` : sql`'waiting', 'failed'`
  const { rows } = await tx.execute<{ id: string }>(sql`
    UPDATE messages AS m
    SET state = ${channel.closedState}, next_try_at = NULL, last_failed_at = NULL, lease_until = NULL
    WHERE m.channel = ${channel.name} AND m.direction = 'out' AND m.state IN (${states})
      AND ${sql.raw(channel.isClosed('m'))} AND ${condition} RETURNING m.id::text`)
  return rows.length
}
