import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, identity, instant, oneOf } from '#server/db/columns.ts'
import { endpointId, eventRow } from './platform-events.ts'

/**
 * `platform`: events to the investment platform. `kyc`: cases to the KYC provider and its results. `email`, `chat`:
 * alerts to operators.
 */
export const channelNames = ['platform', 'kyc', 'email', 'chat'] as const
export type ChannelName = (typeof channelNames)[number]

/**
 * Of what goes out. `waiting`: due at `nextTryAt`, once nothing earlier of its ordering key is open. `sending`: one try
 * is under way until `leaseUntil` at the latest. `delivered`: the other side took it. `failed`: given up, and kept
 * until an operator sends it again. `dropped`: its endpoint was deleted.
 */
const sentStates = ['waiting', 'sending', 'delivered', 'failed', 'dropped'] as const

/**
 * Of what came in. `applied`: it changed the case. `recorded`: it was in order and changed nothing. `duplicate`: it
 * came before. `refused`: its signature, its form or its case was not in order.
 */
export const receivedStates = ['applied', 'recorded', 'duplicate', 'refused'] as const
export const signatureVerdicts = ['valid', 'missing', 'invalid', 'stale', 'replayed'] as const

const isOfKyc = sql`channel = 'kyc'`
const hasBody = sql`body_excerpt IS NOT NULL`
const isSending = sql`state = 'sending'`
const isAlert = sql`channel IN ('email', 'chat')`
/** Nobody needs it once it is old. A result that counted stays, as it keeps the same one from counting again. */
export const isOver = sql`(channel <> 'kyc' AND state IN ('delivered', 'dropped') OR state IN ('duplicate', 'refused'))`

/** Every signed message, out and in: of an event one for each endpoint. What goes out is written with its change. */
export const messages = pgTable(
  'messages',
  {
    /** Messages of one ordering key go out in this order. */
    id: identity(),
    channel: text('channel', { enum: channelNames }).notNull(),
    direction: text('direction', { enum: ['out', 'in'] }).notNull(),
    /** Of events: where to, and what. */
    endpointId: endpointId(),
    eventRow: eventRow(),
    /** `webhook-id`, the same over all tries; of what came in the provider's id, or what stands for one. */
    messageId: text('message_id').default(sql`gen_random_uuid()`),
    type: text('type').notNull(),
    entityType: text('entity_type').notNull(),
    /** Null where what came in named none. */
    entityId: text('entity_id'),
    /** Open messages of one key go out one after the other; null: in any order. */
    orderingKey: text('ordering_key'),
    /** Of KYC messages: which attempt of the member, and which case. */
    attemptNumber: integer('attempt_number'),
    caseId: text('case_id'),
    state: text('state', { enum: [...sentStates, ...receivedStates] })
      .notNull()
      .default('waiting'),
    /** Tries of the present sending, by hand or by the queue. */
    tries: integer('tries').notNull().default(0),
    /** Those among them that the queue made after an earlier one. */
    retries: integer('retries').notNull().default(0),
    nextTryAt: instant('next_try_at'),
    leaseUntil: instant('lease_until'),
    /** Null once it was delivered, or nobody waits for it any more. */
    lastFailedAt: instant('last_failed_at'),
    deliveredAt: instant('delivered_at'),
    /** Of what came in: the provider whose form it is in, how its signature was judged, and its signed time. */
    source: text('source'),
    signature: text('signature', { enum: signatureVerdicts }),
    signedAt: instant('signed_at'),
    /** Of what came in: what was done, or why not, in words; how it was answered; its body without personal data. */
    note: text('note'),
    httpStatus: integer('http_status'),
    latencyMs: integer('latency_ms'),
    bodyExcerpt: text('body_excerpt'),
    ipAddress: text('ip_address'),
    createdAt: createdAt(),
    /** Of what goes out: the MAC of what it says, by the code that wrote it. Nothing is sent without (063). */
    mac: text('mac'),
    /** Of alerts: the notices and their counts. What an event says is in its own row. */
    payload: jsonb('payload').$type<Record<string, unknown>>(),
  },
  (t) => [
    /** A case is one message, however often it is handed over. */
    uniqueIndex('messages_case')
      .on(t.entityId, t.attemptNumber)
      .where(sql`channel = 'kyc' AND direction = 'out'`),
    /** What came in counts once, however often it comes. */
    uniqueIndex('messages_taken')
      .on(t.source, t.messageId)
      .where(sql`state IN ('applied', 'recorded')`),
    index('messages_sent_id')
      .on(t.messageId)
      .where(sql`direction = 'out'`),
    index('messages_received_id')
      .on(t.messageId)
      .where(sql`direction = 'in'`),
    index('messages_entity').on(t.entityId, t.entityType, t.id),
    /** An event goes to an endpoint once. */
    uniqueIndex('messages_event')
      .on(t.eventRow, t.endpointId)
      .where(sql`channel = 'platform'`),
    index('messages_endpoint_walk')
      .on(t.endpointId, t.createdAt, t.id)
      .where(sql`channel = 'platform'`),
    /** What stands before a message of its ordering key. */
    index('messages_open')
      .on(t.orderingKey, t.id)
      .where(sql`state IN ('waiting', 'sending')`),
    index('messages_due')
      .on(t.channel, t.endpointId, t.nextTryAt, t.id)
      .where(sql`state = 'waiting'`),
    index('messages_sending').on(t.leaseUntil).where(isSending),
    index('messages_unreached')
      .on(t.lastFailedAt, t.id)
      .where(sql`channel = 'kyc' AND state <> 'delivered' AND last_failed_at IS NOT NULL`),
    index('messages_walk').on(t.createdAt, t.id),
    index('messages_state').on(t.state, t.createdAt, t.id),
    /** Most messages are events; these walk the others. */
    index('messages_kyc_walk').on(t.direction, t.createdAt, t.id).where(isOfKyc),
    index('messages_kyc_state').on(t.direction, t.state, t.createdAt, t.id).where(isOfKyc),
    index('messages_alert_walk').on(t.createdAt, t.id).where(isAlert),
    index('messages_alert_open')
      .on(t.createdAt)
      .where(sql`channel IN ('email', 'chat') AND state IN ('waiting', 'sending', 'failed')`),
    /** What retention deletes: nothing that is gone, or that stays, is read on the way to it. */
    index('messages_over').on(t.createdAt, t.id).where(isOver),
    index('messages_body').on(t.createdAt, t.id).where(hasBody),
    index('messages_endpoint_open')
      .on(t.endpointId, t.createdAt)
      .where(sql`channel = 'platform' AND state IN ('waiting', 'sending')`),
    check('messages_channel_known', oneOf(t.channel, channelNames)),
    check(
      'messages_of_events',
      sql`(${t.channel} = 'platform') = (${t.endpointId} IS NOT NULL) AND (${t.channel} = 'platform') = (${t.eventRow} IS NOT NULL)`,
    ),
    check(
      'messages_state_known',
      sql`CASE ${t.direction} WHEN 'out' THEN ${oneOf(t.state, sentStates)} WHEN 'in' THEN ${oneOf(t.state, receivedStates)} ELSE false END`,
    ),
    check('messages_signature_known', oneOf(t.signature, signatureVerdicts)),
  ],
)

/** One row a try to deliver a message. */
export const messageAttempts = pgTable(
  'message_attempts',
  {
    id: identity(),
    messageId: bigint('message_id', { mode: 'string' })
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
    /** The message's own. */
    channel: text('channel', { enum: channelNames }).notNull(),
    tryNumber: integer('try_number').notNull(),
    success: boolean('success').notNull(),
    errorMessage: text('error_message'),
    httpStatus: integer('http_status'),
    latencyMs: integer('latency_ms'),
    responseExcerpt: text('response_excerpt'),
    /** An operator's name, or that the queue tried by itself. */
    startedBy: text('started_by').notNull().default('queue'),
    createdAt: createdAt(),
  },
  (t) => [
    index('message_attempts_message').on(t.messageId, t.id),
    index('message_attempts_kyc_walk')
      .on(t.createdAt, t.id)
      .where(sql`channel = 'kyc'`),
    index('message_attempts_kyc_outcome')
      .on(t.success, t.createdAt, t.id)
      .where(sql`channel = 'kyc'`),
    index('message_attempts_response')
      .on(t.createdAt, t.id)
      .where(sql`response_excerpt IS NOT NULL`),
  ],
)
