import { sql } from 'drizzle-orm'
import type { PlatformEvent } from '#contract/schemas/platform-events.ts'
import type { Tx } from '#server/db/client.ts'
import type { ChannelName } from '#server/db/tables/messages.ts'
import { toInstant } from '#server/db/columns.ts'
import { announce } from './audit.ts'
import type { Ctx } from './context.ts'
import { signMessage } from './message-mac.ts'
import { recordset } from '#server/db/parameters.ts'

type WithConfig = Pick<Ctx, 'config' | 'at'>

/** An outgoing message. */
interface MessageDraft {
  channel: ChannelName
  type: string
  entityType: string
  entityId: string
  /** Of a KYC case. */
  attemptNumber?: number
  /** For an event: its endpoint, row, `webhook-id`, time, and the key of messages that are sent in order. */
  endpointId?: string
  eventRow?: string
  messageId?: string
  createdAt?: string
  orderingKey?: string
  /** What the event says, for its MAC; of an alert, the notices. */
  sequence?: number
  version?: number
  payload?: Record<string, unknown>
}

function toSignedRow(ctx: WithConfig, { sequence, version, payload, ...draft }: MessageDraft) {
  const { endpointId, eventRow, messageId, attemptNumber, createdAt } = draft
  const mac = signMessage(ctx, {
    ...draft,
    endpointId: endpointId ?? null,
    messageId: messageId ?? '',
    attemptNumber: attemptNumber ?? null,
    sequence: sequence ?? null,
    version: version ?? null,
    payload: payload ?? null,
    createdAt: createdAt === undefined ? null : toInstant(createdAt),
  })
  // An event's payload is in its own row.
  return { ...draft, mac, payload: eventRow === undefined ? (payload ?? null) : null }
}

/**
 * Writes outgoing messages in the transaction of their change, each with its MAC: what anybody else writes into the
 * table is never sent (063). An existing case stays as it is.
 */
export async function enqueueMessages(tx: Tx, ctx: WithConfig, drafts: readonly MessageDraft[]): Promise<void> {
  if (drafts.length === 0) return
  const rows = drafts.map((draft) => toSignedRow(ctx, draft))
  await tx.execute(sql`
    INSERT INTO messages (channel, direction, endpoint_id, event_row, message_id, type, entity_type, entity_id,
      attempt_number, ordering_key, next_try_at, created_at, mac, payload)
    SELECT channel, 'out', "endpointId", "eventRow", coalesce("messageId", gen_random_uuid()::text), type, "entityType",
      "entityId", "attemptNumber", "orderingKey", now(), coalesce("createdAt", now()), mac, payload
    FROM ${recordset(rows)} AS d(channel text, "endpointId" bigint, "eventRow" bigint, "messageId" text, type text,
      "entityType" text, "entityId" text, "attemptNumber" integer, "orderingKey" text, "createdAt" timestamptz, mac text, payload jsonb)
    ON CONFLICT DO NOTHING`)
  await announce(tx, 'messages')
}

export const enqueueEvent = async (tx: Tx, ctx: WithConfig, event: PlatformEvent): Promise<void> =>
  void (await enqueueEvents(tx, ctx, [event]))

/**
 * Writes events for the platform in the transaction of their change. They are delivered later and never lost. The caller
 * holds the row of the entity, so that events have the order of the changes. An event goes to each active endpoint that wants
 * its type, or only to `onlyTo`. Locks the endpoints against deletion. Returns the ids of the events.
 */
export async function enqueueEvents(
  tx: Tx,
  ctx: WithConfig,
  events: readonly PlatformEvent[],
  onlyTo?: string,
): Promise<string[]> {
  if (events.length === 0) return []
  const endpoints = await tx.execute<{ id: string; types: string[] | null }>(sql`
    SELECT id::text, types FROM platform_endpoints
    WHERE deleted_at IS NULL AND ${onlyTo === undefined ? sql`is_on` : sql`id = ${onlyTo}`} ORDER BY id FOR KEY SHARE`)
  const given = events.map(({ type, entity, version, data }) => ({
    type,
    entityType: entity.type,
    entityId: entity.id,
    version,
    data,
    at: ctx.at,
  }))
  const written = await tx.execute<{ eventRow: string; messageId: string; createdAt: string; sequence: number }>(sql`
    INSERT INTO platform_events (type, entity_type, entity_id, version, payload, created_at)
    SELECT type, "entityType", "entityId", version, data, coalesce(at, now())
    FROM ${recordset(given)} AS e(type text, "entityType" text, "entityId" text, version integer, data jsonb, at timestamptz)
    RETURNING id::text AS "eventRow", event_id AS "messageId", created_at AS "createdAt", sequence`)
  await enqueueMessages(
    tx,
    ctx,
    given.flatMap(({ type, entityType, entityId, version, data }, at) =>
      endpoints.rows
        .filter(({ types }) => onlyTo !== undefined || types === null || types.includes(type))
        .map(({ id }) => ({
          ...written.rows[at]!,
          channel: 'platform' as const,
          type,
          entityType,
          entityId,
          version,
          payload: { ...data },
          endpointId: id,
          orderingKey: `${id}/${entityType}/${entityId}`,
        })),
    ),
  )
  return written.rows.map(({ messageId }) => messageId)
}
