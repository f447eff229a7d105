import { sql } from 'drizzle-orm'
import { bulkItemStates } from '#contract/bulk.ts'
import type { BulkItem, BulkItemsQuery, BulkJob, BulkJobsQuery } from '#contract/schemas/bulk.ts'
import { adminOf, type Ctx, hasPermission } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { dateOrders, type ListDesign, type ListFilter, type ListRequest, readList } from '#server/db/list.ts'
import { expressions, instant, jsonObject, selectColumns } from '#server/db/select.ts'
import { bulkItems, bulkJobs } from '#server/db/tables/bulk.ts'
import { members } from '#server/db/tables/members.ts'
import { notFound } from '#server/lib/errors.ts'
import { requireActionOf } from './permissions.ts'

const { id, action, state, reason, createdAt, startedAt, endedAt, stopCause, stoppedBy } = bulkJobs

/** The rows of the job `job` by their outcome. */
export const countStates = (job: string) =>
  `(SELECT json_build_object(${bulkItemStates
    .map((each) => `'${each}', count(*) FILTER (WHERE i.state = '${each}')`)
    .join(', ')}) FROM bulk_items i WHERE i.job_id = ${job})`

/** Whether it has ended, and who started it has not looked at it since. */
const isUnseen = 't.seen_at IS NULL AND t.ended_at IS NOT NULL'
/** Whether there are rows among that which were not done. */
const isUnfinished = `${isUnseen}
  AND (t.counts->'skipped')::int + (t.counts->'failed')::int + (t.counts->'waiting')::int > 0`

const jobList: ListDesign = {
  table: 'bulk_jobs',
  at: 'created_at',
  select: {
    ...expressions({ id, action, state, reason, createdAt, startedAt, endedAt, stopCause, stoppedBy }, 't'),
    // `total` is the list's.
    size: 't.total',
    counts: `coalesce(t.counts, ${countStates('t.id')}::jsonb)`,
    createdBy: 'a.username',
    creatorId: 't.created_by::text',
    isSeen: `NOT (${isUnseen})`,
  },
  join: 'JOIN admins a ON a.id = t.created_by',
}

type JobRow = Omit<BulkJob, 'isOwn' | 'total'> & { creatorId: string; size: number }

/** The own jobs, and all that were started for who manages operators and may have to stop one. */
function visibleTo(ctx: Ctx): ListFilter[] {
  if (hasPermission(ctx, 'operators.manage')) return [{ rows: `t.state <> 'prepared'`, leaves: null }]
  return [{ rows: `t.created_by = $value::bigint AND t.state <> 'prepared'`, leaves: null, value: adminOf(ctx).id }]
}

const ofAdmin = (ctx: Ctx, more: string): ListFilter => ({
  rows: `t.created_by = $value::bigint AND ${more}`,
  leaves: null,
  value: adminOf(ctx).id,
})

/** Running, or ended in the admin's session. */
const endedSince = (ctx: Ctx): ListFilter => ({
  rows: `t.ended_at IS NULL OR t.ended_at >= (SELECT s.created_at FROM sessions s WHERE s.id = $value::bigint)`,
  leaves: null,
  value: adminOf(ctx).sessionId,
})

const buildJobList = (ctx: Ctx, { state: wanted, view }: Partial<BulkJobsQuery>): ListRequest => ({
  list: jobList,
  filters: [
    ...visibleTo(ctx),
    ...(wanted ? [{ rows: `t.state = '${wanted}'`, leaves: null }] : []),
    ...(view === 'own' ? [ofAdmin(ctx, 'true')] : []),
    ...(view === 'unseen' ? [ofAdmin(ctx, isUnfinished)] : []),
    ...(view === 'current' ? [ofAdmin(ctx, `(t.state = 'running' OR (${isUnseen}))`), endedSince(ctx)] : []),
  ],
})

const toJob = (ctx: Ctx, { creatorId, size, ...job }: JobRow): BulkJob => ({
  ...job,
  total: size,
  isOwn: creatorId === adminOf(ctx).id,
})

/** Jobs that were started, newest first (product 5.18). */
export async function listBulkJobs(ctx: Ctx, query: BulkJobsQuery) {
  const { rows, ...rest } = await readList<JobRow>(ctx.reads, buildJobList(ctx, query), query)
  return { jobs: rows.map((row) => toJob(ctx, row)), ...rest }
}

/** One job. Throws not_found, also for another's that the admin may not view. */
export async function readBulkJob(db: Db | Tx, ctx: Ctx, jobId: string): Promise<BulkJob> {
  const { rows } = await db.execute<Record<string, unknown>>(
    sql`${sql.raw(`SELECT ${selectColumns(jobList.select)} FROM bulk_jobs t ${jobList.join}`)} WHERE t.id = ${jobId}`,
  )
  // The selected columns are those of the contract.
  const row = rows[0] as unknown as JobRow | undefined
  const job = row && toJob(ctx, row)
  if (!job || !(job.isOwn || hasPermission(ctx, 'operators.manage'))) throw notFound('Bulk job')
  return job
}

/** The number of own jobs that have ended with rows that were not done, and were not looked at since (product 3.6). */
export async function countUnseenJobs(ctx: Ctx): Promise<number> {
  const text = `SELECT count(*)::int AS count FROM bulk_jobs t WHERE t.created_by = $1 AND ${isUnfinished}`
  const { rows } = await ctx.database.pool.query<{ count: number }>({
    name: 'bulk_unseen',
    text,
    values: [adminOf(ctx).id],
  })
  return rows[0]!.count
}

const nameColumns = {
  id: members.id,
  email: members.email,
  legalFirstName: members.legalFirstName,
  legalLastName: members.legalLastName,
}
const item = bulkItems

/** What a row is about, for the first rows of a job and for its result. */
const subject = {
  entityId: 't.entity_id',
  label: 't.label',
  user: `CASE WHEN m.id IS NOT NULL THEN ${jsonObject(nameColumns, 'm')} END`,
}
const itemList: ListDesign = {
  table: 'bulk_items',
  // All of a job: they are in the order of their ids.
  at: 'job_id',
  order: dateOrders.oldest,
  select: {
    ...expressions({ id: item.id, code: item.code, message: item.message, approvalId: item.approvalId }, 't'),
    ...subject,
    state: 't.state',
    doneAt: instant('t.done_at'),
  },
  join: 'LEFT JOIN members m ON m.id = t.member_id',
}

const buildItemList = (jobId: string, { state: wanted }: Partial<BulkItemsQuery>): ListRequest => ({
  list: itemList,
  filters: [
    { rows: 't.job_id = $value::bigint', leaves: null, value: jobId },
    ...(wanted ? [{ rows: `t.state = '${wanted}'`, leaves: null }] : []),
  ],
})

/** The rows of a job in their order, with the outcome of each. Throws not_found, and forbidden as the action would. */
export async function listBulkItems(ctx: Ctx, jobId: string, query: BulkItemsQuery) {
  requireActionOf(ctx, await readBulkJob(ctx.database.db, ctx, jobId))
  const { rows: items, ...rest } = await readList<BulkItem>(ctx.reads, buildItemList(jobId, query), query)
  return { items, ...rest }
}

/** All rows of a job. */
export async function readBulkItems({ database }: Ctx, jobId: string): Promise<BulkItem[]> {
  const { rows } = await database.pool.query<BulkItem>(
    `SELECT ${selectColumns(itemList.select)} FROM bulk_items t ${itemList.join} WHERE t.job_id = $1 ORDER BY t.id`,
    [jobId],
  )
  return rows
}

/** The first rows of a job. */
export async function readSample(tx: Tx, jobId: string, size: number) {
  const { rows } = await tx.execute<Pick<BulkItem, 'entityId' | 'label' | 'user'>>(
    sql`${sql.raw(`SELECT ${selectColumns(subject)} FROM bulk_items t ${itemList.join}`)}
      WHERE t.job_id = ${jobId} ORDER BY t.id LIMIT ${size}`,
  )
  return rows
}
