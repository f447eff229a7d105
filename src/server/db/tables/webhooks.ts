import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
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
    tries: integer('tries').notNull().default(0),
    nextTryAt: instant('next_try_at'),
    leaseUntil: instant('lease_until'),
    lastFailedAt: instant('last_failed_at'),
    createdAt: createdAt(),
  },
  (t) => [
    unique('kyc_deliveries_attempt').on(t.memberId, t.attemptNumber),
    index('kyc_deliveries_due')
      .on(t.nextTryAt)
      .where(sql`state = 'waiting'`),
    index('kyc_deliveries_sending')
      .on(t.leaseUntil)
      .where(sql`state = 'sending'`),
    index('kyc_deliveries_unreached')
      .on(t.lastFailedAt)
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
