import { sql } from 'drizzle-orm'
import type { Analytics } from '#contract/schemas/analytics.ts'
import type { Ctx } from '#server/core/context.ts'
import { lineCounts } from './lines.ts'
import { formatMoney } from '#server/features/bank/shared/money.ts'
import { partCounts } from './part-counts.ts'

type Unreconciled = Analytics['unreconciled'][number]

const booked = { direction: 'credit', state: ['open', 'part', 'settled'] } as const
const work = { direction: 'credit', state: ['open', 'part'] } as const

const ofLines = `SELECT ${lineCounts.part('account')} AS account_id,
    coalesce(sum(c.amount) FILTER (WHERE ${lineCounts.leaves(booked)}), 0) AS amount,
    coalesce(sum(c.rows) FILTER (WHERE ${lineCounts.leaves(work)}), 0) AS lines
  FROM ${lineCounts.all} c GROUP BY 1`

const ofParts = `SELECT ${partCounts.part('account')} AS account_id, sum(c.amount) AS amount
  FROM ${partCounts.all} c WHERE ${partCounts.leaves({ direction: 'credit' })} GROUP BY 1`

/**
 * Money that came in and has no purpose yet, by currency, in the order of their codes (product 5.2). Empty without bank
 * accounts. It comes from the counts, so it is quick however many lines there are.
 */
export async function sumUnreconciled({ database }: Pick<Ctx, 'database'>): Promise<Unreconciled[]> {
  const open = 'coalesce(sum(l.amount), 0) - coalesce(sum(p.amount), 0)'
  const { rows } = await database.db.execute<Unreconciled & Record<string, unknown>>(sql`
    SELECT a.currency, ${sql.raw(formatMoney(`(${open})`))} AS amount, coalesce(sum(l.lines), 0)::int AS lines
    FROM bank_accounts a LEFT JOIN (${sql.raw(ofLines)}) l ON l.account_id = a.id::text
    LEFT JOIN (${sql.raw(ofParts)}) p ON p.account_id = a.id::text
    GROUP BY a.currency ORDER BY a.currency`)
  return rows
}
