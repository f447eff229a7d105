import { mostHits } from '#contract/search.ts'
import { paysOrder } from '#server/features/bank/service.ts'
import type { SearchTerms } from '#server/search/search-terms.ts'
import {
  combineMatches,
  createParameters,
  matchAmount,
  matchWords,
  maxRanked,
  newestFirst,
  type Statement,
} from './matches.ts'

/** The lines as other rows are ranked: the newest by the day that their lists are ordered by. */
const lines = '(SELECT id, listed_at AS created_at, amount, currency, direction, search FROM bank_lines)'

/** As the index has it, which holds no more of a text. */
const plainAccount = 'left(plain_code(payer_account), 34) COLLATE "C"'

/** The newest lines whose payer's account begins with an IBAN, however it is written. */
const matchPayerAccount = (given: string) =>
  // `[` is the character after `Z`.
  `(SELECT id, 1 FROM (SELECT id, listed_at AS created_at FROM bank_lines
    WHERE ${plainAccount} >= ${given} AND ${plainAccount} < ${given} || '[' LIMIT ${maxRanked}) t
    ORDER BY ${newestFirst} LIMIT ${mostHits})`

/** The newest lines that are work and may pay the order that the text names. */
const matchOrder = `(SELECT t.id, 1 AS rank FROM (SELECT id, listed_at AS created_at FROM bank_lines t WHERE ${paysOrder('$1')}) t
  ORDER BY ${newestFirst} LIMIT ${mostHits})`

/** The line's references, those of the payer first. */
const references = `array_remove(t.structured || ARRAY[t.end_to_end_id, t.mandate_id, t.bank_reference, t.uetr], NULL)`

/** Lines by payer, account, reference, text or amount, as their list finds them. */
export function findBankLines(terms: SearchTerms): Statement | null {
  const { text, isWhole, isIndexed, isCode, signedAmount: amount, iban } = terms
  if (isWhole) return null
  const given = createParameters(text)
  const ofCurrency = amount?.currency ? `AND t.currency = ${given.add(amount.currency)}` : ''
  const ofSign = amount?.sign ? `AND t.direction = ${given.add(amount.sign === '-' ? 'debit' : 'credit')}` : ''
  const ways = [
    ...matchAmount(lines, 'amount', { ...terms, amount }, given, `${ofCurrency} ${ofSign}`),
    matchWords(lines, isIndexed),
  ]
  if (iban) ways.push(matchPayerAccount(given.add(iban)))
  if (isCode) ways.push(matchOrder)
  return {
    text: `SELECT t.id::text, t.account_id::text AS "accountId", a.name AS "accountName", t.booked_on::text AS "bookedOn",
        t.direction, t.amount::text, t.currency, t.state,
        json_build_object('name', t.payer_name, 'account', t.payer_account) AS payer,
        array_to_string(CASE WHEN cardinality(t.remittance) > 0 THEN t.remittance ELSE t.info END, ' ') AS text,
        ${references} AS "references"
      FROM ${combineMatches(ways)} JOIN bank_lines t ON t.id = f.id
        JOIN bank_accounts a ON a.id = t.account_id
      ORDER BY f.rank, t.listed_at DESC, t.id DESC LIMIT ${mostHits}`,
    values: given.values,
  }
}
