import { sql } from 'drizzle-orm'
import { type BulkAction, bulkLimits, mostBulkRequests, mostBulkRows, readBulkDesign } from '#contract/bulk.ts'
import { readApprovalDesign } from '#contract/approvals.ts'
import { roleLabels } from '#contract/permissions.ts'
import { adminOf, type Ctx } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import type { Tx } from '#server/db/client.ts'
import { findRule } from '#server/features/approvals/service.ts'
import { AppError } from '#server/lib/errors.ts'

const format = (count: number) => count.toLocaleString('en')
const limitError = (message: string) => new AppError('bulk_limit', message)

/** Whether a rule may send rows of the admin's job to a second operator. */
export async function mayNeedApproval(ctx: Ctx, action: BulkAction): Promise<boolean> {
  const { approval } = readBulkDesign(action)
  return approval !== null && (await findRule(ctx, approval)) !== null
}

/** Throws bulk_limit for more rows than one job takes, and for more than a second operator decides one by one. */
export function requireSize(action: BulkAction, total: number, needsApproval: boolean): void {
  if (total > mostBulkRows)
    throw limitError(`At most ${format(mostBulkRows)} rows at once. Narrow the filters, and do the rest after it.`)
  const { approval } = readBulkDesign(action)
  if (needsApproval && approval && total > mostBulkRequests)
    throw limitError(
      `An approval rule covers “${readApprovalDesign(approval).label}”: each row would wait for a second operator. ` +
        `At most ${mostBulkRequests} rows at once then.`,
    )
}

/**
 * Throws bulk_limit if these rows would be more than the operator's role may change in bulk in a day. Starts of one
 * operator wait here for each other, so that two at once do not pass the limit together.
 */
export async function requireDailyLimit(tx: Tx, ctx: Ctx, total: number): Promise<void> {
  const { id, role } = adminOf(ctx)
  const limit = bulkLimits[role]
  if (limit === null) return
  await lockInTransaction(tx, `bulk of ${id}`)
  const { rows } = await tx.execute<{ changed: number }>(sql`
    SELECT coalesce(sum(total), 0)::float8 AS changed FROM bulk_jobs
    WHERE created_by = ${id} AND started_at > now() - interval '24 hours'`)
  const { changed } = rows[0]!
  if (changed + total <= limit) return
  throw limitError(
    `These are ${format(total)} rows. The role ${roleLabels[role]} changes at most ${format(limit)} rows in bulk in 24 hours, ` +
      `and you have begun ${format(changed)}.`,
  )
}
