import { sql } from 'drizzle-orm'
import { check, date, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { type AlertKind, alertKinds, alertOutputs, defaultDigestHour } from '#contract/alerts.ts'
import { instant, oneOf, version } from '#server/db/columns.ts'
import { adminId } from './auth.ts'

/** Where an operator gets alerts. */
export const alertRecipients = pgTable(
  'alert_recipients',
  {
    adminId: adminId().primaryKey(),
    /** Only one whose code was entered. */
    email: text('email'),
    /** An address that is to be confirmed. Its code is computed and stored nowhere. */
    waitingEmail: text('waiting_email'),
    codeSentAt: instant('code_sent_at'),
    codeFailures: smallint('code_failures').notNull().default(0),
    /** A secret: who knows it can write to the chat. */
    chatUrl: text('chat_url'),
    /** Null until the operator has chosen. */
    timeZone: text('time_zone'),
    digestHour: smallint('digest_hour').notNull().default(defaultDigestHour),
    /** The last day, in that zone, whose digest is over: written, empty, or past when digests were chosen. */
    digestOn: date('digest_on', { mode: 'string' }),
    version: version(),
  },
  (t) => [check('alert_recipients_hour', sql`${t.digestHour} BETWEEN 0 AND 23`)],
)

/** A notice that an operator gets by an output, and what the operator was told of it. Without a row it is off. */
export const alertChoices = pgTable(
  'alert_choices',
  {
    adminId: adminId(),
    output: text('output', { enum: alertOutputs }).notNull(),
    kind: text('kind', { enum: alertKinds as [AlertKind, ...AlertKind[]] }).notNull(),
    timing: text('timing', { enum: ['at_once', 'digest'] }).notNull(),
    /** The count that was told, or that was there when it was chosen. Null: not looked at yet. */
    toldCount: integer('told_count'),
    toldAt: instant('told_at'),
  },
  (t) => [
    primaryKey({ columns: [t.adminId, t.output, t.kind] }),
    check('alert_choices_output_known', oneOf(t.output, alertOutputs)),
    check('alert_choices_timing_known', oneOf(t.timing, ['at_once', 'digest'])),
  ],
)
