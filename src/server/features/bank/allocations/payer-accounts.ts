import { sql } from 'drizzle-orm'
import type { MemberPayers } from '#contract/schemas/member-payers.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Db } from '#server/db/client.ts'
import { instant } from '#server/db/select.ts'
import { notFound } from '#server/lib/errors.ts'

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
