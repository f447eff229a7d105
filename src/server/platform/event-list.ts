import { sql } from 'drizzle-orm'
import type { ChangesQuery, PlatformEventRecord } from '#contract/schemas/platform-api.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { countSecurityEvent } from '#server/core/counted-events.ts'
import { isSigned } from '#server/core/message-mac.ts'
import { toInstant } from '#server/db/columns.ts'
import { type ChangeList, readChanges } from './change-lists.ts'

const eventList: ChangeList = {
  name: 'events',
  table: sql`platform_events`,
  idType: sql`bigint`,
  firstId: '0',
  select: sql`r.id::text AS row, r.event_id AS "eventId", r.type, r.entity_type AS "entityType", r.entity_id AS "entityId", r.sequence, r.version,
    r.payload, r.created_at AS "createdAt", sent.*`,
  join: sql`CROSS JOIN LATERAL (
    SELECT CASE WHEN count(*) = 0 AND r.delivered_at IS NULL THEN 'unaddressed' WHEN bool_or(m.state IN ('waiting', 'sending')) THEN 'waiting'
      WHEN bool_or(m.state = 'failed') THEN 'failed' ELSE 'delivered' END AS state,
      CASE WHEN bool_and(m.state = 'delivered') IS NOT false THEN greatest(max(m.delivered_at), r.delivered_at) END AS "deliveredAt",
      coalesce(json_agg(json_build_object('endpointId', m.endpoint_id::text, 'mac', m.mac)) FILTER (WHERE m.id IS NOT NULL), '[]') AS messages
    FROM messages AS m JOIN platform_endpoints AS p ON p.id = m.endpoint_id AND p.deleted_at IS NULL
    WHERE m.channel = 'platform' AND m.event_row = r.id) AS sent`,
}

interface EventRow {
  row: string
  eventId: string
  type: string
  entityType: PlatformEventRecord['entity']['type']
  entityId: string
  sequence: number
  version: number
  payload: Record<string, unknown>
  createdAt: string
  state: PlatformEventRecord['delivery']['state']
  deliveredAt: string | null
  messages: { endpointId: string; mac: string | null }[]
}

/** Whether the console wrote this event as it is, by the MAC of a message that has it. Others have none. */
function isOwn(ctx: Ctx, { eventId: messageId, createdAt, messages, ...event }: EventRow): boolean {
  const facts = {
    ...event,
    channel: 'platform',
    messageId,
    attemptNumber: null,
    createdAt: toInstant(createdAt),
  } as const
  return messages.length === 0 || messages.some((message) => isSigned(ctx, { ...facts, ...message }))
}

/**
 * Events as they were or will be sent. One that somebody has changed, or written past the console, is left out and
 * reported. A page is empty at the end of the list alone.
 */
export async function listEvents(
  ctx: Ctx,
  query: ChangesQuery,
): Promise<{ events: PlatformEventRecord[]; next: string }> {
  const { rows, next } = await readChanges(ctx, eventList, query)
  // The columns are those that the list selects.
  const read = rows as unknown as EventRow[]
  const own = read.filter((row) => isOwn(ctx, row))
  if (own.length < read.length)
    await reportForged(
      ctx,
      read.filter((row) => !own.includes(row)),
    )
  if (own.length === 0 && read.length > 0) return listEvents(ctx, { limit: query.limit, after: next })
  return { events: own.map(toEventRecord), next }
}

const reportForged = (ctx: Ctx, forged: EventRow[]) =>
  inTransaction(ctx, (tx) =>
    countSecurityEvent<{ count: number }>(tx, ctx, {
      type: 'message_forged',
      severity: 'critical',
      by: { list: 'events' },
      describe(present) {
        const { row, type, entityType, entityId } = forged.at(-1)!
        const count = (present?.count ?? 0) + forged.length
        const last = `${type} of ${entityType} ${entityId} (event row ${row})`
        return {
          description: `The platform was not told ${count === 1 ? 'an event' : `${count} events`} that the console did not write; the last: ${last}`,
          details: { count, entityType, entityId },
        }
      },
    }),
  )

function toEventRecord(row: EventRow): PlatformEventRecord {
  const {
    eventId: id,
    type,
    entityType,
    entityId,
    sequence,
    version,
    payload: data,
    createdAt,
    state,
    deliveredAt,
  } = row
  return {
    id,
    type,
    timestamp: toInstant(createdAt),
    entity: { type: entityType, id: entityId },
    sequence,
    version,
    data,
    delivery: { state, deliveredAt: deliveredAt && toInstant(deliveredAt) },
  }
}
