import { sql } from 'drizzle-orm'
import type { Verification } from '#contract/schemas/kyc-reviews.ts'
import { trimText } from '#contract/visible.ts'
import { announce, audit } from '#server/core/audit.ts'
import { readClaim, buildClaimedError, releaseClaim } from '#server/core/claims.ts'
import { adminOf, type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { lockCase, readVerification, requireRowId, requireWaitingCase } from './case.ts'
import { caseClaims } from './claims.ts'

interface AnotherLook {
  adminId: string
  note: string
}

async function readAnotherLook(tx: Tx, id: string): Promise<AnotherLook | undefined> {
  const { rows } = await tx.execute<AnotherLook & Record<string, unknown>>(sql`
    SELECT admin_id::text AS "adminId", note FROM kyc_another_looks WHERE verification_id = ${id}`)
  return rows[0]
}

/** Locks a case that waits and that no other operator has open. */
async function lockOwnCase(tx: Tx, adminId: string, id: string) {
  const locked = await lockCase(tx, requireRowId(id))
  await requireWaitingCase(tx, locked)
  const claim = await readClaim(tx, caseClaims, id)
  if (claim && claim.adminId !== adminId) throw buildClaimedError(caseClaims, claim)
  return locked
}

/**
 * Puts a waiting case aside for a colleague, with a note: it is not offered to this operator any more (product 5.10). Lets go of it.
 * Throws not_found, attempt_decided, attempt_superseded, and case_claimed while another operator has it open.
 */
export async function askAnotherLook(ctx: Ctx, id: string, given: string): Promise<Verification> {
  const { id: adminId } = adminOf(ctx)
  const note = trimText(given) ?? ''
  return inTransaction(ctx, async (tx) => {
    const { memberId, attemptNumber } = await lockOwnCase(tx, adminId, id)
    const before = await readAnotherLook(tx, id)
    const isNews = before?.adminId !== adminId || before.note !== note
    if (isNews) {
      await tx.execute(sql`
        INSERT INTO kyc_another_looks (verification_id, admin_id, note) VALUES (${id}, ${adminId}, ${note})
        ON CONFLICT (verification_id) DO UPDATE
          SET admin_id = excluded.admin_id, note = excluded.note, created_at = excluded.created_at`)
      await audit(tx, ctx, {
        action: 'ask_another_look',
        target: { type: 'user', id: memberId },
        details: { attemptNumber },
        personal: { memberId, details: { note } },
      })
    }
    const isReleased = await releaseClaim(tx, caseClaims, adminId, id)
    if (isNews || isReleased) await announce(tx, 'kyc')
    return readVerification(tx, id)
  })
}

/**
 * Puts a case that needs another look back into the queue of everyone. Without effect where it needs none. Throws
 * not_found, attempt_decided, attempt_superseded, and case_claimed while another operator has it open.
 */
export async function endAnotherLook(ctx: Ctx, id: string): Promise<Verification> {
  const { id: adminId } = adminOf(ctx)
  return inTransaction(ctx, async (tx) => {
    const { memberId, attemptNumber } = await lockOwnCase(tx, adminId, id)
    const { rows } = await tx.execute<{ id: string }>(sql`
      DELETE FROM kyc_another_looks WHERE verification_id = ${id} RETURNING verification_id::text AS id`)
    if (rows.length > 0) {
      const target = { type: 'user', id: memberId }
      await audit(tx, ctx, { action: 'end_another_look', target, details: { attemptNumber } })
      await announce(tx, 'kyc')
    }
    return readVerification(tx, id)
  })
}

/** How many waiting cases need another look. */
export async function countAnotherLooks({ database: { db } }: Ctx): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM kyc_another_looks a JOIN kyc_verifications v ON v.id = a.verification_id
    WHERE v.status = 'pending'`)
  return rows[0]!.count
}
