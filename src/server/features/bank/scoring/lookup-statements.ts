import { sql, type SQL } from 'drizzle-orm'
import { textArray } from '#server/core/upsert.ts'
import { instant } from '#server/db/select.ts'
import { addDays, mostLateDays } from '#server/features/bank/matching/days.ts'
import { listNeighbours } from '#server/features/bank/matching/reference-keys.ts'
import type { SearchKeys } from '#server/features/bank/matching/search-keys.ts'

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
