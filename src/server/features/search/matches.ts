import { mostHits } from '#contract/search.ts'
import { reversePhone, type SearchTerms } from '#server/search/search-terms.ts'

/** A statement with values. Unnamed, because a plan without the text scans the table for every rare word. */
export interface Statement {
  text: string
  values: unknown[]
}

/** Of more matching rows, only the newest are ranked. */
export const maxRanked = 1000
/** Text that the trigram index cannot find is searched in the newest rows only, so that none reads a whole table. */
const maxScanned = 10_000

export const newestFirst = 't.created_at DESC, t.id DESC'

/** Collects the values of a statement. `add` returns the placeholder of a value. */
export function createParameters(...values: unknown[]) {
  return { values, add: (value: unknown) => `$${values.push(value)}` }
}
type Parameters = ReturnType<typeof createParameters>

/** The best rank of each row over several queries. Each query selects `id` and `rank` and is limited. */
export const combineMatches = (ways: string[]) =>
  `(SELECT id, min(rank) AS rank FROM (${ways.join(' UNION ALL ')}) w GROUP BY id) f`

/** Ids of `from`, best first: `$1` is a whole line of `search`, the beginning of a line or word, or is within it. */
export function matchWords(from: string, isIndexed: boolean): string {
  const rows = isIndexed
    ? from
    : `(SELECT t.id, t.created_at, t.search FROM ${from} t ORDER BY ${newestFirst} LIMIT ${maxScanned})`
  return `(SELECT t.id, CASE
      WHEN position(E'\\n' || f.folded || E'\\n' IN E'\\n' || t.search || E'\\n') > 0 THEN 0
      WHEN position(E'\\n' || f.folded IN E'\\n' || t.search) > 0 OR position(' ' || f.folded IN t.search) > 0 THEN 1
      ELSE 2 END AS rank
    FROM (SELECT t.id, t.created_at, t.search FROM ${rows} t WHERE t.search LIKE search_pattern($1)
      ORDER BY ${newestFirst} LIMIT ${maxRanked}) t, (SELECT fold_text($1) AS folded) f
    ORDER BY rank, ${newestFirst} LIMIT ${mostHits})`
}

/** The newest rows with exactly this amount. */
export const matchAmount = (
  table: string,
  column: string,
  { amount }: SearchTerms,
  { add }: Parameters,
  more = '',
): string[] =>
  (amount?.decimals ?? []).map(
    (decimal) => `(SELECT t.id, 1 AS rank FROM ${table} t WHERE t.${column} = ${add(decimal)}::numeric ${more}
      ORDER BY ${newestFirst} LIMIT ${mostHits})`,
  )

/** Members whose number ends with the digits, or is itself their end, with or without the country. */
export function matchPhone(phone: string, { add }: Parameters): string[] {
  const stored = '(reverse(phone_digits(legal_phone)) COLLATE "C")'
  const { digits, ends } = reversePhone(phone)
  const given = add(digits)
  return [
    // `:` is the character after `9`.
    `(SELECT id, CASE WHEN ${stored} = ${given} THEN 0 ELSE 1 END AS rank FROM members
      WHERE legal_phone IS NOT NULL AND ${stored} BETWEEN ${given} AND ${given} || ':' ORDER BY ${stored} LIMIT ${mostHits})`,
    `(SELECT id, 1 FROM members WHERE legal_phone IS NOT NULL AND ${stored} = ANY (${add(ends)}::text[]) LIMIT ${mostHits})`,
  ]
}

/** Orders to pay to an account: the newest with the whole IBAN, then those whose IBAN begins with it. */
export function matchIban(iban: string, { add }: Parameters): string[] {
  const stored = '(plain_code(iban) COLLATE "C")'
  const given = add(iban)
  const best = `ORDER BY created_at DESC, id DESC LIMIT ${mostHits}`
  return [
    `(SELECT id, 1 FROM orders WHERE ${stored} = ${given} ${best})`,
    // `[` is the character after `Z`.
    `(SELECT id, 2 FROM (SELECT id, created_at FROM orders WHERE ${stored} > ${given} AND ${stored} < ${given} || '['
      LIMIT ${maxRanked}) t ${best})`,
  ]
}
