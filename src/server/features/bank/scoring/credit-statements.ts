import { sql, type SQL } from 'drizzle-orm'
import { textArray } from '#server/core/upsert.ts'
import { listRefundedDays } from '#server/features/bank/matching/refund-texts.ts'
import { formatMoney } from '#server/db/select.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { isDue } from '#server/features/bank/shared/refunds-due.ts'
import { mostOfOneKey } from './lookup-statements.ts'

/** What was taken or paid back of a credit already. */
export const returned = (line: string) => `coalesce((SELECT sum(b.amount) FROM bank_parts b
  WHERE b.other_line_id = ${line}.id AND b.undone_at IS NULL), 0)`

const columns = `l.id::text AS "lineId", l.account_id::text AS "accountId",
  (SELECT a.name FROM bank_accounts a WHERE a.id = l.account_id) AS "accountName", l.amount::text, l.currency, l.booked_on::text AS "bookedOn",
  l.value_on::text AS "valueOn", ${formatMoney('l.amount')} AS "shownAmount",
  l.end_to_end_id AS "endToEndId", l.payer_account AS "payerAccount", l.payer_name AS "payerName", CASE WHEN ${isDue('l')} THEN l.refund_due::text END AS "refundDue",
  (l.amount - coalesce((SELECT sum(p.amount) FROM bank_parts p WHERE p.line_id = l.id AND p.undone_at IS NULL
    AND p.purpose IN ('refund', 'reversal', 'return')), 0))::text AS returnable`

/**
 * Credits that the debits may take back or pay back: of their amounts, and with one of the facts without which a credit is
 * no candidate. `keys` are a currency, a blank and an amount.
 */
export function selectCredits(keys: Iterable<string>, debits: StatementLine[], namedOrders: Iterable<string>): SQL {
  const listTexts = (read: (line: StatementLine) => string | null) =>
    textArray(debits.flatMap((line) => read(line) || []))
  const facts = sql`(l.payer_account = ANY(${listTexts(({ counterparty }) => counterparty.iban)})
    OR l.end_to_end_id = ANY(${listTexts(({ endToEndId }) => endToEndId)})
    OR l.payer_name = ANY(${listTexts(({ counterparty }) => counterparty.name)})
    OR EXISTS (SELECT FROM bank_parts p WHERE p.line_id = l.id AND p.undone_at IS NULL AND p.purpose IN ('order', 'refund')
      AND p.order_id = ANY(${textArray(namedOrders)}::bigint[]))
    OR ${sql.raw(isDue('l'))} AND to_char(coalesce(l.booked_on, l.value_on), 'YYYYMMDD') = ANY(${textArray(debits.flatMap(listRefundedDays))}))`
  const isCredit = sql.raw(`l.direction = 'credit' AND l.booking = 'booked' AND l.amount > ${returned('l')}`)
  return sql`
    WITH keys AS (SELECT split_part(key, ' ', 1) AS currency, split_part(key, ' ', 2)::numeric AS amount
      FROM unnest(${textArray(keys)}) AS key),
    due AS MATERIALIZED (SELECT * FROM bank_lines l WHERE ${sql.raw(isDue('l'))})
    SELECT found.* FROM keys CROSS JOIN LATERAL (
      SELECT ${sql.raw(columns)} FROM bank_lines l
      WHERE l.currency = keys.currency AND l.amount = keys.amount AND ${isCredit} AND ${facts}
      ORDER BY l.booked_on DESC, l.id DESC LIMIT ${sql.raw(String(mostOfOneKey))}) found
    UNION
    SELECT ${sql.raw(columns)} FROM due l
      JOIN keys ON keys.currency = l.currency AND keys.amount = l.refund_due WHERE ${isCredit} AND ${facts}
    UNION
    SELECT ${sql.raw(columns)} FROM due l
      WHERE ${isCredit} AND l.currency IN (SELECT currency FROM keys)
        AND l.payer_account = ANY(${listTexts(({ counterparty }) => counterparty.iban)})
    ORDER BY "bookedOn" DESC, "lineId"`
}

/** These credits, whatever is due on them. */
export const selectCreditsById = (ids: Iterable<string>): SQL => sql`
  SELECT ${sql.raw(columns)} FROM bank_lines l WHERE l.id = ANY(${textArray(ids)}::bigint[]) ORDER BY l.booked_on DESC, l.id DESC`

/** The parts of these lines that pay orders. */
export const selectOrderParts = (lineIds: Iterable<string>): SQL => sql`
  SELECT p.line_id::text AS "lineId", p.order_id::text AS "orderId", o.order_number AS "orderNumber", p.amount::text
  FROM bank_parts p JOIN orders o ON o.id = p.order_id
  WHERE p.line_id = ANY(${textArray(lineIds)}::bigint[]) AND p.undone_at IS NULL AND p.purpose = 'order' ORDER BY p.id`

/** The payments by these lines that were undone, the last one of each order last. */
export const selectUndonePayments = (lineIds: Iterable<string>): SQL => sql`
  SELECT line_id::text AS "lineId", order_id::text AS "orderId", undone_by AS by, undo_reason AS reason
  FROM bank_parts WHERE line_id = ANY(${textArray(lineIds)}::bigint[]) AND undone_at IS NOT NULL AND purpose = 'order' ORDER BY id`
