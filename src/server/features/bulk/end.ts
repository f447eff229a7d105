import { eq, sql } from 'drizzle-orm'
import type { BulkAction, bulkStopCauses } from '#contract/bulk.ts'
import type { BulkJob } from '#contract/schemas/bulk.ts'
import { actorName, announce, audit } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { bulkJobs } from '#server/db/tables/bulk.ts'
import { countStates } from './list.ts'

/** Forgets what was entered where a member of the job was erased while it ran. */
const keptReason = sql`CASE WHEN EXISTS (SELECT FROM bulk_items i JOIN members m ON m.id = i.member_id
  WHERE i.job_id = bulk_jobs.id AND m.erased_at IS NOT NULL) THEN NULL ELSE reason END`

/** Ends a running, locked job: stopped, or with no row left. Writes its counts, its audit row and the announcement. */
export async function endJob(
  tx: Tx,
  ctx: Ctx,
  { id, action }: { id: string; action: BulkAction },
  cause: (typeof bulkStopCauses)[number] | null,
): Promise<void> {
  const { rows } = await tx.execute<{ counts: BulkJob['counts'] }>(
    sql`SELECT ${sql.raw(countStates('j.id'))} AS counts FROM bulk_jobs j WHERE j.id = ${id}`,
  )
  const { counts } = rows[0]!
  await tx
    .update(bulkJobs)
    .set({
      state: cause ? 'stopped' : 'done',
      endedAt: sql`now()`,
      counts,
      reason: keptReason,
      ...(cause && { stopCause: cause, stoppedBy: actorName(ctx.actor) }),
    })
    .where(eq(bulkJobs.id, id))
  await audit(tx, ctx, {
    action: cause ? 'stop_bulk' : 'end_bulk',
    target: { type: 'bulk_job', id },
    details: { bulkAction: action, ...counts, ...(cause && { cause }) },
  })
  await announce(tx, 'bulk')
}
