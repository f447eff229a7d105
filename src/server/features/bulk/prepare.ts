import { and, eq, lt, type SQL, sql } from 'drizzle-orm'
import { type BulkAction, bulkPreparedMinutes, bulkSampleSize, mostBulkRows } from '#contract/bulk.ts'
import type { BulkPrepared, PrepareBulk } from '#contract/schemas/bulk.ts'
import { adminOf, type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { pickRows, selectAllRows } from '#server/db/list-rows.ts'
import type { ListRequest } from '#server/db/list.ts'
import { bulkJobs } from '#server/db/tables/bulk.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import { omit } from '#server/lib/omit.ts'
import { bulkVerbs, countWhere } from './actions.ts'
import { mayNeedApproval, requireDailyLimit, requireSize } from './limits.ts'
import { readBulkJob, readSample } from './list.ts'
import { requireActionOf } from './permissions.ts'

/** An operator rarely has more than one dialog open. */
const mostPrepared = 4

/** The rows that are meant. Throws invalid. */
function readMeant({ action, ids, filter }: PrepareBulk): ListRequest {
  const { list } = bulkVerbs[action]
  if ((ids === undefined) === (filter === undefined)) throw invalidField('ids', 'either ids or a filter must be given')
  if (filter !== undefined) return list.build(omit(filter, ['page', 'limit', 'total']))
  return pickRows(list.build({}), list.ids, ids!)
}

/** Writes the rows of a job as they are now, in the order of their list. Returns how many: one more than a job takes, at most. */
async function freezeRows(tx: Tx, jobId: string, action: BulkAction, meant: ListRequest): Promise<number> {
  const { version, memberId, label } = bulkVerbs[action].list
  const { rows } = await tx.execute<{ count: number }>(sql`
    WITH frozen AS (
      INSERT INTO bulk_items (job_id, entity_id, version, member_id, label)
      SELECT ${jobId}::bigint, t.id::text, ${sql.raw(`${version}, ${memberId}, ${label}`)}
      ${selectAllRows(meant)} LIMIT ${mostBulkRows + 1} RETURNING id
    ) SELECT count(*)::int AS count FROM frozen`)
  return rows[0]!.count
}

/** What rows that are money come to, in each currency. */
async function sumRows(tx: Tx, { build, amount }: (typeof bulkVerbs)[BulkAction]['list'], ids: SQL) {
  if (!amount) return []
  const { rows } = await tx.execute<BulkPrepared['sums'][number]>(
    sql`SELECT t.currency, sum(${sql.raw(amount)})::text AS amount FROM ${sql.raw(build({}).list.table)} t
      WHERE t.id IN (${ids}) GROUP BY 1 ORDER BY sum(${sql.raw(amount)}) DESC, 1`,
  )
  return rows
}

/** Forgets what the operator prepared and left, but for the newest. */
const forgetOldest = (tx: Tx, adminId: string) =>
  tx.execute(sql`
    DELETE FROM bulk_jobs WHERE state = 'prepared' AND created_by = ${adminId} AND id NOT IN (
      SELECT id FROM bulk_jobs WHERE state = 'prepared' AND created_by = ${adminId} ORDER BY id DESC LIMIT ${mostPrepared - 1})`)

/**
 * Freezes the rows of a job, each with the version that it has now, and says what it would be about. Nothing is done to
 * them yet. Throws forbidden, invalid, bulk_empty and bulk_limit.
 */
export async function prepareBulk(ctx: Ctx, given: PrepareBulk): Promise<BulkPrepared> {
  const { action } = given
  requireActionOf(ctx, given)
  const meant = readMeant(given)
  const needsApproval = await mayNeedApproval(ctx, action)
  return inTransaction(ctx, async (tx) => {
    const { id: createdBy } = adminOf(ctx)
    await forgetOldest(tx, createdBy)
    // What was searched for may be a name.
    const filter = given.filter && omit(given.filter, ['page', 'limit', 'total', 'search'])
    const [job] = await tx
      .insert(bulkJobs)
      .values({ action, createdBy, ...(filter && { filter }) })
      .returning({ id: bulkJobs.id })
    const { id } = job!
    const total = await freezeRows(tx, id, action, meant)
    if (total === 0) throw new AppError('bulk_empty', 'Nothing matches any more')
    requireSize(action, total, needsApproval)
    await requireDailyLimit(tx, ctx, total)
    await tx.update(bulkJobs).set({ total }).where(eq(bulkJobs.id, id))
    const { list, isReady, countDoubtful } = bulkVerbs[action]
    const ids = sql`SELECT entity_id::${sql.raw(list.ids.type)} FROM bulk_items WHERE job_id = ${id}`
    return {
      sums: await sumRows(tx, list, ids),
      sample: await readSample(tx, id, bulkSampleSize),
      doubtful: (await countDoubtful?.(tx, ids)) ?? null,
      ready: await countWhere(list, isReady)(tx, ids),
      mayNeedApproval: needsApproval,
      job: await readBulkJob(tx, ctx, id),
    }
  })
}

/** Forgets what was prepared and never started. */
export async function deleteUnstartedJobs(db: Ctx['database']['db']): Promise<void> {
  await db
    .delete(bulkJobs)
    .where(
      and(
        eq(bulkJobs.state, 'prepared'),
        lt(bulkJobs.createdAt, sql`now() - make_interval(mins => ${bulkPreparedMinutes})`),
      ),
    )
}
