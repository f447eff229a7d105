import { and, eq, isNull, notInArray, sql } from 'drizzle-orm'
import { announce } from '#server/core/audit.ts'
import { adminOf, type Ctx, inTransaction } from '#server/core/context.ts'
import { approvals } from '#server/db/tables/approvals.ts'
import { AppError } from '#server/lib/errors.ts'
import { readApproval } from './list.ts'

/**
 * Notes that who has requested it has seen how a request ended, so that it is no longer a notice. Changes nothing while
 * it waits, and once it was seen. Throws not_found, and forbidden for that of another operator.
 */
export async function seeApproval(ctx: Ctx, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { isOwn } = await readApproval(tx, ctx, id)
    if (!isOwn) throw new AppError('forbidden', 'Only who has requested it can say that it was seen')
    const seen = await tx
      .update(approvals)
      .set({ seenAt: sql`now()` })
      .where(
        and(
          eq(approvals.id, id),
          eq(approvals.requestedBy, adminOf(ctx).id),
          isNull(approvals.seenAt),
          notInArray(approvals.state, ['open', 'withdrawn']),
        ),
      )
      .returning({ id: approvals.id })
    if (seen.length > 0) await announce(tx, 'approvals')
  })
}
