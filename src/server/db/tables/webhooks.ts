import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, identity, instant, oneOf } from '#server/db/columns.ts'
import { members } from './users.ts'

const memberId = () =>
  text('member_id')
    .notNull()
    .references(() => members.id, { onDelete: 'cascade' })

/**
 * `waiting`: due at `nextTryAt`. `sending`: one try is under way until `leaseUntil` at the latest. `delivered`: the provider
 * took the case. `failed`: given up, until an operator tries again.
 */
export const deliveryStates = ['waiting', 'sending', 'delivered', 'failed'] as const

/** The queue of cases for the KYC provider: one row a submitted attempt that is, or was, to be sent. */
export const kycDeliveries = pgTable(
  'kyc_deliveries',
  {
    id: identity(),
    memberId: memberId(),
    attemptNumber: integer('attempt_number').notNull(),
    /** The same over every try of one sending, so that the provider knows a repeated one. */
    webhookId: uuid('webhook_id')
      .notNull()
      .default(sql`gen_random_uuid()`),
    state: text('state', { enum: deliveryStates }).notNull(),
    /** Of this sending, by hand or by the queue. */
    tries: integer('tries').notNull().default(0),
    /** Those among them that the queue made after a failed one, five at most (PRODUCT 3.18). */
    retries: integer('retries').notNull().default(0),
    nextTryAt: instant('next_try_at'),
    leaseUntil: instant('lease_until'),
    lastFailedAt: instant('last_failed_at'),
    createdAt: createdAt(),
  },
  (t) => [
    unique('kyc_deliveries_attempt').on(t.memberId, t.attemptNumber),
    index('kyc_deliveries_walk').on(t.createdAt, sql`(id * 4 + 2)`),
    index('kyc_deliveries_state').on(t.state, t.createdAt, sql`(id * 4 + 2)`),
    index('kyc_deliveries_webhook').on(t.webhookId),
    index('kyc_deliveries_due')
      .on(t.nextTryAt)
      .where(sql`state = 'waiting'`),
    index('kyc_deliveries_sending')
      .on(t.leaseUntil)
      .where(sql`state = 'sending'`),
    index('kyc_deliveries_unreached')
      .on(t.lastFailedAt, t.id)
      .where(sql`state <> 'delivered' AND last_failed_at IS NOT NULL`),
    check('kyc_deliveries_state_known', oneOf(t.state, deliveryStates)),
  ],
)

/** One row a delivery attempt to the KYC provider. */
export const kycWebhookLogs = pgTable(
  'kyc_webhook_logs',
  {
    id: identity(),
    memberId: memberId(),
    attemptNumber: integer('attempt_number').notNull(),
    tryNumber: integer('try_number').notNull().default(1),
    success: boolean('success').notNull(),
    errorMessage: text('error_message'),
    httpStatus: integer('http_status'),
    latencyMs: integer('latency_ms'),
    responseExcerpt: text('response_excerpt'),
    startedBy: text('started_by').notNull().default('queue'),
    createdAt: createdAt(),
  },
  (t) => [
    index('kyc_webhook_logs_walk').on(t.createdAt, t.id),
    index('kyc_webhook_logs_outcome').on(t.success, t.createdAt, t.id),
    index('kyc_webhook_logs_member').on(t.memberId, t.createdAt, t.id),
  ],
)

/**
 * `applied`: it changed the case. `recorded`: it was in order and changed nothing. `duplicate`: heard before. `refused`: its
 * signature, its form or its case was not in order.
 */
export const receiptStates = ['applied', 'recorded', 'duplicate', 'refused'] as const
export const signatureVerdicts = ['valid', 'missing', 'invalid', 'stale', 'replayed'] as const

/** One row a message that came in from the KYC provider, whatever became of it. */
export const kycReceipts = pgTable(
  'kyc_receipts',
  {
    id: identity(),
    source: text('source', { enum: ['standard', 'sumsub'] }).notNull(),
    /** The message's id, or what stands for one where the provider gives none. */
    webhookId: text('webhook_id'),
    /** The time that the message itself is signed with. */
    sentAt: instant('sent_at'),
    signature: text('signature', { enum: signatureVerdicts }).notNull(),
    type: text('type').notNull(),
    memberId: text('member_id'),
    attemptNumber: integer('attempt_number'),
    caseId: text('case_id'),
    state: text('state', { enum: receiptStates }).notNull(),
    /** What was done with it, or why not, in words. */
    note: text('note').notNull(),
    httpStatus: integer('http_status').notNull(),
    latencyMs: integer('latency_ms').notNull(),
    /** The body without personal data and secrets. */
    bodyExcerpt: text('body_excerpt'),
    ipAddress: text('ip_address'),
    createdAt: createdAt(),
  },
  (t) => [
    /** A message counts once, however often it comes. */
    uniqueIndex('kyc_receipts_message')
      .on(t.source, t.webhookId)
      .where(sql`state IN ('applied', 'recorded')`),
    index('kyc_receipts_walk').on(t.createdAt, sql`(id * 4 + 3)`),
    index('kyc_receipts_state').on(t.state, t.createdAt, sql`(id * 4 + 3)`),
    index('kyc_receipts_webhook').on(t.webhookId),
    index('kyc_receipts_member').on(t.memberId, t.createdAt),
    check('kyc_receipts_state_known', oneOf(t.state, receiptStates)),
    check('kyc_receipts_signature_known', oneOf(t.signature, signatureVerdicts)),
  ],
)
