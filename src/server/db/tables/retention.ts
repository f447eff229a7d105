import { sql } from 'drizzle-orm'
import { check, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { maxRetentionDays, retentionKinds } from '#contract/retention.ts'
import { instant, oneOf } from '#server/db/columns.ts'
import { members } from './members.ts'

const now = (name: string) =>
  instant(name)
    .notNull()
    .default(sql`now()`)

/** How long what is kept. A kind without a row is kept until its member is erased. */
export const retentionRules = pgTable(
  'retention_rules',
  {
    kind: text('kind', { enum: retentionKinds }).primaryKey(),
    days: integer('days').notNull(),
    changedBy: text('changed_by').notNull(),
    changedAt: now('changed_at'),
  },
  (t) => [
    check('retention_rules_kind_known', oneOf(t.kind, retentionKinds)),
    check('retention_rules_days_range', sql`${t.days} BETWEEN 1 AND ${sql.raw(String(maxRetentionDays))}`),
  ],
)

/** Members of whom nothing is erased or deleted, whatever the rules say. */
export const legalHolds = pgTable('legal_holds', {
  memberId: text('member_id')
    .primaryKey()
    .references(() => members.id),
  reason: text('reason').notNull(),
  placedBy: text('placed_by').notNull(),
  placedAt: now('placed_at'),
})
