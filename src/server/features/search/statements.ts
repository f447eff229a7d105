import { mostHits, mostRecent } from '#contract/search.ts'
import { keyBegins } from '#server/db/list-rows.ts'
import { instant } from '#server/db/select.ts'
import type { SearchTerms } from '#server/search/search-terms.ts'
import {
  combineMatches,
  matchAmount,
  matchIban,
  matchPhone,
  matchWords,
  maxRanked,
  newestFirst,
  createParameters,
  type Statement,
} from './matches.ts'

const addressBegins = (column: string) => keyBegins(column, '$2', 42, 'f')

/** A member's name as `displayName` makes it. */
export const selectName = (member: string) =>
  `coalesce(nullif(concat_ws(' ', nullif(${member}.legal_first_name, ''), nullif(${member}.legal_last_name, '')), ''), ${member}.email)`

/** Selects the hits of the members `found`, best first. */
const selectMemberHits = (found: string, phone: 'legal_phone' | 'NULL', most = mostHits) => `
  SELECT t.id, ${selectName('t')} AS name, t.email, t.membership_id AS "membershipId", ${phone} AS phone,
    t.kyc_status AS "kycStatus", t.banned AS "kycBanned"
  FROM ${found} JOIN members t ON t.id = f.id ORDER BY f.rank, ${newestFirst} LIMIT ${most}`

export function findMembers(terms: SearchTerms): Statement | null {
  const { text, hex, isWhole, membershipId, phone, isIndexed } = terms
  const isAddress = hex !== null && hex.length <= 42
  if (isWhole && !isAddress) return null
  const given = createParameters(text, ...(isAddress ? [hex] : membershipId ? [membershipId] : []))
  const ways = [
    'SELECT id, 0 AS rank FROM members WHERE id = $1 OR fold_name(email) = fold_name($1)',
    'SELECT member_id, 0 FROM kyc_submissions WHERE case_id IN ($1, lower($1))',
  ]
  if (isAddress)
    ways.push(`(SELECT member_id, CASE WHEN address = $2 THEN 0 ELSE 1 END FROM wallets
      WHERE ${addressBegins('address')} LIMIT ${mostHits})`)
  else if (membershipId)
    ways.push(`(SELECT id, CASE WHEN membership_id = $2 THEN 0 ELSE 1 END FROM members
      WHERE ${keyBegins('membership_id', '$2', 15, '9')} ORDER BY membership_id LIMIT ${mostHits})`)
  if (phone) ways.push(...matchPhone(phone, given))
  if (!isWhole) ways.push(matchWords('members', isIndexed))
  return { text: selectMemberHits(combineMatches(ways), phone ? 'legal_phone' : 'NULL'), values: given.values }
}

/** Selects the hits of the orders `found`, best first. */
const selectOrderHits = (found: string, iban: 't.iban' | 'NULL', most = mostHits) => `
  SELECT t.id::text, t.order_number AS "orderNumber", t.project_name AS "projectName", m.id AS "userId", ${selectName('m')} AS "userName",
    ${iban} AS iban, t.status, t.investment_amount::text AS "investmentAmount", t.currency
  FROM ${found} JOIN orders t ON t.id = f.id JOIN members m ON m.id = t.member_id
  ORDER BY f.rank, ${newestFirst} LIMIT ${most}`

export function findOrders(terms: SearchTerms): Statement | null {
  const { text, isWhole, isCode, isIndexed, amount, iban } = terms
  if (isWhole) return null
  const given = createParameters(text)
  const ways = ['SELECT id, 0 AS rank FROM orders WHERE order_number IN ($1, upper($1))']
  if (isCode) ways.push('SELECT id, 0 FROM orders WHERE (plain_code(order_number) COLLATE "C") = plain_code($1)')
  const ofCurrency = amount?.currency ? `AND t.currency = ${given.add(amount.currency)}` : ''
  ways.push(...matchAmount('orders', 'investment_amount', terms, given, ofCurrency))
  if (iban) ways.push(...matchIban(iban, given))
  ways.push(matchWords('orders', isIndexed))
  return { text: selectOrderHits(combineMatches(ways), iban ? 't.iban' : 'NULL'), values: given.values }
}

/** Platform transactions by id or amount. */
export function findPlatformTransactions(terms: SearchTerms): Statement | null {
  if (terms.isWhole) return null
  const given = createParameters(terms.text)
  const ways = [
    'SELECT id, 0 AS rank FROM platform_transactions WHERE id = $1',
    ...matchAmount('platform_transactions', 'amount', terms, given),
  ]
  return {
    text: `SELECT t.id, t.member_id AS "userId", ${selectName('m')} AS "userName", t.type, t.amount::text, t.status,
        ${instant('t.created_at')} AS "createdAt"
      FROM ${combineMatches(ways)} JOIN platform_transactions t ON t.id = f.id JOIN members m ON m.id = t.member_id
      ORDER BY f.rank, ${newestFirst} LIMIT ${mostHits}`,
    values: given.values,
  }
}

const newestTransfers = (where: string) =>
  `(SELECT t.* FROM chain_transactions t WHERE ${where} ORDER BY ${newestFirst} LIMIT ${mostHits})`

/** Transfers by hash, by at least 6 digits of its beginning, or by a whole wallet address on either side. */
export function findTransactions({ hex, isWhole }: SearchTerms): Statement | null {
  if (hex === null) return null
  const isWallet = isWhole && hex.length === 42
  const rows = isWallet
    ? `${newestTransfers('t.wallet_address = $1')} UNION ALL ${newestTransfers('t.to_address = $1 AND t.wallet_address <> $1')}`
    : `SELECT t.* FROM chain_transactions t WHERE ${keyBegins('t.transaction_hash', '$1', 66, 'f')} LIMIT ${maxRanked}`
  return {
    text: `SELECT t.id::text, t.transaction_hash AS "transactionHash", t.wallet_address AS "walletAddress",
        t.transaction_type AS "transactionType", t.amount::text, t.token_symbol AS "tokenSymbol", t.status
      FROM (${rows}) t ORDER BY ${newestFirst} LIMIT ${mostHits}`,
    values: [hex],
  }
}

/** Checks every token, because there are few. */
export function findTokens({ text, hex, isWhole }: SearchTerms): Statement | null {
  if (isWhole && hex?.length !== 42) return null
  const symbol = 'fold_text(t.token_symbol)'
  const project = 'fold_text(t.project_name)'
  return {
    text: `SELECT t.id::text, t.kind, t.project_name AS "projectName", t.token_symbol AS "tokenSymbol",
        t.contract_address AS "contractAddress", t.is_active AS "isActive"
      FROM tokens t, (SELECT fold_text($1) AS folded, search_pattern($1) AS pattern) f
      WHERE ${symbol} LIKE f.pattern OR ${project} LIKE f.pattern OR starts_with(t.contract_address, $2)
      ORDER BY CASE WHEN f.folded IN (${symbol}, ${project}) OR t.contract_address = $2 THEN 0
        WHEN starts_with(${symbol}, f.folded) OR starts_with(t.contract_address, $2) THEN 1
        WHEN starts_with(${project}, f.folded) THEN 2 ELSE 3 END, ${newestFirst} LIMIT ${mostHits}`,
    // No address begins with a line break.
    values: [text, hex ?? '\n'],
  }
}

/** Ids in their given order, in the form of `combineMatches`. */
const givenIds = 'unnest($1::text[]) WITH ORDINALITY AS g(id, rank)'

export const selectMembers = (ids: string[]): Statement => ({
  text: selectMemberHits(`(SELECT id, rank FROM ${givenIds}) f`, 'NULL', mostRecent),
  values: [ids],
})
export const selectOrders = (ids: string[]): Statement => ({
  text: selectOrderHits(`(SELECT id::bigint, rank FROM ${givenIds}) f`, 'NULL', mostRecent),
  values: [ids],
})

/** Messages by their whole id, as their log finds them. One that went out has a UUID, whatever its case. */
export function findMessages({ text, isWhole }: SearchTerms): Statement | null {
  if (isWhole) return null
  return {
    text: `SELECT t.id::text, t.message_id AS "messageId", t.type, t.entity_id AS "entityId",
        (SELECT name FROM platform_endpoints p WHERE p.id = t.endpoint_id) AS endpoint, t.state,
        ${instant('t.created_at')} AS "createdAt"
      FROM messages t
      WHERE (t.direction = 'out' AND t.message_id = lower($1)) OR (t.direction = 'in' AND t.message_id = $1)
      ORDER BY ${newestFirst} LIMIT ${mostHits}`,
    values: [text],
  }
}
