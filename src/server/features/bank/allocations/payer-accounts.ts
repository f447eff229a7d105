import { sql } from 'drizzle-orm'
import type { MemberPayers } from '#contract/schemas/member-payers.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { instant } from '#server/db/select.ts'
import { notFound } from '#server/lib/errors.ts'

/**
 * Confirms the payer's account of a line for the members whose orders it pays, by its first active allocation that no other person
 * paid. What was confirmed before stays as it is.
 */
export async function confirmPayers(tx: Tx, lineId: string): Promise<void> {
  await tx.execute(sql`
    INSERT INTO payer_accounts (account, member_id, line_id, confirmed_by, created_at)
    SELECT DISTINCT ON (o.member_id) l.payer_account, o.member_id, l.id, p.made_by, p.made_at
    FROM bank_allocations p JOIN bank_lines l ON l.id = p.line_id JOIN orders o ON o.id = p.order_id
    WHERE p.line_id = ${lineId} AND p.purpose = 'order' AND p.undone_at IS NULL AND NOT p.is_third_party
      AND l.payer_account IS NOT NULL
    ORDER BY o.member_id, p.id
    ON CONFLICT DO NOTHING`)
}

/**
 * Takes back what the line confirmed for a member, once none of its allocations pays an order of the member. Another line of the same
 * account that does takes its place.
 */
export async function withdrawPayer(tx: Tx, lineId: string, memberId: string): Promise<void> {
  const pays = sql`p.purpose = 'order' AND p.undone_at IS NULL AND NOT p.is_third_party AND o.member_id = ${memberId}`
  const { rows } = await tx.execute<{ account: string }>(sql`
    DELETE FROM payer_accounts WHERE line_id = ${lineId} AND member_id = ${memberId} AND NOT EXISTS (
      SELECT FROM bank_allocations p JOIN orders o ON o.id = p.order_id WHERE p.line_id = ${lineId} AND ${pays})
    RETURNING account`)
  for (const { account } of rows)
    await tx.execute(sql`
      INSERT INTO payer_accounts (account, member_id, line_id, confirmed_by, created_at)
      SELECT l.payer_account, o.member_id, l.id, p.made_by, p.made_at
      FROM orders o JOIN bank_allocations p ON p.order_id = o.id JOIN bank_lines l ON l.id = p.line_id
      WHERE ${pays} AND l.payer_account = ${account}
      ORDER BY p.id LIMIT 1
      ON CONFLICT DO NOTHING`)
}

/** The most accounts and payments that are answered: the latest. */
const mostShown = 100

/**
 * The accounts from which a member has paid, and the payments of the member's orders that another person made, the latest first
 * (product 8.2). Throws not_found.
 */
export async function readMemberPayers({ database: { db } }: Ctx, memberId: string): Promise<MemberPayers> {
  const { rows } = await db.execute<Record<string, unknown>>(sql`SELECT FROM members WHERE id = ${memberId}`)
  if (rows.length === 0) throw notFound('User')
  return { accounts: await readAccounts(db, memberId), thirdParty: await readThirdParty(db, memberId) }
}

const activePayment = sql.raw(`p.purpose = 'order' AND p.undone_at IS NULL`)

async function readAccounts(db: Db, memberId: string): Promise<MemberPayers['accounts']> {
  const { rows } = await db.execute<MemberPayers['accounts'][number] & Record<string, unknown>>(sql`
    SELECT a.account, a.confirmed_by AS "confirmedBy", ${sql.raw(instant('a.created_at'))} AS "confirmedAt",
      paid.payments, paid.last_on AS "lastOn",
      (SELECT count(*)::int FROM payer_accounts s WHERE s.account = a.account AND s.member_id <> a.member_id) AS "sharedWith"
    FROM payer_accounts a CROSS JOIN LATERAL (
      SELECT count(DISTINCT l.id)::int AS payments, max(l.booked_on)::text AS last_on
      FROM orders o JOIN bank_allocations p ON p.order_id = o.id JOIN bank_lines l ON l.id = p.line_id
      WHERE o.member_id = a.member_id AND ${activePayment} AND l.payer_account = a.account) paid
    WHERE a.member_id = ${memberId} ORDER BY paid.last_on DESC NULLS LAST, a.created_at DESC, a.account LIMIT ${mostShown}`)
  return rows
}

async function readThirdParty(db: Db, memberId: string): Promise<MemberPayers['thirdParty']> {
  const { rows } = await db.execute<MemberPayers['thirdParty'][number] & Record<string, unknown>>(sql`
    SELECT l.id::text AS "lineId", l.booked_on::text AS "bookedOn",
      json_build_object('name', l.payer_name, 'account', l.payer_account) AS payer, p.amount::text, l.currency,
      json_build_object('id', o.id::text, 'orderNumber', o.order_number) AS "order", p.reason, p.made_by AS "madeBy",
      ${sql.raw(instant('p.made_at'))} AS "madeAt"
    FROM orders o JOIN bank_allocations p ON p.order_id = o.id JOIN bank_lines l ON l.id = p.line_id
    WHERE o.member_id = ${memberId} AND ${activePayment} AND p.is_third_party ORDER BY p.id DESC LIMIT ${mostShown}`)
  return rows
}
