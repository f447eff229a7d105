import { sql } from 'drizzle-orm'
import { leaseMinutes } from '#contract/kyc-reviews.ts'
import type { ReviewCase } from '#contract/schemas/kyc-reviews.ts'
import { announce } from '#server/core/audit.ts'
import {
  type ClaimKind,
  holdClaim,
  lockOperator,
  readClaimedError,
  releaseClaim,
  releaseClaims,
} from '#server/core/claims.ts'
import { adminOf, type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { kycClaims } from '#server/db/tables/kyc.ts'
import { countWaitingCases, requireRowId, lockCase, readCase, requireWaitingCase } from './case.ts'

/** The case that an operator reviews. */
const caseClaims: ClaimKind = {
  table: kycClaims,
  id: kycClaims.verificationId,
  leaseMinutes,
  refusal: { code: 'case_claimed', text: 'is reviewing this case' },
}

/**
 * The oldest waiting case that no other operator holds, from the cases after `after` first, then from the beginning. Skips
 * rows that another transaction has locked, because they are being claimed or decided.
 */
async function findOldestFreeCase(tx: Tx, adminId: string, after: string | undefined): Promise<string | undefined> {
  const find = async (isFurther: boolean) => {
    const { rows } = await tx.execute<{ id: string }>(sql`
      SELECT v.id::text FROM kyc_verifications v
      WHERE v.status = 'pending'
        ${after === undefined ? sql`` : sql`AND v.id <> ${after}`}
        ${isFurther ? sql`AND (v.submitted_at, v.id) > (SELECT submitted_at, id FROM kyc_verifications WHERE id = ${after})` : sql``}
        AND NOT EXISTS (SELECT FROM kyc_claims c
          WHERE c.verification_id = v.id AND c.admin_id <> ${adminId} AND c.claimed_until > now())
        AND NOT EXISTS (SELECT FROM kyc_submissions n
          WHERE n.member_id = v.member_id AND n.attempt_number > v.attempt_number)
      ORDER BY v.submitted_at, v.id LIMIT 1 FOR NO KEY UPDATE OF v SKIP LOCKED`)
    return rows[0]?.id
  }
  return (after === undefined ? undefined : await find(true)) ?? find(false)
}

/** Claims the next case and releases the one before. `case` is null if no other case is free. */
export async function claimNextCase(ctx: Ctx, after: string | undefined) {
  const { id: adminId } = adminOf(ctx)
  return inTransaction(ctx, async (tx) => {
    await lockOperator(tx, adminId)
    for (;;) {
      const id = await findOldestFreeCase(tx, adminId, after)
      const taken = id === undefined ? null : await holdCase(tx, adminId, id)
      if (id !== undefined && taken === null) continue
      if (taken === null && (await releaseClaims(tx, caseClaims, adminId))) await announce(tx, 'kyc')
      return { case: taken, waiting: await countWaitingCases(tx) }
    }
  })
}

/** Claims the case as the only one of the operator. Null if another operator was first. */
async function holdCase(tx: Tx, adminId: string, id: string): Promise<ReviewCase | null> {
  const claim = await holdClaim(tx, caseClaims, adminId, id)
  if (!claim) return null
  if (claim.isNews) await announce(tx, 'kyc')
  return readCase(tx, id, claim.until)
}

/**
 * Claims a waiting case, or renews the operator's lease. Throws not_found, attempt_decided and attempt_superseded, and
 * case_claimed with the name of the other operator and the end of their lease.
 */
export async function claimCase(ctx: Ctx, id: string) {
  const { id: adminId } = adminOf(ctx)
  return inTransaction(ctx, async (tx) => {
    await lockOperator(tx, adminId)
    await requireWaitingCase(tx, await lockCase(tx, requireRowId(id)))
    const held = await holdCase(tx, adminId, id)
    if (!held) throw await readClaimedError(tx, caseClaims, id)
    return { case: held, waiting: await countWaitingCases(tx) }
  })
}

/** Releases the operator's own claim. Has no effect on a claim of another operator. Throws not_found. */
export async function releaseCase(ctx: Ctx, id: string): Promise<void> {
  const { id: adminId } = adminOf(ctx)
  await inTransaction(ctx, async (tx) => {
    if (await releaseClaim(tx, caseClaims, adminId, requireRowId(id))) await announce(tx, 'kyc')
    else await lockCase(tx, id)
  })
}
