import { sql } from 'drizzle-orm'
import { bigint, check, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { alarmOutputs as outputNames } from '#contract/alarms.ts'
import { instant, oneOf } from '#server/db/columns.ts'

/** How far each output of alarms is, and whether it fails. What comes after the two numbers is yet to be sent. */
export const alarmOutputs = pgTable(
  'alarm_outputs',
  {
    name: text('name', { enum: outputNames }).primaryKey(),
    /** The last security event, by `security_events.seq`. */
    eventSeq: bigint('event_seq', { mode: 'string' }).notNull(),
    /** The last audit row, by `audit_chain.seq`. */
    auditSeq: bigint('audit_seq', { mode: 'string' }).notNull(),
    startedAt: instant('started_at')
      .notNull()
      .default(sql`now()`),
    lastSentAt: instant('last_sent_at'),
    /** Tries that failed since the last one that did not. */
    failures: integer('failures').notNull().default(0),
    failingSince: instant('failing_since'),
    nextTryAt: instant('next_try_at'),
    problem: text('problem'),
  },
  (t) => [check('alarm_outputs_name_known', oneOf(t.name, outputNames))],
)
