import { sql, type SQL } from 'drizzle-orm'
import { leaseMinutes } from '#contract/kyc-reviews.ts'
import type { ReviewCase } from '#contract/schemas/kyc-reviews.ts'
import { announce } from '#server/core/audit.ts'
import {
  type ClaimKind,
  holdClaim,
  lockOperator,
  readClaim,
  readClaimedError,
  releaseClaim,
  releaseClaims,
} from '#server/core/claims.ts'
import { adminOf, type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { kycClaims } from '#server/db/tables/kyc.ts'
import { countWaitingCases, findPosition, requireRowId, lockCase, readCase, requireWaitingCase } from './case.ts'

/** The case that an operator reviews. */
export const caseClaims: ClaimKind = {
  table: kycClaims,
  id: kycClaims.verificationId,
  leaseMinutes,
  refusal: { code: 'case_claimed', text: 'is reviewing this case' },
}

/** Where the next case is looked for: behind a case, before one, or from the beginning. */
interface QueuePosition {
  after?: string | undefined
  before?: string | undefined
}

const ownPlace = (id: string) => sql`(SELECT submitted_at, id FROM kyc_verifications WHERE id = ${id})`

/**
 * A waiting case that no other operator holds, and that this one has not put aside for a colleague. Skips rows that
 * another transaction has locked, because they are being claimed or decided.
 */
async function findFreeCase(tx: Tx, adminId: string, isThere: SQL, isNewestFirst = false): Promise<string | undefined> {
  const order = isNewestFirst ? sql`v.submitted_at DESC, v.id DESC` : sql`v.submitted_at, v.id`
  const { rows } = await tx.execute<{ id: string }>(sql`
    SELECT v.id::text FROM kyc_verifications v
    WHERE v.status = 'pending' AND ${isThere}
      AND NOT EXISTS (SELECT FROM kyc_claims c
        WHERE c.verification_id = v.id AND c.admin_id <> ${adminId} AND c.claimed_until > now())
      AND NOT EXISTS (SELECT FROM kyc_another_looks a WHERE a.verification_id = v.id AND a.admin_id = ${adminId})
      AND NOT EXISTS (SELECT FROM kyc_submissions n
        WHERE n.member_id = v.member_id AND n.attempt_number > v.attempt_number)
    ORDER BY ${order} LIMIT 1 FOR NO KEY UPDATE OF v SKIP LOCKED`)
  return rows[0]?.id
}

/** The nearest case before `before`; else the oldest one, from the cases after `after` first, then from the beginning. */
async function findNextCase(tx: Tx, adminId: string, { after, before }: QueuePosition): Promise<string | undefined> {
  if (before !== undefined) return findFreeCase(tx, adminId, sql`(v.submitted_at, v.id) < ${ownPlace(before)}`, true)
  if (after === undefined) return findFreeCase(tx, adminId, sql`true`)
  const further = await findFreeCase(tx, adminId, sql`(v.submitted_at, v.id) > ${ownPlace(after)}`)
  return further ?? findFreeCase(tx, adminId, sql`v.id <> ${after}`)
}

/** Claims the next case and releases the one before. `case` is null if no other case is free. */
export async function claimNextCase(ctx: Ctx, place: QueuePosition) {
  const { id: adminId } = adminOf(ctx)
  return inTransaction(ctx, async (tx) => {
    await lockOperator(tx, adminId)
    for (;;) {
      const id = await findNextCase(tx, adminId, place)
      const taken = id === undefined ? null : await holdCase(tx, adminId, id)
      if (id !== undefined && taken === null) continue
      if (taken === null && (await releaseClaims(tx, caseClaims, adminId))) await announce(tx, 'kyc')
      return { case: taken, ...(await readQueue(tx, taken)) }
    }
  })
}

/** How many cases wait, and the place of this one among them, the oldest first. */
async function readQueue(tx: Tx, opened: ReviewCase | null) {
  const waiting = await countWaitingCases(tx)
  return { waiting, position: opened === null ? null : await findPosition(tx, opened.verification.id) }
}

/** Claims the case as the only one of the operator. Null if another operator was first. */
async function holdCase(tx: Tx, adminId: string, id: string): Promise<ReviewCase | null> {
  const claim = await holdClaim(tx, caseClaims, adminId, id)
  if (!claim) return null
  if (claim.isNews) await announce(tx, 'kyc')
  return readCase(tx, id, claim.until)
}

/** Reads a waiting case, no matter who has it. Throws not_found, attempt_decided and attempt_superseded. */
export async function viewCase(ctx: Ctx, id: string) {
  return inTransaction(ctx, async (tx) => {
    await requireWaitingCase(tx, await lockCase(tx, requireRowId(id)))
    const claim = await readClaim(tx, caseClaims, id)
    const viewed = await readCase(tx, id, claim?.until ?? null)
    return { case: viewed, ...(await readQueue(tx, viewed)) }
  })
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
    return { case: held, ...(await readQueue(tx, held)) }
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
