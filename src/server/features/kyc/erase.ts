import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

/**
 * Deletes the steps of a locked member's attempts, and what was written about them. Which attempts there were, and who decided
 * them when, stays. One that waits for a decision is reset. Returns the number of attempts.
 */
export async function eraseKyc(tx: Tx, memberId: string): Promise<number> {
  await tx.execute(sql`
    DELETE FROM kyc_claims WHERE verification_id IN (SELECT id FROM kyc_verifications WHERE member_id = ${memberId})`)
  await tx.execute(sql`
    DELETE FROM kyc_another_looks WHERE verification_id IN (SELECT id FROM kyc_verifications WHERE member_id = ${memberId})`)
  await tx.execute(sql`DELETE FROM kyc_step2 WHERE member_id = ${memberId}`)
  await tx.execute(sql`DELETE FROM kyc_step3 WHERE member_id = ${memberId}`)
  await tx.execute(sql`DELETE FROM kyc_step4 WHERE member_id = ${memberId}`)
  await tx.execute(sql`
    UPDATE kyc_submissions SET result = 'pending', version = version + 1
    WHERE member_id = ${memberId} AND result = 'under_review'`)
  const { rows } = await tx.execute<{ id: string }>(sql`
    UPDATE kyc_verifications SET status = CASE status WHEN 'pending' THEN 'reset' ELSE status END, provider_reason = NULL,
      document_type = NULL, nationality = NULL, rejection_reason = NULL, admin_notes = NULL, version = version + 1
    WHERE member_id = ${memberId} RETURNING id::text`)
  return rows.length
}
