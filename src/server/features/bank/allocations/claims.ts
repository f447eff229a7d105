import { sql } from 'drizzle-orm'
import { lineLeaseMinutes } from '#contract/bank-allocations.ts'
import { RowId } from '#contract/schemas/common.ts'
import { announce } from '#server/core/audit.ts'
import {
  buildClaimedError,
  type ClaimKind,
  holdClaim,
  lockOperator,
  readClaim,
  readClaimedError,
  releaseClaim,
} from '#server/core/claims.ts'
import { adminOf, type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { bankClaims } from '#server/db/tables/bank-allocations.ts'
import { notFound } from '#server/lib/errors.ts'

/** The line that an operator has open. */
export const lineClaims: ClaimKind = {
  table: bankClaims,
  id: bankClaims.lineId,
  leaseMinutes: lineLeaseMinutes,
  refusal: { code: 'line_claimed', text: 'has this line open' },
}

/** Throws line_claimed while another operator has the line open. */
export async function requireUnclaimed(tx: Tx, { actor }: Ctx, lineId: string): Promise<void> {
  const claim = await readClaim(tx, lineClaims, lineId)
  if (claim && !(actor.kind === 'admin' && actor.id === claim.adminId)) throw buildClaimedError(lineClaims, claim)
}

/** Throws not_found unless the id has the form of the database's ids. */
export function requireLineId(id: string): string {
  if (!RowId.safeParse(id).success) throw notFound('Bank line')
  return id
}

/** Locks the line, so that a claim waits for a decision under way. Throws not_found. */
async function requireLine(tx: Tx, lineId: string): Promise<void> {
  const { rows } = await tx.execute<{ id: string }>(sql`SELECT id FROM bank_lines WHERE id = ${lineId} FOR KEY SHARE`)
  if (rows.length === 0) throw notFound('Bank line')
}

/**
 * Claims a line as the only one of the operator, or renews the lease. Throws not_found, and line_claimed with the name of the
 * other operator and the end of their lease.
 */
export async function claimLine(ctx: Ctx, id: string): Promise<{ claimedUntil: string }> {
  const { id: adminId } = adminOf(ctx)
  const lineId = requireLineId(id)
  return inTransaction(ctx, async (tx) => {
    await lockOperator(tx, adminId)
    await requireLine(tx, lineId)
    const claim = await holdClaim(tx, lineClaims, adminId, lineId)
    if (!claim) throw await readClaimedError(tx, lineClaims, lineId)
    if (claim.isNews) await announce(tx, 'bank')
    return { claimedUntil: claim.until }
  })
}

/** Releases the operator's own claim. Has no effect on a claim of another operator. Throws not_found. */
export async function releaseLine(ctx: Ctx, id: string): Promise<void> {
  const { id: adminId } = adminOf(ctx)
  const lineId = requireLineId(id)
  await inTransaction(ctx, async (tx) => {
    if (await releaseClaim(tx, lineClaims, adminId, lineId)) await announce(tx, 'bank')
    else await requireLine(tx, lineId)
  })
}
