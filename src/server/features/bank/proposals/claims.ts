import { and, eq, ne, sql } from 'drizzle-orm'
import { lineLeaseMinutes } from '#contract/reconciliation.ts'
import { RowId } from '#contract/schemas/common.ts'
import { announce } from '#server/core/audit.ts'
import { adminOf, type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { admins } from '#server/db/tables/auth.ts'
import { bankClaims } from '#server/db/tables/bank-parts.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { claimedError, readClaim } from '#server/features/bank/line-claim.ts'

// A claim is a lease that keeps two operators off the same line. It decides nothing, so it has no audit row.

/** Throws not_found unless the id has the form of the database's ids. */
export function requireLineId(id: string): string {
  if (!RowId.safeParse(id).success) throw notFound('Bank line')
  return id
}

async function lineClaimedError(tx: Tx, lineId: string): Promise<AppError> {
  const claim = await readClaim(tx, lineId)
  return claim ? claimedError(claim) : new AppError('line_claimed', 'Another operator has this line open')
}

/** Locks the line, so that a claim waits for a decision under way. Throws not_found. */
async function requireLine(tx: Tx, lineId: string): Promise<void> {
  const { rows } = await tx.execute<{ id: string }>(sql`SELECT id FROM bank_lines WHERE id = ${lineId} FOR KEY SHARE`)
  if (rows.length === 0) throw notFound('Bank line')
}

/** Claims the line or renews the lease. Returns its end, or null if another operator holds the line. */
async function writeClaim(tx: Tx, adminId: string, lineId: string): Promise<string | null> {
  const { rows } = await tx.execute<{ until: string }>(sql`
    INSERT INTO bank_claims AS c (line_id, admin_id, claimed_until)
    VALUES (${lineId}, ${adminId}, now() + make_interval(mins => ${lineLeaseMinutes}))
    ON CONFLICT (line_id) DO UPDATE SET admin_id = excluded.admin_id, claimed_until = excluded.claimed_until
      WHERE c.admin_id = excluded.admin_id OR c.claimed_until <= now()
    RETURNING claimed_until AS until`)
  return rows[0] ? toInstant(rows[0].until) : null
}

/**
 * Claims a line as the only one of the operator, or renews the lease. Throws not_found, and line_claimed with the name of the
 * other operator and the end of their lease.
 */
export async function claimLine(ctx: Ctx, id: string): Promise<{ claimedUntil: string }> {
  const { id: adminId } = adminOf(ctx)
  const lineId = requireLineId(id)
  return inTransaction(ctx, async (tx) => {
    // Two windows of one operator wait for each other, since an operator holds one line at a time.
    await tx.select({ id: admins.id }).from(admins).where(eq(admins.id, adminId)).for('no key update')
    await requireLine(tx, lineId)
    const before = await readClaim(tx, lineId)
    const claimedUntil = await writeClaim(tx, adminId, lineId)
    if (claimedUntil === null) throw await lineClaimedError(tx, lineId)
    const isOther = and(eq(bankClaims.adminId, adminId), ne(bankClaims.lineId, lineId))
    const { rowCount } = await tx.delete(bankClaims).where(isOther)
    // Renewing a lease changes nothing that others see.
    if (rowCount || before?.adminId !== adminId) await announce(tx, 'bank')
    return { claimedUntil }
  })
}

/** Releases the operator's own claim. Has no effect on a claim of another operator. Throws not_found. */
export async function releaseLine(ctx: Ctx, id: string): Promise<void> {
  const { id: adminId } = adminOf(ctx)
  const lineId = requireLineId(id)
  await inTransaction(ctx, async (tx) => {
    const own = and(eq(bankClaims.lineId, lineId), eq(bankClaims.adminId, adminId))
    const { rowCount } = await tx.delete(bankClaims).where(own)
    if (rowCount) await announce(tx, 'bank')
    else await requireLine(tx, lineId)
  })
}
