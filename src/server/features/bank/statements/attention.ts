import { sql } from 'drizzle-orm'
import { type ImportAttention, type LineAttention, overdueDays, type StatementAttention } from '#contract/bank.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import type { ListFilter } from '#server/db/list.ts'
import { formatMoney } from '#server/db/select.ts'
import { isDue } from '#server/features/bank/shared/refunds-due.ts'

/** Allocations that are not undone. */
const active = 'undone_at IS NULL'

/** The first instant of the oldest day that is not yet noticed. */
const noticedFrom = `((now() AT TIME ZONE 'UTC')::date - ${overdueDays})::timestamp AT TIME ZONE 'UTC'`

/** Which lines a notice is about. They are few, each found by an index of its own, and counted row by row. */
const lineConditions: Record<LineAttention, string> = {
  overdue: `t.state IN ('open', 'part') AND t.listed_at < ${noticedFrom}`,
  ended_order: `t.id IN (SELECT p.line_id FROM orders o JOIN bank_allocations p ON p.order_id = o.id
    WHERE o.status IN ('expired', 'cancelled') AND o.received > 0 AND p.purpose = 'order' AND p.${active})`,
  taken_back: `t.id IN (SELECT p.line_id FROM orders o JOIN bank_allocations p ON p.order_id = o.id
    WHERE o.status = 'completed' AND o.paid_via = 'bank' AND o.received < o.investment_amount
      AND p.purpose = 'order' AND p.undone_with IS NOT NULL AND p.undone_at >= o.completed_at
      AND EXISTS (SELECT FROM bank_allocations b WHERE b.made_with = p.undone_with AND b.line_id = p.line_id AND b.${active}))`,
  refund_due: isDue('t'),
}

const ofSameAccount = 'FROM bank_statements b WHERE b.account_id = t.account_id AND b.kind = t.kind'

/** Banks begin again with 1 each year, so that a number says nothing of an older statement. */
const ofThisRun = `b.ends_on > t.ends_on - 270`

/** The day on which a statement begins, and then when it ends: files of one account may overlap. */
export const beginsOn = (of: string) => `coalesce(${of}.opening_on, ${of}.ends_on)`
const beginsBefore = `(${beginsOn('b')} < ${beginsOn('t')} OR ${beginsOn('b')} = ${beginsOn('t')}
  AND (b.ends_on < t.ends_on OR b.ends_on = t.ends_on AND b.sequence < t.sequence))`

/**
 * The statement before this one is missing where its balance is: no statement ended with the balance that this one begins with,
 * none has the number before, and none begins as this one does. Without balances the numbers alone tell, in the order of import.
 * The statement of an account that begins first has none before it. Reports of the day (camt.052, camt.054, MT942) come as banks
 * please, and miss nothing. A gap that somebody has accepted is not one.
 */
const isGap = `t.kind IN ('camt.053', 'MT940') AND t.gap_known_at IS NULL
  AND NOT EXISTS (SELECT ${ofSameAccount} AND b.sequence = t.sequence - 1 AND b.ends_on <= t.ends_on AND ${ofThisRun})
  AND CASE WHEN t.opening IS NULL
    THEN EXISTS (SELECT ${ofSameAccount} AND b.sequence < t.sequence - 1 AND b.id < t.id AND ${ofThisRun})
    ELSE EXISTS (SELECT ${ofSameAccount} AND ${beginsBefore})
      AND NOT EXISTS (SELECT ${ofSameAccount} AND b.opening = t.opening AND b.opening_on = t.opening_on AND b.id < t.id)
      AND NOT EXISTS (SELECT FROM bank_statements b WHERE b.account_id = t.account_id AND b.closing = t.opening
        AND (b.ends_on < t.ends_on OR b.ends_on = t.ends_on AND b.id <> t.id AND b.number IS DISTINCT FROM t.number))
  END`

const ofAccount = (of: string) =>
  `FROM bank_statements ${of} WHERE ${of}.account_id = t.account_id AND ${of}.id <> t.id`
/** A later edition of the same statement that has all its lines, as banks send it while a day goes on, takes its place. */
const isReplaced = `EXISTS (SELECT ${ofAccount('r')} AND r.opening = t.opening AND ${beginsOn('r')} = ${beginsOn('t')} AND r.ends_on >= t.ends_on
  AND NOT EXISTS (SELECT FROM bank_statement_lines o WHERE o.statement_id = t.id
    AND NOT EXISTS (SELECT FROM bank_statement_lines n WHERE n.statement_id = r.id AND n.line_id = o.line_id)))`

/** The statement with the next number, of the same kind and run. */
const isNumberedNext = `b.kind = t.kind AND b.sequence = t.sequence + 1 AND b.ends_on >= t.ends_on AND b.ends_on < t.ends_on + 270`
const isContinued = `EXISTS (SELECT ${ofAccount('b')} AND b.opening = t.closing AND (${beginsOn('b')} >= t.ends_on OR ${isNumberedNext}))`

/** A later statement that continues another one of the same days. Those of one day do not tell by it which comes first. */
const continuesAnother = `${beginsOn('b')} >= t.ends_on AND b.ends_on > t.ends_on
    AND EXISTS (SELECT ${ofAccount('p')} AND p.id <> b.id AND p.closing = b.opening AND p.ends_on <= t.ends_on)`

/**
 * The statement that follows this one, by its number or because it continues another of the same days, and begins with another balance
 * than this one ended with. Then the lines of both are counted, though the bank's balance has those of one, or a line is missing. Null
 * where there is none. Where no statement ends with the other's balance, one is missing, which is a gap.
 */
const contradiction = `CASE WHEN t.kind IN ('camt.053', 'MT940') AND t.closing IS NOT NULL AND NOT ${isContinued} THEN (
  SELECT json_build_object('number', b.number, 'day', ${beginsOn('b')}::text, 'opening', ${formatMoney('b.opening')},
    'difference', ${formatMoney('t.closing - b.opening')})
  ${ofAccount('b')} AND b.kind IN ('camt.053', 'MT940') AND b.opening <> t.closing AND (${isNumberedNext} OR ${continuesAnother})
    AND NOT ${isReplaced}
  ORDER BY ${beginsOn('b')}, b.ends_on, b.id LIMIT 1) END`

/** How much another balance a statement begins with than the one before it ended with. Null where there is none before it. */
const jump = `(SELECT t.opening - b.closing FROM bank_statements b
  WHERE b.account_id = t.account_id AND b.id <> t.id AND b.kind IN ('camt.053', 'MT940', 'CSV') AND b.closing IS NOT NULL
    AND (b.ends_on <= ${beginsOn('t')} OR b.kind = t.kind AND b.sequence = t.sequence - 1 AND b.ends_on <= t.ends_on)
    AND (b.ends_on < t.ends_on OR b.id < t.id)
  ORDER BY b.ends_on DESC, b.sequence DESC NULLS LAST, b.id DESC LIMIT 1)`

/**
 * Stores how the statements of an account fit together. Call this where one came, went or was accepted, in the same transaction: what
 * is missing or wrong is asked for by every open console, and looks at all of them.
 */
export async function checkStatements(tx: Tx, accountId: string): Promise<void> {
  await tx.execute(sql`
    UPDATE bank_statements s SET is_gap = n.gap, jump = n.gap_jump, contradiction = n.next FROM (
      SELECT t.id, t.gap, t.next, CASE WHEN t.gap OR t.gap_known_at IS NOT NULL THEN ${sql.raw(jump)} END AS gap_jump
      FROM (SELECT t.*, (${sql.raw(isGap)}) AS gap, (${sql.raw(contradiction)})::jsonb AS next
        FROM bank_statements t WHERE t.account_id = ${accountId}) t) n
    WHERE s.id = n.id AND (s.is_gap, s.jump, s.contradiction) IS DISTINCT FROM (n.gap, n.gap_jump, n.next)`)
}

/** Whether the lines of a statement and its balances differ, and nobody has accepted that. */
export const isOff = `t.difference <> 0 AND t.difference_known_at IS NULL`

/**
 * Which statements a notice is about, as the indexes have it. A difference: the statement does not add up, or contradicts the
 * next one. A gap: the statement before it is missing.
 */
const statementConditions: Record<StatementAttention, string> = {
  difference: `(${isOff} OR t.contradiction IS NOT NULL)`,
  gap: 't.is_gap',
}

/** Which imports a notice is about, as the index has it. */
const importConditions: Record<ImportAttention, string> = {
  unreadable: 't.unreadable_count > 0 AND t.undone_at IS NULL AND t.unreadable_known_at IS NULL',
}
export const isUnreadable = importConditions.unreadable

export const filterImports = (attention: ImportAttention): ListFilter => ({
  rows: importConditions[attention],
  leaves: null,
})

export const filterLines = (attention: LineAttention): ListFilter => ({ rows: lineConditions[attention], leaves: null })

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

/** How many imports the filter `attention` lists (product 3.6). */
export const countImportsWith = (ctx: Ctx, attention: ImportAttention): Promise<number> =>
  countRows(ctx, 'bank_imports', importConditions[attention])
