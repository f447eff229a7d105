import { eq } from 'drizzle-orm'
import type { ReviewBody, Verification } from '#contract/kyc-reviews.ts'
import type { User } from '#contract/users.ts'
import { type Ctx, inTransaction } from '#server/context.ts'
import { kycVerifications } from '#server/db/tables/kyc.ts'
import { AppError, notFound, requireVersion } from '#server/errors.ts'
import { lockMember } from '#server/features/users/service.ts'
import { knownForm, lockCase, readVerification, requireWaiting } from './case.ts'
import { applyDecision, readDecision, requireDecidable } from './decide.ts'

/**
 * Approves or rejects a waiting verification, and with it its member (SPEC section 4, PRODUCT 3.12). Throws not_found;
 * conflict when it is decided, when a later attempt waits or the member is approved; stale when `ifMatch` is not the
 * verification's version; invalid for a rejection without a reason.
 */
export async function reviewVerification(
  ctx: Ctx,
  id: string,
  given: ReviewBody,
  ifMatch: number | undefined,
): Promise<{ verification: Verification; user: User }> {
  const decision = readDecision(given)
  return inTransaction(ctx, async (tx) => {
    const [found] = await tx
      .select({ memberId: kycVerifications.memberId })
      .from(kycVerifications)
      .where(eq(kycVerifications.id, knownForm(id)))
    if (!found) throw notFound('Verification')
    // The member first, as every writer of a member's KYC does: so no two of them wait for each other.
    const member = await lockMember(tx, found.memberId)
    const verification = await lockCase(tx, id)
    await requireWaiting(tx, verification)
    requireDecidable(member)
    const { status, version, attemptNumber } = verification
    requireVersion(ifMatch, version, () => {
      const message = `This case was changed meanwhile: still ${status}. Reload and decide again.`
      return new AppError('stale', message, { details: { version, status } })
    })
    const user = await applyDecision(tx, ctx, member, { ...decision, attempt: attemptNumber })
    return { verification: await readVerification(tx, id), user }
  })
}
