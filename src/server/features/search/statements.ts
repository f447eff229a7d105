import { mostHits } from '#contract/search.ts'
import type { Typed } from './typed.ts'

/** A statement and its values. Sent unnamed: a plan that does not know the typed text walks the table for every rare word. */
export interface Statement {
  text: string
  values: string[]
}

/** Of more matching rows the newest alone are judged. */
const mostJudged = 1000
/** Text that the trigram index knows nothing of is looked for in the newest rows alone: no search reads a whole table. */
const mostRead = 10_000

const newestFirst = 't.created_at DESC, t.id DESC'

/** Ids of `from`, best first: a whole line of `search` is `$1`, a word of it begins with it, or it stands somewhere in it. */
function byWords(from: string, isIndexed: boolean) {
  const rows = isIndexed
    ? from
    : `(SELECT t.id, t.created_at, t.search FROM ${from} t ORDER BY ${newestFirst} LIMIT ${mostRead})`
  return `(SELECT t.id, CASE
      WHEN position(E'\\n' || f.folded || E'\\n' IN E'\\n' || t.search || E'\\n') > 0 THEN 0
      WHEN position(E'\\n' || f.folded IN E'\\n' || t.search) > 0 OR position(' ' || f.folded IN t.search) > 0 THEN 1
      ELSE 2 END AS rank
    FROM (SELECT t.id, t.created_at, t.search FROM ${rows} t WHERE t.search LIKE search_pattern($1)
      ORDER BY ${newestFirst} LIMIT ${mostJudged}) t, (SELECT fold_text(translate($1, E'\\n\\r', '  ')) AS folded) f
    ORDER BY rank, ${newestFirst} LIMIT ${mostHits})`
}

/** The best of several ways to find a row, each of which is bounded. */
const bestOf = (ways: string[]) => `(SELECT id, min(rank) AS rank FROM (${ways.join(' UNION ALL ')}) w GROUP BY id) f`

/**
 * Whether a key begins with `given`, as a range of its index. All keys of a form have the same length, so that the range
 * from the lowest to the highest of them is the same in every collation.
 */
const begins = (column: string, given: string, length: number, lowest: string, highest: string) =>
  `(${column} BETWEEN rpad(${given}, ${length}, '${lowest}') AND rpad(${given}, ${length}, '${highest}')
    AND starts_with(${column}, ${given}))`
const beginsAddress = (column: string) => begins(column, '$2', 42, '0', 'f')

const nameOf = (member: string) =>
  `coalesce(nullif(concat_ws(' ', nullif(${member}.legal_first_name, ''), nullif(${member}.legal_last_name, '')), ''), ${member}.email)`

export function findMembers({ text, hex, isWhole, membershipId, isIndexed }: Typed): Statement | null {
  const isAddress = hex !== null && hex.length <= 42
  if (isWhole && !isAddress) return null
  const values = [text, ...(isAddress ? [hex] : membershipId ? [membershipId] : [])]
  const ways = ['SELECT id, 0 AS rank FROM members WHERE id = $1 OR lower(email) = lower($1)']
  if (isAddress)
    ways.push(`(SELECT member_id, CASE WHEN address = $2 THEN 0 ELSE 1 END FROM wallets
      WHERE ${beginsAddress('address')} LIMIT ${mostHits})`)
  if (membershipId)
    ways.push(`(SELECT id, CASE WHEN membership_id = $2 THEN 0 ELSE 1 END FROM members
      WHERE ${begins('membership_id', '$2', 11, '0', '9')} ORDER BY membership_id LIMIT ${mostHits})`)
  if (!isWhole) ways.push(byWords('members', isIndexed))
  return {
    text: `SELECT t.id, ${nameOf('t')} AS name, t.email, t.membership_id AS "membershipId"
      FROM ${bestOf(ways)} JOIN members t ON t.id = f.id ORDER BY f.rank, ${newestFirst} LIMIT ${mostHits}`,
    values,
  }
}

export function findOrders({ text, isWhole, isIndexed }: Typed): Statement | null {
  if (isWhole) return null
  const ways = ['SELECT id, 0 AS rank FROM orders WHERE order_number IN ($1, upper($1))', byWords('orders', isIndexed)]
  return {
    text: `SELECT t.id::text, t.order_number AS "orderNumber", t.project_name AS "projectName", ${nameOf('m')} AS "userName"
      FROM ${bestOf(ways)} JOIN orders t ON t.id = f.id JOIN members m ON m.id = t.member_id
      ORDER BY f.rank, ${newestFirst} LIMIT ${mostHits}`,
    values: [text],
  }
}

/** Transfers by their hash, or at least 6 digits of its beginning, and by a whole wallet address at either end. */
export function findTransactions({ hex, isWhole }: Typed): Statement | null {
  if (hex === null) return null
  const isWallet = isWhole && hex.length === 42
  const newest = (where: string) =>
    `(SELECT t.* FROM chain_transactions t WHERE ${where} ORDER BY ${newestFirst} LIMIT ${mostHits})`
  const rows = isWallet
    ? `${newest('t.wallet_address = $1')} UNION ALL ${newest('t.to_address = $1 AND t.wallet_address <> $1')}`
    : `SELECT t.* FROM chain_transactions t WHERE ${begins('t.transaction_hash', '$1', 66, '0', 'f')} LIMIT ${mostJudged}`
  return {
    text: `SELECT t.id::text, t.transaction_hash AS "transactionHash", t.wallet_address AS "walletAddress",
        t.transaction_type AS "transactionType", w.member_id AS "userId"
      FROM (${rows}) t LEFT JOIN wallets w ON w.address = t.wallet_address ORDER BY ${newestFirst} LIMIT ${mostHits}`,
    values: [hex],
  }
}

/** Tokens are few, since their lists come whole: each is looked at. */
export function findTokens({ text, hex, isWhole }: Typed): Statement | null {
  if (isWhole && hex?.length !== 42) return null
  const symbol = 'fold_text(t.token_symbol)'
  const project = 'fold_text(t.project_name)'
  return {
    text: `SELECT t.id::text, t.kind, t.project_name AS "projectName", t.token_symbol AS "tokenSymbol",
        t.contract_address AS "contractAddress"
      FROM tokens t, (SELECT fold_text($1) AS folded, search_pattern($1) AS pattern) f
      WHERE ${symbol} LIKE f.pattern OR ${project} LIKE f.pattern OR starts_with(t.contract_address, $2)
      ORDER BY CASE WHEN f.folded IN (${symbol}, ${project}) OR t.contract_address = $2 THEN 0
        WHEN starts_with(${symbol}, f.folded) OR starts_with(t.contract_address, $2) THEN 1
        WHEN starts_with(${project}, f.folded) THEN 2 ELSE 3 END, ${newestFirst} LIMIT ${mostHits}`,
    // Nothing begins with a line break.
    values: [text, hex ?? '\n'],
  }
}
