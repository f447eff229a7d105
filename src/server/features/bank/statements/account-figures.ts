import type { BankDirection, BankLineState } from '#contract/bank.ts'
import { type PartPurpose, type Suggestion, suggestions } from '#contract/reconciliation.ts'
import { lineCounts } from './lines.ts'
import { formatMoney } from '#server/features/bank/shared/money.ts'
import { partCounts } from './part-counts.ts'

const direction = lineCounts.part('direction')

/** The number and the sums of the lines in these states. */
function sumLines(...states: BankLineState[]): string {
  const isMeant = lineCounts.leaves({ state: states })
  const sum = (value: BankDirection) =>
    formatMoney(`coalesce(sum(c.amount) FILTER (WHERE ${isMeant} AND ${direction} = '${value}'), 0)`)
  return `json_build_object('count', (coalesce(sum(c.rows) FILTER (WHERE ${isMeant}), 0))::int,
    'credits', ${sum('credit')}, 'debits', ${sum('debit')})`
}

/** How many lines are work, in all and by what is proposed. */
const countWork = (suggestion?: Suggestion) =>
  `(coalesce(sum(c.rows) FILTER (WHERE ${lineCounts.leaves({ state: ['open', 'part'], suggestion })}), 0))::int`

const work = `json_build_object('total', ${countWork()}, ${suggestions
  .map((suggestion) => `'${suggestion}', ${countWork(suggestion)}`)
  .join(', ')})`

const sumCredits = (purpose?: PartPurpose) =>
  `coalesce(sum(c.amount) FILTER (WHERE ${partCounts.leaves({ direction: 'credit', purpose })}), 0)`

/** What became of the money that came in. What has no purpose is open; `refund` is what was set aside, gone out or not. */
function readPurposes(): string {
  const sums = {
    applied: 'order',
    refund: 'refund',
    reversal: 'reversal',
    returned: 'return',
    ignored: 'ignored',
  } as const
  const named = Object.entries(sums).map(([name, purpose]) => `${sumCredits(purpose)} AS ${name}`)
  return `${named.join(', ')}, ${sumCredits()} AS purposed`
}

export const creditSums = `SELECT ${partCounts.part('account')} AS account_id, ${readPurposes()} FROM ${partCounts.all} c GROUP BY 1`

/**
 * What of an account's money was paid back, from whichever account. Refunds are few, so that they are read row by row, by the index
 * of the lines that they name.
 */
export const paidBackSums = `SELECT l.account_id::text AS account_id, sum(d.amount) AS paid_back
  FROM bank_parts d JOIN bank_lines l ON l.id = d.other_line_id
  WHERE d.other_line_id IS NOT NULL AND d.purpose = 'refund' AND d.direction = 'debit' AND d.undone_at IS NULL GROUP BY 1`

const moneyNames = ['applied', 'reversal', 'returned', 'ignored'] as const
const paidBack = 'coalesce(b.paid_back, 0)'
export const credits = `json_build_object(${moneyNames
  .map((name) => `'${name}', ${formatMoney(`coalesce(p.${name}, 0)`)}`)
  .join(', ')}, 'refund', ${formatMoney(`(coalesce(p.refund, 0) - ${paidBack})`)}, 'paidBack', ${formatMoney(paidBack)},
  'open', ${formatMoney("coalesce((f.booked ->> 'credits')::numeric, 0) - coalesce(p.purposed, 0)")})`

/**
 * What became of all money, in and out: one row for each purpose, and for each code of what is put aside. Of refunds of money that
 * came in also what is due.
 */
export const purposeSums = `SELECT s.account_id, json_agg(json_build_object('direction', direction, 'purpose', purpose,
    'code', nullif(code, ''), 'count', count, 'amount', ${formatMoney('amount')},
    'due', CASE WHEN direction = 'credit' AND purpose = 'refund' THEN ${formatMoney(`(amount - ${paidBack})`)} END)
    ORDER BY direction, purpose, code) AS purposes
  FROM (SELECT ${partCounts.part('account')} AS account_id, ${partCounts.part('direction')} AS direction,
      ${partCounts.part('purpose')} AS purpose, ${partCounts.part('code')} AS code, sum(c.rows)::int AS count, sum(c.amount) AS amount
    FROM ${partCounts.all} c GROUP BY 1, 2, 3, 4 HAVING sum(c.rows) <> 0) s
  LEFT JOIN (${paidBackSums}) b ON b.account_id = s.account_id GROUP BY 1`

/** The figures come from the counts of the lines, so they are quick however many lines there are. */
export const figures = `SELECT ${lineCounts.part('account')} AS account_id, sum(c.rows)::int AS lines,
    ${sumLines('open', 'part', 'settled')} AS booked, ${sumLines('open')} AS open, ${work} AS work
  FROM ${lineCounts.all} c GROUP BY 1`
