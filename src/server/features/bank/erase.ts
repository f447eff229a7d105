import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

/**
 * Removes what connects a member with bank accounts, and who paid from the lines that paid this member's orders alone. Amount,
 * day and purpose stay. Returns the number of lines.
 */
export async function erasePayer(tx: Tx, memberId: string): Promise<number> {
  await tx.execute(sql`DELETE FROM payer_accounts WHERE member_id = ${memberId}`)
  await tx.execute(sql`DELETE FROM payer_names WHERE member_id = ${memberId}`)
  const { rows } = await tx.execute<{ id: string }>(sql`
    UPDATE bank_lines SET payer_name = NULL, payer_account = NULL, bank_reference = NULL, end_to_end_id = NULL,
      mandate_id = NULL, structured = '{}', remittance = '{}', info = '{}', details = '{}', version = version + 1
    WHERE id IN (
      SELECT p.line_id FROM orders AS o JOIN bank_parts AS p ON p.order_id = o.id
      WHERE o.member_id = ${memberId} AND p.undone_at IS NULL)
    AND NOT EXISTS (
      SELECT FROM bank_parts AS p JOIN orders AS o ON o.id = p.order_id
      WHERE p.line_id = bank_lines.id AND p.undone_at IS NULL AND o.member_id <> ${memberId})
    RETURNING id::text`)
  return rows.length
}
