import { eq, sql } from 'drizzle-orm'
import { approvalStateLabels, approvalTexts, readApprovalDesign } from '#contract/approvals.ts'
import { describeMissing } from '#contract/permission-labels.ts'
import type { Approval } from '#contract/schemas/approvals.ts'
import type { AdminAction } from '#contract/security.ts'
import { announce, audit } from '#server/core/audit.ts'
import { adminOf, type Ctx, hasPermission, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { approvals } from '#server/db/tables/approvals.ts'
import { AppError, conflict } from '#server/lib/errors.ts'
import { trimText } from '#contract/visible.ts'
import { isAbout, readApproval } from './list.ts'

export type ApprovalRow = typeof approvals.$inferSelect

/** A request that is locked until the transaction ends. */
export interface LockedApproval {
  row: ApprovalRow
  shown: Approval
}

/** Locks a request and reads it as it is then. Throws not_found, also for one that the admin may not view. */
export async function lockApproval(tx: Tx, ctx: Ctx, id: string): Promise<LockedApproval> {
  await readApproval(tx, ctx, id)
  const [row] = await tx.select().from(approvals).where(eq(approvals.id, id)).for('no key update')
  return { row: row!, shown: await readApproval(tx, ctx, id) }
}

/** Throws approval_closed with who closed it and when. */
export function requireOpen({ state, decidedBy, requestedBy, closedAt }: Approval): void {
  if (state === 'open') return
  const by = state === 'withdrawn' ? requestedBy : decidedBy
  throw conflict('approval_closed', `This request is ${approvalStateLabels[state].toLowerCase()}`, {
    status: state,
    by,
    at: closedAt,
  })
}

/**
 * Throws forbidden without the permissions of the action, approval_closed, own_approval for the admin's own request,
 * and own_account for one about the admin.
 */
export function requireDecidable(ctx: Ctx, { shown }: LockedApproval): void {
  const missing = readApprovalDesign(shown.action).decide.filter((permission) => !hasPermission(ctx, permission))
  if (missing.length > 0) throw new AppError('forbidden', describeMissing(missing))
  if (shown.isOwn) throw conflict('own_approval', approvalTexts.own)
  if (isAbout(shown.target, adminOf(ctx).id))
    throw conflict('own_account', 'Another operator has to decide what is about your own account')
  requireOpen(shown)
}

const closings = {
  approved: 'approve_request',
  declined: 'decline_request',
  withdrawn: 'withdraw_request',
  failed: 'fail_request',
} as const satisfies Partial<Record<Approval['state'], AdminAction>>

/** Closes a locked request, with its audit row. */
export async function closeApproval(
  tx: Tx,
  ctx: Ctx,
  { row, shown }: LockedApproval,
  state: keyof typeof closings,
  said: { comment?: string | null; failure?: string } = {},
): Promise<Approval> {
  const { comment = null, failure = null } = said
  const decidedBy = state === 'withdrawn' ? null : adminOf(ctx).id
  await tx
    .update(approvals)
    .set({ state, decidedBy, closedAt: sql`now()`, comment, failure })
    .where(eq(approvals.id, row.id))
  await audit(tx, ctx, {
    action: closings[state],
    target: { type: 'approval', id: row.id },
    details: {
      requested: row.action,
      target: { type: row.targetType, id: row.targetId },
      requestedBy: shown.requestedBy,
    },
    personal: {
      memberId: row.memberId,
      details: { name: row.targetName, ...(comment !== null && { comment }), ...(failure !== null && { failure }) },
    },
  })
  await announce(tx, 'approvals')
  return readApproval(tx, ctx, row.id)
}

/** Declines a request, with a comment. Throws not_found, forbidden, approval_closed, own_approval and own_account. */
export const declineRequest = (ctx: Ctx, id: string, comment: string): Promise<Approval> =>
  inTransaction(ctx, async (tx) => {
    const locked = await lockApproval(tx, ctx, id)
    requireDecidable(ctx, locked)
    return closeApproval(tx, ctx, locked, 'declined', { comment: trimText(comment) })
  })

/** Withdraws an own request. Throws not_found, forbidden for that of another operator, and approval_closed. */
export const withdrawRequest = (ctx: Ctx, id: string): Promise<Approval> =>
  inTransaction(ctx, async (tx) => {
    const locked = await lockApproval(tx, ctx, id)
    if (!locked.shown.isOwn) throw new AppError('forbidden', 'Only who has requested it can withdraw it')
    requireOpen(locked.shown)
    return closeApproval(tx, ctx, locked, 'withdrawn')
  })
