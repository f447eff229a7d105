import { and, eq, ne, sql } from 'drizzle-orm'
import { leaseMinutes } from '#contract/kyc-reviews.ts'
import type { ReviewCase } from '#contract/schemas/kyc-reviews.ts'
import { announce } from '#server/core/audit.ts'
import { adminOf, type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { admins } from '#server/db/tables/auth.ts'
import { kycClaims } from '#server/db/tables/kyc.ts'
import { AppError, formatInstant } from '#server/lib/errors.ts'
import { countWaitingCases, requireRowId, lockCase, readCase, requireWaitingCase } from './case.ts'

// A claim is a lease that keeps two operators off the same case. It decides nothing, so it has no audit row.

/** An operator holds one case at a time. Locking their row makes two windows of one operator wait for each other. */
const lockOperator = (tx: Tx, adminId: string) =>
  tx.select({ id: admins.id }).from(admins).where(eq(admins.id, adminId)).for('no key update')

/** Releases all claims of the operator except `kept`. Returns whether there were any. */
async function releaseOtherClaims(tx: Tx, adminId: string, kept: string | null): Promise<boolean> {
  const isOther = kept === null ? undefined : ne(kycClaims.verificationId, kept)
  const { rowCount } = await tx.delete(kycClaims).where(and(eq(kycClaims.adminId, adminId), isOther))
  return rowCount !== null && rowCount > 0
}

/** Reads the valid claim on a case, by the database's clock. */
async function readClaim(tx: Tx, id: string) {
  const { rows } = await tx.execute<{ adminId: string; by: string; until: string }>(sql`
    SELECT admin_id::text AS "adminId", a.username AS by, claimed_until AS until
    FROM kyc_claims c JOIN admins a ON a.id = c.admin_id WHERE verification_id = ${id} AND claimed_until > now()`)
  const [claim] = rows
  return claim && { ...claim, until: toInstant(claim.until) }
}

/**
 * Claims the case or renews the lease. Returns the end of the lease, or null if another operator holds the case. That claim
 * may be newer than this transaction's choice of the case, so only the upsert can tell.
 */
async function writeClaim(tx: Tx, adminId: string, id: string): Promise<string | null> {
  const { rows } = await tx.execute<{ until: string }>(sql`
    INSERT INTO kyc_claims AS c (verification_id, admin_id, claimed_until)
    VALUES (${id}, ${adminId}, now() + make_interval(mins => ${leaseMinutes}))
    ON CONFLICT (verification_id) DO UPDATE SET admin_id = excluded.admin_id, claimed_until = excluded.claimed_until
      WHERE c.admin_id = excluded.admin_id OR c.claimed_until <= now()
    RETURNING claimed_until AS until`)
  return rows[0] ? toInstant(rows[0].until) : null
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
      if (taken === null && (await releaseOtherClaims(tx, adminId, null))) await announce(tx, 'kyc')
      return { case: taken, waiting: await countWaitingCases(tx) }
    }
  })
}

/** Claims the case as the only one of the operator. Null if another operator was first. */
async function holdCase(tx: Tx, adminId: string, id: string): Promise<ReviewCase | null> {
  const before = await readClaim(tx, id)
  const until = await writeClaim(tx, adminId, id)
  if (until === null) return null
  const hasReleased = await releaseOtherClaims(tx, adminId, id)
  // Renewing a lease changes nothing that others see.
  if (hasReleased || before?.adminId !== adminId) await announce(tx, 'kyc')
  return readCase(tx, id, until)
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
    if (!held) throw await caseClaimedError(tx, id)
    return { case: held, waiting: await countWaitingCases(tx) }
  })
}

async function caseClaimedError(tx: Tx, id: string): Promise<AppError> {
  const claim = await readClaim(tx, id)
  if (!claim) return new AppError('case_claimed', 'Another operator is reviewing this case')
  const { by, until } = claim
  return new AppError('case_claimed', `${by} is reviewing this case, until ${formatInstant(until)}`, {
    details: { by, until },
  })
}

/** Releases the operator's own claim. Has no effect on a claim of another operator. Throws not_found. */
export async function releaseCase(ctx: Ctx, id: string): Promise<void> {
  const { id: adminId } = adminOf(ctx)
  await inTransaction(ctx, async (tx) => {
    const own = and(eq(kycClaims.verificationId, requireRowId(id)), eq(kycClaims.adminId, adminId))
    const { rowCount } = await tx.delete(kycClaims).where(own)
    if (rowCount) await announce(tx, 'kyc')
    else await lockCase(tx, id)
  })
}
