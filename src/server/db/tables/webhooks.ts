import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, identity } from '#server/db/columns.ts'
import { members } from './users.ts'

/** One row a delivery attempt to the KYC provider. */
export const kycWebhookLogs = pgTable(
  'kyc_webhook_logs',
  {
    id: identity(),
    memberId: text('member_id')
      .notNull()
      .references(() => members.id, { onDelete: 'cascade' }),
    attemptNumber: integer('attempt_number').notNull(),
    success: boolean('success').notNull(),
    errorMessage: text('error_message'),
    createdAt: createdAt(),
  },
  (t) => [
    index('kyc_webhook_logs_walk').on(t.createdAt, t.id),
    index('kyc_webhook_logs_outcome').on(t.success, t.createdAt, t.id),
    index('kyc_webhook_logs_member').on(t.memberId, t.createdAt, t.id),
  ],
)
