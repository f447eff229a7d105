import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { readBulkDesign } from '#contract/bulk.ts'
import type { BulkJob } from '#contract/schemas/bulk.ts'
import { trimText } from '#contract/visible.ts'
import { announce, audit } from '#server/core/audit.ts'
import { adminOf, type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { bulkJobs } from '#server/db/tables/bulk.ts'
import { AppError, conflict, invalidField } from '#server/lib/errors.ts'
import { endJob } from './end.ts'
import { mayNeedApproval, requireDailyLimit, requireSize } from './limits.ts'
import { readBulkJob } from './list.ts'
import { requireActionOf } from './permissions.ts'

/** Locks a job that the admin may view until the transaction ends. Throws not_found. */
async function lockJob(tx: Tx, ctx: Ctx, id: string): Promise<BulkJob> {
  await tx.select({ id: bulkJobs.id }).from(bulkJobs).where(eq(bulkJobs.id, id)).for('update')
  return readBulkJob(tx, ctx, id)
}

const stateWords = { prepared: 'not started', running: 'running', stopped: 'stopped', done: 'done' } as const

const stateError = ({ state, stoppedBy, endedAt, startedAt }: BulkJob) =>
  conflict('bulk_state', `This bulk job is ${stateWords[state]} already`, {
    status: state,
    by: stoppedBy,
    at: endedAt ?? startedAt,
  })

/** Reads what is asked once for all rows, as the single call would take it. Throws invalid. */
function readReason({ action }: BulkJob, given: string | null | undefined): string | null {
  const { reason: design } = readBulkDesign(action)
  const reason = design && (trimText(given) || null)
  if (design?.refusal && reason === null) throw new AppError('invalid', design.refusal)
  if (design && reason !== null && reason.length > design.max)
    throw invalidField('reason', `must have at most ${design.max} characters`)
  return reason
}

/**
 * Starts a prepared job. Throws not_found, forbidden for another's and without the permission, bulk_state, invalid for
 * a missing reason, and bulk_limit.
 */
export async function startBulk(ctx: Ctx, id: string, given: string | null | undefined): Promise<BulkJob> {
  return inTransaction(ctx, async (tx) => {
    const job = await lockJob(tx, ctx, id)
    if (!job.isOwn) throw new AppError('forbidden', 'Only who has prepared a bulk job can start it')
    requireActionOf(ctx, job)
    if (job.state !== 'prepared') throw stateError(job)
    const reason = readReason(job, given)
    requireSize(job.action, job.total, await mayNeedApproval(ctx, job.action))
    await requireDailyLimit(tx, ctx, job.total)
    const [started] = await tx
      .update(bulkJobs)
      .set({ state: 'running', reason, startedAt: sql`now()`, startedFrom: ctx.ipAddress })
      .where(eq(bulkJobs.id, id))
      .returning({ filter: bulkJobs.filter })
    await audit(tx, ctx, {
      action: 'start_bulk',
      target: { type: 'bulk_job', id },
      details: { bulkAction: job.action, rows: job.total, ...(started!.filter && { filter: started!.filter }) },
      ...(reason !== null && { personal: { memberId: null, details: { reason } } }),
    })
    await announce(tx, 'bulk')
    return readBulkJob(tx, ctx, id)
  })
}

/** Stops a job before its next row. What is done stays done. Throws not_found, and bulk_state. */
export const stopBulk = (ctx: Ctx, id: string): Promise<BulkJob> =>
  inTransaction(ctx, async (tx) => {
    const job = await lockJob(tx, ctx, id)
    if (job.state !== 'running') throw stateError(job)
    await endJob(tx, ctx, job, 'operator')
    return readBulkJob(tx, ctx, id)
  })

/** Notes that who started it has seen how a job ended, so that it is no longer a notice. Throws not_found, and forbidden for another's. */
export async function seeBulk(ctx: Ctx, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { isOwn } = await readBulkJob(tx, ctx, id)
    if (!isOwn) throw new AppError('forbidden', 'Only who has started a bulk job can say that it was seen')
    const seen = await tx
      .update(bulkJobs)
      .set({ seenAt: sql`now()` })
      .where(
        and(
          eq(bulkJobs.id, id),
          eq(bulkJobs.createdBy, adminOf(ctx).id),
          isNull(bulkJobs.seenAt),
          isNotNull(bulkJobs.endedAt),
        ),
      )
      .returning({ id: bulkJobs.id })
    if (seen.length > 0) await announce(tx, 'bulk')
  })
}
