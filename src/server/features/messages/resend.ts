import { sql } from 'drizzle-orm'
import type { EndpointState } from '#contract/endpoints.ts'
import type { Resend, Resent } from '#contract/schemas/messages.ts'
import type { Endpoint } from '#contract/schemas/endpoints.ts'
import { announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import type { ChannelName } from '#server/db/tables/messages.ts'
import { conflict, notFound } from '#server/lib/errors.ts'
import { textArray } from '#server/db/parameters.ts'
import { channels, isClosed } from './channels.ts'
import { readEndpoints } from './endpoints.ts'

/** Messages per statement. Locking and counting a hundred thousand takes some seconds. */
const messagesPerStatement = 10_000

type ChannelCounts = Record<ChannelName, number>

/**
 * Sends these messages again as soon as possible. Returns the number per channel. Skips received messages, leased ones, and
 * those that nobody waits for. Each gets all tries again, except a message of a channel that renews ids and is still
 * waiting: it continues.
 */
export async function resendMessages(tx: Tx, ids: readonly string[]): Promise<ChannelCounts> {
  const queued: ChannelCounts = { platform: 0, kyc: 0, email: 0, chat: 0 }
  const renewing = textArray(channels.filter(({ renewsId }) => renewsId).map(({ name }) => name))
  for (let from = 0; from < ids.length; from += messagesPerStatement) {
    // Everyone locks in the same order, so that two operators who resend the same messages do not deadlock.
    const { rows } = await tx.execute<{ channel: ChannelName; count: number }>(sql`
      WITH chosen AS MATERIALIZED (
        SELECT id, channel = ANY(${renewing}) AS renews, state IN ('delivered', 'failed') AS is_over FROM messages AS m
        WHERE id = ANY(${textArray(ids.slice(from, from + messagesPerStatement))}::bigint[]) AND direction = 'out'
          AND (state = 'sending' AND lease_until > clock_timestamp()) IS NOT TRUE AND NOT (${sql.raw(isClosed('m'))})
        ORDER BY id FOR UPDATE
      ), due AS (
        UPDATE messages AS m SET state = 'waiting', next_try_at = clock_timestamp(), lease_until = NULL,
          message_id = CASE WHEN renews AND is_over THEN gen_random_uuid()::text ELSE message_id END,
          tries = CASE WHEN renews AND NOT is_over THEN tries ELSE 0 END,
          retries = CASE WHEN renews AND NOT is_over THEN retries ELSE 0 END
        FROM chosen WHERE m.id = chosen.id RETURNING m.channel
      )
      SELECT channel, count(*)::integer AS count FROM due GROUP BY channel`)
    for (const { channel, count } of rows) queued[channel] += count
  }
  // 'kycWebhooks' is announced for the notices, which count failed messages.
  await announce(tx, 'messages', 'kycWebhooks')
  return queued
}

const auditTarget = (entityType: string, id: string) => ({ type: entityType === 'member' ? 'user' : entityType, id })

/**
 * Sends one event again by its `webhook-id`, to each endpoint that it went to. Throws not_found, and delivery_under_way
 * during a try.
 */
export const resendEvent = (ctx: Ctx, eventId: string): Promise<{ type: string; entityId: string }> =>
  inTransaction(ctx, async (tx) => {
    const { rows } = await tx.execute<{ id: string; type: string; entityType: string; entityId: string }>(sql`
      SELECT m.id::text, m.type, entity_type AS "entityType", entity_id AS "entityId"
      FROM messages AS m JOIN platform_endpoints AS p ON p.id = m.endpoint_id AND p.deleted_at IS NULL
      WHERE direction = 'out' AND channel = 'platform' AND message_id = ${eventId.toLowerCase()}`)
    const [event] = rows
    if (!event) throw notFound('Event')
    const ids = rows.map(({ id }) => id)
    if ((await resendMessages(tx, ids)).platform === 0)
      throw conflict('delivery_under_way', 'A try to send this event is under way; wait until it has ended')
    await audit(tx, ctx, {
      action: 'resend_deliveries',
      target: auditTarget(event.entityType, event.entityId),
      details: { eventId: eventId.toLowerCase(), type: event.type },
    })
    return event
  })

/** The messages to send again. */
interface SelectedMessages extends Record<ChannelName, string[]> {
  /** Received or unknown ones. */
  other: number
  /** Those of deleted endpoints. */
  dropped: number
}

/**
 * Sends messages again in one transaction. Skips received messages, tries under way, and cases
 * that are decided. Throws nothing_to_resend if none is left.
 */
export async function resendSelection(ctx: Ctx, { ids }: Resend): Promise<Resent> {
  const endpoints = await readEndpoints(ctx)
  return inTransaction(ctx, async (tx) => {
    const meant = await selectByIds(tx, ids)
    const sent = listSelected(meant)
    const { platform: events, kyc: cases, email, chat } = await resendMessages(tx, sent)
    const alerts = email + chat
    const queued = events + cases + alerts
    const chosen = sent.length + meant.other + meant.dropped
    const skipped = chosen - queued
    if (queued === 0) throw conflict('nothing_to_resend', describeNothingToResend(meant))
    await audit(tx, ctx, {
      action: 'resend_deliveries',
      ...(chosen === 1 && { target: await readAuditTarget(tx, sent[0]!) }),
      details: { chosen: ids.length, events, cases, ...(alerts > 0 && { alerts }), skipped },
    })
    return {
      queued,
      skipped,
      message: [
        describeResult(queued, skipped),
        ...listObstacles(endpoints, await listEndpointIds(tx, meant.platform)),
      ].join(' '),
    }
  })
}

const listSelected = ({ platform, kyc, email, chat }: SelectedMessages) => [...platform, ...kyc, ...email, ...chat]

async function selectByIds(tx: Tx, ids: readonly string[]): Promise<SelectedMessages> {
  const { rows } = await tx.execute<{ channel: ChannelName | 'other' | 'dropped'; ids: string[] }>(sql`
    SELECT CASE WHEN direction = 'in' THEN 'other' WHEN state = 'dropped' THEN 'dropped' ELSE channel END AS channel,
      array_agg(id::text ORDER BY id) AS ids
    FROM messages AS t WHERE id = ANY(${textArray(ids)}::bigint[]) GROUP BY 1`)
  const meant: SelectedMessages = { platform: [], kyc: [], email: [], chat: [], other: 0, dropped: 0 }
  for (const { channel, ids: found } of rows)
    if (channel === 'other' || channel === 'dropped') meant[channel] = found.length
    else meant[channel] = found
  return { ...meant, other: new Set(ids).size - listSelected(meant).length - meant.dropped }
}

/** The audit target if exactly one message was chosen (product 6.9). */
async function readAuditTarget(tx: Tx, id: string) {
  const { rows } = await tx.execute<{ type: string; entity: string }>(
    sql`SELECT entity_type AS type, entity_id AS entity FROM messages WHERE id = ${id}`,
  )
  return auditTarget(rows[0]!.type, rows[0]!.entity)
}

function describeNothingToResend(meant: SelectedMessages): string {
  const { kyc, email, chat, dropped } = meant
  const isNone = listSelected(meant).length === 0
  if (isNone && dropped > 0)
    return 'These messages were dropped, as their endpoint was deleted or nobody waits for them any more, and never go out'
  if (isNone) return 'These messages came in; only what went out can be sent again'
  if (email.length + chat.length > 0)
    return 'Nothing to send again: a message is being sent now, or is too old, or its operator gets no alerts there'
  if (kyc.length === 0) return 'Nothing to send again: these messages are being sent now'
  return 'Nothing to send again: a message is being sent now, or its case has been decided'
}

function describeResult(queued: number, skipped: number): string {
  const sent = queued === 1 ? '1 message goes out again.' : `${queued.toLocaleString('en')} messages go out again.`
  return skipped === 0
    ? sent
    : `${sent} ${skipped.toLocaleString('en')} skipped: came in, dropped, under way, or decided.`
}

async function listEndpointIds(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    SELECT DISTINCT endpoint_id::text AS id FROM messages WHERE id = ANY(${textArray(ids)}::bigint[]) AND state = 'waiting'`)
  return new Set(rows.map(({ id }) => id))
}

const obstacleTexts: Partial<Record<EndpointState, string>> = {
  unset: 'Events wait until PLATFORM_WEBHOOK_URL is set.',
  paused: 'Events wait until the endpoint is resumed.',
  off: 'Events wait until the endpoint is switched on.',
}

/** Why messages to these endpoints do not go out now. */
const listObstacles = (endpoints: readonly Endpoint[], ids: ReadonlySet<string>): string[] => [
  ...new Set(endpoints.flatMap(({ id, state }) => (ids.has(id) ? (obstacleTexts[state] ?? []) : []))),
]
