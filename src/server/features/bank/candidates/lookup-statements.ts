import { sql, type SQL } from 'drizzle-orm'
import { textArray } from '#server/db/parameters.ts'
import { formatMoney, instant } from '#server/db/select.ts'
import { addDays, mostLateDays } from '#server/features/bank/matching/days.ts'
import { listNeighbours } from '#server/features/bank/matching/references.ts'
import { listRefundedDays } from '#server/features/bank/matching/return-texts.ts'
import type { SearchKeys } from '#server/features/bank/matching/search-keys.ts'
import { isDue } from '#server/features/bank/shared/refunds-due.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'

/** The most orders, members or accounts that one key finds. What more of them share tells none of them apart. */
export const mostOfOneKey = 200
/** An amount that more than three orders wait for is not used. */
const mostOfOneAmount = 4

const open = "status IN ('waiting_payment', 'expired')"
const code = 'plain_code(order_number)'

export const orderColumns = `o.id::text, o.order_number AS "orderNumber", o.member_id AS "memberId", o.project_name AS "projectName",
  o.investment_amount::text AS "investmentAmount", o.received::text, o.currency, o.status,
  o.status IN ('paid', 'completed') AND o.paid_via IS DISTINCT FROM 'bank' AND o.received < o.investment_amount AS "isPaidByHand",
  o.status = 'completed' AND o.paid_via = 'bank' AND o.received < o.investment_amount AS "isOwed",
  ${instant('o.created_at')} AS "createdAt", ${instant('o.expires_at')} AS "expiresAt",
  o.payment_reference AS "paymentReference", o.iban`

/** Each key by itself, so that every plan goes by the index, and no key finds more than its share. */
const byKey = (keys: Iterable<string>, expression: string, more = 'true') =>
  sql`SELECT found.id FROM unnest(${textArray(keys)}) AS key CROSS JOIN LATERAL (
    SELECT id FROM orders WHERE (${sql.raw(expression)}) COLLATE "C" = key AND ${sql.raw(more)} LIMIT ${sql.raw(String(mostOfOneKey))}) found`

/** The orders that have one of these numbers. */
export const selectNumberedOrders = (keys: Iterable<string>): SQL =>
  sql`SELECT ${sql.raw(orderColumns)} FROM orders o WHERE o.id IN (${byKey(keys, code)}) ORDER BY o.id`

const listAllNeighbours = (words: Iterable<string>, lengths: ReadonlySet<number>): Set<string> =>
  new Set([...words].flatMap((word) => [...listNeighbours(word, lengths)]))

/** The orders of these amounts that waited on the day of the line. */
const selectOrdersOfAmount = (amounts: SearchKeys['amounts']): SQL => sql`
  SELECT found.id FROM unnest(${sql.param(amounts.map(({ key }) => key))}::text[],
    ${sql.param(amounts.map(({ day }) => (day ? addDays(day, -mostLateDays) : '-infinity')))}::timestamptz[],
    ${sql.param(amounts.map(({ day }) => (day ? addDays(day, 1) : 'infinity')))}::timestamptz[]) AS wanted(key, since, until)
  CROSS JOIN LATERAL (
    SELECT id FROM orders WHERE currency = split_part(key, ' ', 1)
      AND investment_amount - received = split_part(key, ' ', 2)::numeric AND ${sql.raw(open)}
      AND expires_at >= since AND created_at < until LIMIT ${sql.raw(String(mostOfOneAmount))}) found`

/** The orders that the other keys name. `amount` keys are a currency, a blank and an amount. */
export const selectNamedOrders = (
  { orders: keys, garbled, amounts }: SearchKeys,
  numberLengths: ReadonlySet<number>,
): SQL => sql`
  SELECT ${sql.raw(orderColumns)} FROM orders o WHERE o.id IN (
    SELECT id FROM orders WHERE payment_reference = ANY(${textArray(keys.rf)})
    UNION ${byKey(keys.lookAlike, `code_look_alikes(${code})`)}
    UNION ${byKey(keys.digits, `code_digits(${code})`, `length(code_digits(${code})) >= 4`)}
    UNION ${byKey(listAllNeighbours(garbled, numberLengths), code)}
    UNION ${selectOrdersOfAmount(amounts)}
  ) ORDER BY o.id`

export const selectOrders = (ids: Iterable<string>): SQL =>
  sql`SELECT ${sql.raw(orderColumns)} FROM orders o WHERE o.id = ANY(${textArray(ids)}::bigint[]) ORDER BY o.id`

/** The orders of these members that may still be paid and had not ended before the day. */
export const selectOpenOrders = (memberIds: Iterable<string>, since: string): SQL => sql`
  SELECT ${sql.raw(orderColumns)} FROM orders o WHERE o.member_id = ANY(${textArray(memberIds)}) AND o.${sql.raw(open)}
    AND o.expires_at >= ${since} ORDER BY o.id`

/** One probe of the index for each length that there is. */
export const selectNumberLengths: SQL = sql.raw(`
  WITH RECURSIVE lengths AS (
    SELECT min(length(${code})) AS length FROM orders
    UNION ALL
    SELECT (SELECT min(length(${code})) FROM orders WHERE length(${code}) > lengths.length) FROM lengths
    WHERE lengths.length IS NOT NULL
  ) SELECT length FROM lengths WHERE length IS NOT NULL`)

const hasOpenOrder = (since: string): SQL =>
  sql`EXISTS (SELECT FROM orders o WHERE o.member_id = n.member_id AND o.${sql.raw(open)} AND o.expires_at >= ${since})`

/**
 * The members with an open order that had not ended before the day, whose name has both keys of a pair, or a key that is not too common to tell them apart. Pairs
 * are joined by a blank.
 */
export const selectNamedMembers = ({ names, namePairs }: SearchKeys, since: string): SQL => sql`
  SELECT id FROM unnest(${textArray(names)}) AS key CROSS JOIN LATERAL (
    SELECT array_agg(member_id) AS ids FROM (
      SELECT member_id FROM payer_names n WHERE n.keys @> ARRAY[key] AND ${hasOpenOrder(since)}
      LIMIT ${sql.raw(String(mostOfOneKey + 1))}) members_found) found CROSS JOIN LATERAL unnest(found.ids) AS id
  WHERE cardinality(found.ids) <= ${sql.raw(String(mostOfOneKey))}
  UNION
  SELECT found.member_id FROM unnest(${textArray(namePairs.map((pair) => pair.join(' ')))}) AS pair CROSS JOIN LATERAL (
    SELECT member_id FROM payer_names n WHERE n.keys @> string_to_array(pair, ' ') AND ${hasOpenOrder(since)}
    LIMIT ${sql.raw(String(mostOfOneKey))}) found`

export const selectMembers = (ids: Iterable<string>): SQL => sql`
  SELECT id, legal_first_name AS "firstName", legal_last_name AS "lastName", banned AS "isBanned"
  FROM members WHERE id = ANY(${textArray(ids)})`

export const selectAccountOwners = (accounts: Iterable<string>): SQL => sql`
  SELECT key AS account, found.member_id AS "memberId" FROM unnest(${textArray(accounts)}) AS key CROSS JOIN LATERAL (
    SELECT member_id FROM payer_accounts WHERE account = key LIMIT ${sql.raw(String(mostOfOneKey))}) found`

export const selectMemberAccounts = (memberIds: Iterable<string>): SQL =>
  sql`SELECT account, member_id AS "memberId" FROM payer_accounts WHERE member_id = ANY(${textArray(memberIds)})`

/** What was taken or paid back of a credit already. */
export const returned = (line: string) => `coalesce((SELECT sum(b.amount) FROM bank_allocations b
  WHERE b.other_line_id = ${line}.id AND b.undone_at IS NULL), 0)`

const columns = `l.id::text AS "lineId", l.account_id::text AS "accountId",
  (SELECT a.name FROM bank_accounts a WHERE a.id = l.account_id) AS "accountName", l.amount::text, l.currency, l.booked_on::text AS "bookedOn",
  l.value_on::text AS "valueOn", ${formatMoney('l.amount')} AS "shownAmount",
  l.end_to_end_id AS "endToEndId", l.payer_account AS "payerAccount", l.payer_name AS "payerName", CASE WHEN ${isDue('l')} THEN l.refund_due::text END AS "refundDue",
  (l.amount - coalesce((SELECT sum(p.amount) FROM bank_allocations p WHERE p.line_id = l.id AND p.undone_at IS NULL
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
    OR EXISTS (SELECT FROM bank_allocations p WHERE p.line_id = l.id AND p.undone_at IS NULL AND p.purpose IN ('order', 'refund')
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

/** The allocations of these lines that pay orders. */
export const selectOrderAllocations = (lineIds: Iterable<string>): SQL => sql`
  SELECT p.line_id::text AS "lineId", p.order_id::text AS "orderId", o.order_number AS "orderNumber", p.amount::text
  FROM bank_allocations p JOIN orders o ON o.id = p.order_id
  WHERE p.line_id = ANY(${textArray(lineIds)}::bigint[]) AND p.undone_at IS NULL AND p.purpose = 'order' ORDER BY p.id`

/** The payments by these lines that were undone, the last one of each order last. */
export const selectUndonePayments = (lineIds: Iterable<string>): SQL => sql`
  SELECT line_id::text AS "lineId", order_id::text AS "orderId", undone_by AS by, undo_reason AS reason
  FROM bank_allocations WHERE line_id = ANY(${textArray(lineIds)}::bigint[]) AND undone_at IS NOT NULL AND purpose = 'order' ORDER BY id`
