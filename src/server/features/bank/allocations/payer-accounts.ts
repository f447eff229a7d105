import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

/**
 * Confirms the payer's account of a line for the members whose orders it pays, by its first active part that no other person
 * paid. What was confirmed before stays as it is.
 */
export async function confirmPayers(tx: Tx, lineId: string): Promise<void> {
  await tx.execute(sql`
    INSERT INTO payer_accounts (account, member_id, line_id, confirmed_by, created_at)
    SELECT DISTINCT ON (o.member_id) l.payer_account, o.member_id, l.id, p.made_by, p.made_at
    FROM bank_parts p JOIN bank_lines l ON l.id = p.line_id JOIN orders o ON o.id = p.order_id
    WHERE p.line_id = ${lineId} AND p.purpose = 'order' AND p.undone_at IS NULL AND NOT p.is_third_party
      AND l.payer_account IS NOT NULL
    ORDER BY o.member_id, p.id
    ON CONFLICT DO NOTHING`)
}

/**
 * Takes back what the line confirmed for a member, once none of its parts pays an order of the member. Another line of the same
 * account that does takes its place.
 */
export async function withdrawPayer(tx: Tx, lineId: string, memberId: string): Promise<void> {
  const pays = sql`p.purpose = 'order' AND p.undone_at IS NULL AND NOT p.is_third_party AND o.member_id = ${memberId}`
  const { rows } = await tx.execute<{ account: string }>(sql`
    DELETE FROM payer_accounts WHERE line_id = ${lineId} AND member_id = ${memberId} AND NOT EXISTS (
      SELECT FROM bank_parts p JOIN orders o ON o.id = p.order_id WHERE p.line_id = ${lineId} AND ${pays})
    RETURNING account`)
  for (const { account } of rows)
    await tx.execute(sql`
      INSERT INTO payer_accounts (account, member_id, line_id, confirmed_by, created_at)
      SELECT l.payer_account, o.member_id, l.id, p.made_by, p.made_at
      FROM orders o JOIN bank_parts p ON p.order_id = o.id JOIN bank_lines l ON l.id = p.line_id
      WHERE ${pays} AND l.payer_account = ${account}
      ORDER BY p.id LIMIT 1
      ON CONFLICT DO NOTHING`)
}
