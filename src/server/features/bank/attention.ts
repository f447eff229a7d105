import { type LineAttention, overdueDays, type StatementAttention } from '#contract/bank.ts'
import type { Ctx } from '#server/core/context.ts'
import type { ListFilter } from '#server/db/list.ts'

/** Parts that are not undone. */
const active = 'undone_at IS NULL'

const paidBack = `coalesce((SELECT sum(d.amount) FROM bank_parts d
  WHERE d.other_line_id = p.line_id AND d.purpose = 'refund' AND d.${active}), 0)`

/** Which lines a notice is about. They are few, and counted row by row. */
const lineConditions: Record<LineAttention, string> = {
  overdue: `t.state IN ('open', 'part') AND t.booked_on < (now() AT TIME ZONE 'UTC')::date - ${overdueDays}`,
  ended_order: `t.id IN (SELECT p.line_id FROM bank_parts p JOIN orders o ON o.id = p.order_id
    WHERE p.purpose = 'order' AND p.${active} AND o.status IN ('expired', 'cancelled'))`,
  refund_due: `t.id IN (SELECT p.line_id FROM bank_parts p
    WHERE p.purpose = 'refund' AND p.direction = 'credit' AND p.${active}
    GROUP BY p.line_id HAVING sum(p.amount) > ${paidBack})`,
}

const numbered = (alias: string) => `${alias}.number ~ '^[0-9]{1,9}$'`
const ofSameKind = `FROM bank_statements b WHERE b.account_id = t.account_id AND b.kind = t.kind AND ${numbered('b')}`

/** Which statements a notice is about. The first of an account, or of a year, has none before it. */
const statementConditions: Record<StatementAttention, string> = {
  difference: 't.difference <> 0',
  gap: `${numbered('t')} AND t.number::int > 1
    AND NOT EXISTS (SELECT ${ofSameKind} AND b.number::int = t.number::int - 1)
    AND EXISTS (SELECT ${ofSameKind} AND b.number::int < t.number::int - 1)`,
}

export const filterLines = (attention: LineAttention): ListFilter => ({
  rows: lineConditions[attention],
  leaves: null,
})

export const filterStatements = (attention: StatementAttention): ListFilter => ({
  rows: statementConditions[attention],
  leaves: null,
})

async function countRows({ database }: Ctx, table: string, condition: string): Promise<number> {
  const text = `SELECT count(*)::int AS count FROM ${table} t WHERE ${condition}`
  const { rows } = await database.pool.query<{ count: number }>(text)
  return rows[0]!.count
}

/** How many lines the filter `attention` lists (product 3.6). */
export const countLinesWith = (ctx: Ctx, attention: LineAttention): Promise<number> =>
  countRows(ctx, 'bank_lines', lineConditions[attention])

/** How many statements the filter `attention` lists (product 3.6). */
export const countStatementsWith = (ctx: Ctx, attention: StatementAttention): Promise<number> =>
  countRows(ctx, 'bank_statements', statementConditions[attention])
