import type { BankDirection, BankLineState } from '#contract/bank.ts'
import { type AllocationPurpose, type Suggestion, suggestions } from '#contract/bank-allocations.ts'
import { isDue } from '#server/features/bank/shared/refunds-due.ts'
import { lineCounts } from './lines.ts'
import { formatMoney } from '#server/db/select.ts'
import type { Analytics } from '#contract/schemas/analytics.ts'
import type { Ctx } from '#server/core/context.ts'
import { declareCounts } from '#server/db/counts.ts'
import { bankAllocations } from '#server/db/tables/bank-allocations.ts'
import { sql } from 'drizzle-orm'

/**
 * The active allocations with their amounts, for the outcome of an account's money; of what is put aside also why. No page is read by
 * these.
 */
const allocationCounts = declareCounts({
  name: 'bank_allocations',
  table: bankAllocations,
  at: null,
  by: {
    account: bankAllocations.accountId,
    direction: bankAllocations.direction,
    purpose: bankAllocations.purpose,
    code: bankAllocations.code,
  },
  only: 't.undone_at IS NULL',
  amount: bankAllocations.amount,
})

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

const sumCredits = (purpose?: AllocationPurpose) =>
  `coalesce(sum(c.amount) FILTER (WHERE ${allocationCounts.leaves({ direction: 'credit', purpose })}), 0)`

/** The outcome of the money that came in. What has no purpose is open; `refund` is what was set aside, gone out or not. */
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

export const creditSums = `SELECT ${allocationCounts.part('account')} AS account_id, ${readPurposes()} FROM ${allocationCounts.all} c GROUP BY 1`

/** What of an account's money is to be paid back. Lines with refunds due are few, so that they are read row by row, by their index. */
export const dueSums = `SELECT l.account_id::text AS account_id, sum(l.refund_due) AS due FROM bank_lines l
  WHERE ${isDue('l')} GROUP BY 1`

const moneyNames = ['applied', 'reversal', 'returned', 'ignored'] as const
const due = 'coalesce(d.due, 0)'
export const credits = `json_build_object(${moneyNames
  .map((name) => `'${name}', ${formatMoney(`coalesce(p.${name}, 0)`)}`)
  .join(', ')}, 'refund', ${formatMoney(due)}, 'paidBack', ${formatMoney(`(coalesce(p.refund, 0) - ${due})`)},
  'open', ${formatMoney("coalesce((f.booked ->> 'credits')::numeric, 0) - coalesce(p.purposed, 0)")})`

/**
 * The outcome of all money, in and out: one row for each purpose, and for each code of what is put aside. Of refunds of money that
 * came in also what is due.
 */
export const purposeSums = `SELECT s.account_id, json_agg(json_build_object('direction', direction, 'purpose', purpose,
    'code', nullif(code, ''), 'count', count, 'amount', ${formatMoney('amount')},
    'due', CASE WHEN direction = 'credit' AND purpose = 'refund' THEN ${formatMoney(due)} END)
    ORDER BY direction, purpose, code) AS purposes
  FROM (SELECT ${allocationCounts.part('account')} AS account_id, ${allocationCounts.part('direction')} AS direction,
      ${allocationCounts.part('purpose')} AS purpose, ${allocationCounts.part('code')} AS code, sum(c.rows)::int AS count, sum(c.amount) AS amount
    FROM ${allocationCounts.all} c GROUP BY 1, 2, 3, 4 HAVING sum(c.rows) <> 0) s
  LEFT JOIN (${dueSums}) d ON d.account_id = s.account_id GROUP BY 1`

/** The figures come from the counts of the lines, so they are quick however many lines there are. */
export const figures = `SELECT ${lineCounts.part('account')} AS account_id, sum(c.rows)::int AS lines,
    ${sumLines('open', 'part', 'settled')} AS booked, ${sumLines('open')} AS open, ${work} AS work
  FROM ${lineCounts.all} c GROUP BY 1`

type Unreconciled = Analytics['unreconciled'][number]

const bookedCredits = { direction: 'credit', state: ['open', 'part', 'settled'] } as const
const openCredits = { direction: 'credit', state: ['open', 'part'] } as const

const lineSums = `SELECT ${lineCounts.part('account')} AS account_id,
    coalesce(sum(c.amount) FILTER (WHERE ${lineCounts.leaves(bookedCredits)}), 0) AS amount,
    coalesce(sum(c.rows) FILTER (WHERE ${lineCounts.leaves(openCredits)}), 0) AS lines
  FROM ${lineCounts.all} c GROUP BY 1`

const allocationSums = `SELECT ${allocationCounts.part('account')} AS account_id, sum(c.amount) AS amount
  FROM ${allocationCounts.all} c WHERE ${allocationCounts.leaves({ direction: 'credit' })} GROUP BY 1`

/**
 * Money that came in and has no purpose yet, by currency, in the order of their codes (product 5.2). Empty without bank
 * accounts. It comes from the counts, so it is quick however many lines there are.
 */
export async function sumUnreconciled({ database }: Pick<Ctx, 'database'>): Promise<Unreconciled[]> {
  const open = 'coalesce(sum(l.amount), 0) - coalesce(sum(p.amount), 0)'
  const { rows } = await database.db.execute<Unreconciled & Record<string, unknown>>(sql`
    SELECT a.currency, ${sql.raw(formatMoney(`(${open})`))} AS amount, coalesce(sum(l.lines), 0)::int AS lines
    FROM bank_accounts a LEFT JOIN (${sql.raw(lineSums)}) l ON l.account_id = a.id::text
    LEFT JOIN (${sql.raw(allocationSums)}) p ON p.account_id = a.id::text
    GROUP BY a.currency ORDER BY a.currency`)
  return rows
}
