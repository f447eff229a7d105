import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { bulkActions, type BulkItemState, bulkItemStates, bulkStates, bulkStopCauses } from '#contract/bulk.ts'
import { createdAt, identity, instant, oneOf } from '#server/db/columns.ts'
import { admins } from './auth.ts'

const rowId = (name: string) => bigint(name, { mode: 'string' })

/** One action over many rows. Its rows are frozen when it is prepared, and each is done in a transaction of its own. */
export const bulkJobs = pgTable(
  'bulk_jobs',
  {
    id: identity(),
    action: text('action', { enum: bulkActions }).notNull(),
    state: text('state', { enum: bulkStates }).notNull().default('prepared'),
    createdBy: rowId('created_by')
      .notNull()
      .references(() => admins.id),
    /** The address of who started it, for the audit row of each change. */
    startedFrom: text('started_from'),
    /** Which rows of the list. Null: they were chosen one by one. */
    filter: jsonb('filter').$type<Record<string, string>>(),
    total: integer('total').notNull().default(0),
    /** By the outcome of its rows. Null until it has ended: they are counted. */
    counts: jsonb('counts').$type<Record<BulkItemState, number>>(),
    reason: text('reason'),
    createdAt: createdAt(),
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
    stopCause: text('stop_cause', { enum: bulkStopCauses }),
    stoppedBy: text('stopped_by'),
    /** When who started it looked at its end. */
    seenAt: instant('seen_at'),
  },
  (t) => [
    index('bulk_jobs_walk').on(t.createdAt, t.id),
    index('bulk_jobs_of').on(t.createdBy, t.createdAt, t.id),
    index('bulk_jobs_running')
      .on(t.id)
      .where(sql`state = 'running'`),
    index('bulk_jobs_unseen')
      .on(t.createdBy)
      .where(sql`seen_at IS NULL AND ended_at IS NOT NULL`),
    check('bulk_jobs_action_known', oneOf(t.action, bulkActions)),
    check('bulk_jobs_state_known', oneOf(t.state, bulkStates)),
    check('bulk_jobs_stop_cause_known', oneOf(t.stopCause, bulkStopCauses)),
    check('bulk_jobs_started', sql`(${t.startedAt} IS NULL) = (${t.state} = 'prepared')`),
    check('bulk_jobs_ended', sql`(${t.endedAt} IS NOT NULL) = (${t.state} IN ('stopped', 'done'))`),
    check('bulk_jobs_stopped', sql`(${t.stopCause} IS NOT NULL) = (${t.state} = 'stopped')`),
  ],
)

/** A row of a job: which, as of which version, and its outcome. Its id is its place in the order. */
export const bulkItems = pgTable(
  'bulk_items',
  {
    id: identity(),
    jobId: rowId('job_id')
      .notNull()
      .references(() => bulkJobs.id, { onDelete: 'cascade' }),
    entityId: text('entity_id').notNull(),
    /** The version that it had when the job was prepared. Null for what has none. */
    version: integer('version'),
    /** No foreign key: it says whom a row was about, also after the member is gone. */
    memberId: text('member_id'),
    label: text('label'),
    state: text('state', { enum: bulkItemStates }).notNull().default('waiting'),
    /** Failures that may pass by themselves. */
    tries: smallint('tries').notNull().default(0),
    code: text('code'),
    message: text('message'),
    approvalId: rowId('approval_id'),
    doneAt: instant('done_at'),
  },
  (t) => [
    index('bulk_items_walk').on(t.jobId, t.id),
    index('bulk_items_states').on(t.jobId, t.state),
    index('bulk_items_waiting')
      .on(t.jobId, t.id)
      .where(sql`state = 'waiting'`),
    uniqueIndex('bulk_items_once').on(t.jobId, t.entityId),
    index('bulk_items_member').on(t.memberId),
    check('bulk_items_state_known', oneOf(t.state, bulkItemStates)),
    check('bulk_items_done', sql`(${t.doneAt} IS NOT NULL) = (${t.state} <> 'waiting')`),
  ],
)
