import { eq } from 'drizzle-orm'
import { kycDecisions } from '#contract/kyc-moves.ts'
import type { ReviewBody, Verification } from '#contract/schemas/kyc-reviews.ts'
import type { Member } from '#contract/schemas/members.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { kycVerifications } from '#server/db/tables/kyc.ts'
import { AppError, notFound, requireVersion } from '#server/lib/errors.ts'
import { lockMember } from '#server/features/members/service.ts'
import { requireRowId, lockCase, readVerification, requireWaitingCase } from './case.ts'
import { applyDecision, requireDecidable } from './decide.ts'
import { readDecision } from './decision.ts'

/**
 * Approves or rejects a waiting verification and its member (product 7.1). Throws not_found, attempt_decided,
 * attempt_superseded, member_approved, stale if `ifMatch` is not the version of the verification, and invalid for a
 * rejection without a reason.
 */
export async function reviewVerification(
  ctx: Ctx,
  id: string,
  { action, ...given }: ReviewBody,
  ifMatch: number | undefined,
): Promise<{ verification: Verification; user: Member }> {
  const verdict = readDecision(kycDecisions[action], given)
  return inTransaction(ctx, async (tx) => {
    const [found] = await tx
      .select({ memberId: kycVerifications.memberId })
      .from(kycVerifications)
      .where(eq(kycVerifications.id, requireRowId(id)))
    if (!found) throw notFound('Verification')
    // Every writer of KYC locks the member first, so that no two of them deadlock.
    const member = await lockMember(tx, found.memberId)
    const verification = await lockCase(tx, id)
    await requireWaitingCase(tx, verification)
    requireDecidable(member)
    const { status, version, attemptNumber } = verification
    requireVersion(ifMatch, version, () => {
      const message = `This case was changed meanwhile: still ${status}. Reload and decide again.`
      return new AppError('stale', message, { details: { version, status } })
    })
    const user = await applyDecision(tx, ctx, member.id, { verdict, attempt: attemptNumber })
    return { verification: await readVerification(tx, id), user }
  })
}
