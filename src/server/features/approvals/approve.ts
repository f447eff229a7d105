import { and, eq } from 'drizzle-orm'
import type { Approval } from '#contract/schemas/approvals.ts'
import { trimText } from '#contract/visible.ts'
import { adminOf, type Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { admins } from '#server/db/tables/auth.ts'
import { isActive } from '#server/features/auth/service.ts'
import { AppError, conflict, type ErrorCode } from '#server/lib/errors.ts'
import type { ApprovableCalls, GivenCall } from './approvable.ts'
import { type ApprovalRow, closeApproval, type LockedApproval, lockApproval, requireDecidable } from './decide.ts'
import { describeLeftRequester } from './list.ts'

/** Refusals that pass by themselves: somebody has the target open. The request then stays. */
const passing = new Set<ErrorCode>(['line_claimed', 'case_claimed'])

/** Whether the same call will be refused for ever, as its target has moved on. */
const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError && error.status < 500 && error.retryAfter === undefined && !passing.has(error.code)

/** Who has requested it, as the operator is now. Throws requester_left where nobody may do it in that name any more. */
async function readRequester(tx: Tx, { config }: Ctx, { row, shown }: LockedApproval) {
  if (shown.approvalProblem !== null) throw conflict('requester_left', shown.approvalProblem)
  const [requester] = await tx
    .select({ id: admins.id, name: admins.username, role: admins.role })
    .from(admins)
    .where(and(eq(admins.id, row.requestedBy), isActive(config)))
  if (!requester) throw conflict('requester_left', describeLeftRequester(shown.requestedBy))
  return requester
}

/** The stored call, read by the contract's schemas as when it was made. Throws invalid where they have changed. */
function readGiven({ params, body, call, targetVersion }: ApprovalRow, calls: ApprovableCalls): GivenCall {
  const { route } = calls.find(call)
  const [givenParams, givenBody] = [
    route.params?.safeParse(params),
    // A call whose body may be left out has stored null.
    body === null ? undefined : route.body?.safeParse(body),
  ]
  if (givenParams?.success === false || givenBody?.success === false)
    throw new AppError('invalid', 'The console takes this change in another form now; request it again')
  return { params: givenParams?.data, body: givenBody?.data, ifMatch: targetVersion ?? undefined }
}

/**
 * The link of an invitation, which its reply alone has. The approver gets it, since the reply to the request had none.
 */
const readLink = (reply: unknown): string | null => {
  const { link } = Object(reply) as { link?: unknown }
  return typeof link === 'string' ? link : null
}

/** Makes the requested change as of now, as the operator who has requested it. */
async function makeChange(tx: Tx, ctx: Ctx, locked: LockedApproval, calls: ApprovableCalls): Promise<string | null> {
  const { row } = locked
  const { id, name, role } = await readRequester(tx, ctx, locked)
  const { call } = calls.find(row.call)
  const reply = await call.run(
    {
      ...ctx,
      tx,
      // Its session may be over. The address is that of the request; the audit row of the approval has the approver's.
      actor: { kind: 'admin', id, name, role, sessionId: '0' },
      ipAddress: row.requestedFrom,
      approval: { id: row.id, approvedBy: adminOf(ctx).name },
    },
    readGiven(row, calls),
  )
  return readLink(reply)
}

type Outcome = { approval: Approval; link: string | null } | { failure: AppError }

/**
 * Approves a request and makes its change, in one transaction. Of two who do so at once one is first. Where the target
 * has moved on, the request is closed as failed. Throws not_found, forbidden, approval_closed, own_approval,
 * own_account, requester_left, and approval_failed with what the change was refused for.
 */
export async function approveRequest(
  ctx: Ctx,
  calls: ApprovableCalls,
  id: string,
  given: string | null | undefined,
): Promise<{ approval: Approval; link: string | null }> {
  const comment = trimText(given) || null
  const outcome = await ctx.database.transaction(async (tx): Promise<Outcome> => {
    const locked = await lockApproval(tx, ctx, id)
    requireDecidable(ctx, locked)
    try {
      const link = await tx.transaction((change) => makeChange(change, ctx, locked, calls))
      return { approval: await closeApproval(tx, ctx, locked, 'approved', { comment }), link }
    } catch (error) {
      if (!isFinal(error) || error.code === 'requester_left') throw error
      await closeApproval(tx, ctx, locked, 'failed', { comment, failure: error.message })
      return { failure: error }
    }
  })
  if (!('failure' in outcome)) return outcome
  throw new AppError('approval_failed', `It can’t be done any more, and was not: ${outcome.failure.message}`, {
    details: { status: 'failed' },
  })
}
