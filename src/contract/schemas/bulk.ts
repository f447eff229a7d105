import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { bulkItemList, bulkJobList } from '#contract/lists.ts'
import { bulkActions, bulkItemStates, bulkStates, bulkStopCauses, mostBulkIds } from '#contract/bulk.ts'
import { maxAdminNotes } from '#contract/members.ts'
import { listQuery, pageOf, RowId, text, Timestamp } from './common.ts'

const count = z.int()

/** One action over many rows, each of which is done, skipped or failed by itself. */
export const BulkJob = z.object({
  id: z.string(),
  action: z.enum(bulkActions),
  state: z.enum(bulkStates),
  /** Rows, by their outcome. */
  total: count,
  counts: z.object({ waiting: count, done: count, requested: count, skipped: count, failed: count }),
  /** What was entered once for all rows. Null: nothing, or a member whom it was about was erased. */
  reason: z.nullable(z.string()),
  createdBy: z.string(),
  isOwn: z.boolean(),
  createdAt: Timestamp,
  startedAt: z.nullable(Timestamp),
  endedAt: z.nullable(Timestamp),
  stopCause: z.nullable(z.enum(bulkStopCauses)),
  stoppedBy: z.nullable(z.string()),
  /** Whether it has not ended yet, or who started it has looked at how it did. */
  isSeen: z.boolean(),
})
export type BulkJob = z.infer<typeof BulkJob>

/** What a row is about. */
const subject = {
  /** The id of the member, order, case, message or event. */
  entityId: z.string(),
  /** The number of an order, the type of a message or event. Null: it is told by its member. */
  label: z.nullable(z.string()),
  user: z.nullable(
    z.object({
      id: z.string(),
      email: z.string(),
      legalFirstName: z.nullable(z.string()),
      legalLastName: z.nullable(z.string()),
    }),
  ),
}

export const BulkItem = z.object({
  id: z.string(),
  ...subject,
  state: z.enum(bulkItemStates),
  /** The error code of a row that was skipped or failed, and its message. */
  code: z.nullable(z.string()),
  message: z.nullable(z.string()),
  approvalId: z.nullable(z.string()),
  doneAt: z.nullable(Timestamp),
})
export type BulkItem = z.infer<typeof BulkItem>

/** Rows that are chosen one by one. */
export const ChosenIds = z
  .array(text(64, 1))
  .check(
    z.minLength(1, 'must name at least one row'),
    z.maxLength(mostBulkIds, `must name at most ${mostBulkIds} rows`),
  )

/** Either the chosen rows, or all that a filter of the list shows. */
export const PrepareBulk = z.strictObject({
  action: z.enum(bulkActions, { error: `must be one of ${bulkActions.join(', ')}` }),
  ids: z.optional(ChosenIds),
  /** The query of the list's call. */
  filter: z.optional(z.record(text(40, 1), text(200))),
})
export type PrepareBulk = z.infer<typeof PrepareBulk>

export const BulkPrepared = z.object({
  job: BulkJob,
  /** The first rows, in the order of the list. */
  sample: z.array(z.object(subject)),
  /** Of rows that are money: their sum in each currency, the largest first. Empty for others. */
  sums: z.array(z.object({ currency: z.string(), amount: z.string() })),
  /** How many of them it can be done to, as they are now. */
  ready: count,
  /**
   * How many of them have what speaks against it: cases to approve that lack something (product 7.1), orders to mark
   * paid that a line of the bank may pay, messages to send again that came before a newer one. Null for other actions.
   */
  doubtful: z.nullable(count),
  /** A rule may send each row to a second operator. */
  mayNeedApproval: z.boolean(),
})
export type BulkPrepared = z.infer<typeof BulkPrepared>

export const BulkJobsQuery = z.object(listQuery(bulkJobList))
export type BulkJobsQuery = z.infer<typeof BulkJobsQuery>

export const BulkItemsQuery = z.object(listQuery(bulkItemList))
export type BulkItemsQuery = z.infer<typeof BulkItemsQuery>

const params = z.object({ id: RowId })
const Changed = z.object({ message: z.string(), job: BulkJob })

export const bulkSchemas = {
  list: {
    summary: 'Bulk jobs, newest first: the own ones, and those of others for who manages operators',
    query: BulkJobsQuery,
    reply: pageOf('jobs', BulkJob),
  },
  prepare: {
    summary: 'Freeze the rows of a bulk job, and show what it would be about; nothing is done yet',
    body: PrepareBulk,
    reply: BulkPrepared,
    refuses: ['forbidden', 'bulk_empty', 'bulk_limit'],
  },
  detail: { summary: 'One bulk job with its counts', params, reply: z.object({ job: BulkJob }) },
  items: {
    summary: 'The rows of a bulk job, in their order, with the outcome of each',
    params,
    query: BulkItemsQuery,
    reply: pageOf('items', BulkItem),
    refuses: ['forbidden'],
  },
  start: {
    summary: 'Start a prepared bulk job, with its reason',
    params,
    body: z.strictObject({ reason: z.optional(z.nullable(text(maxAdminNotes))) }),
    reply: Changed,
    refuses: ['forbidden', 'bulk_state', 'bulk_limit'],
  },
  stop: { summary: 'Stop a bulk job; what is done stays done', params, reply: Changed, refuses: ['bulk_state'] },
  see: {
    summary: 'Say that an own job was looked at, so that its end is no longer a notice; 204',
    params,
    refuses: ['forbidden'],
  },
  result: { summary: 'The rows of a bulk job as CSV, with the outcome of each', params, refuses: ['export_limit'] },
} satisfies Record<string, RouteSchemas>
