import { eq, sql, type SQL } from 'drizzle-orm'
import { mostNamedLines } from '#contract/bank.ts'
import type { UndoImportCheck } from '#contract/schemas/bank.ts'
import { RowId } from '#contract/schemas/common.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { bankImports } from '#server/db/tables/bank.ts'
import { AppError, formatInstant, notFound } from '#server/lib/errors.ts'
import { readLinesOf } from './lines.ts'

export type ImportRow = typeof bankImports.$inferSelect

/** Throws not_found. */
export async function findImport(db: Db | Tx, id: string): Promise<ImportRow> {
  if (!RowId.safeParse(id).success) throw notFound('Import')
  const [row] = await db.select().from(bankImports).where(eq(bankImports.id, id))
  if (!row) throw notFound('Import')
  return row
}

/** The refusal of an import that was undone before. Null of one that stands. */
export function findUndone({ undoneBy, undoneAt }: ImportRow): AppError | null {
  if (undoneAt === null) return null
  const message = `This import was undone by ${undoneBy} on ${formatInstant(undoneAt)}`
  return new AppError('import_undone', message, { details: { by: undoneBy, at: undoneAt } })
}

/** What an import has brought, as conditions. */
export interface ImportedRows {
  statements: SQL
  /** Its lines, and those of other files that it has booked. */
  lines: SQL
}

export const selectImportedRows = (id: string): ImportedRows => {
  const statements = sql`(SELECT id FROM bank_statements WHERE import_id = ${id})`
  const booked = sql`SELECT line_id FROM bank_statement_lines WHERE booked_from IS NOT NULL AND statement_id IN ${statements}`
  return { statements, lines: sql`(SELECT id FROM bank_lines WHERE statement_id IN ${statements} UNION ${booked})` }
}

/** Why an import cannot be undone, and the lines that keep it, as a query of their ids. */
interface UndoObstacle {
  error: AppError
  lines: SQL
  lineCount: number
}

const countOf = (count: number) => (count === 1 ? '1 line' : `${count} lines`)

/** What was decided of a line stays on record for ever, and needs its line. */
async function findWorked(db: Db | Tx, { lines }: ImportedRows): Promise<UndoObstacle | null> {
  const allocations = sql`(SELECT line_id AS line, undone_at FROM bank_allocations WHERE line_id IN ${lines}
    UNION ALL SELECT other_line_id, undone_at FROM bank_allocations WHERE other_line_id IN ${lines})`
  const { rows } = await db.execute<{ worked: number; active: number }>(sql`
    SELECT count(DISTINCT line)::int AS worked, (count(DISTINCT line) FILTER (WHERE undone_at IS NULL))::int AS active
    FROM ${allocations} p`)
  const { worked, active } = rows[0]!
  if (worked === 0) return null
  const what = active > 0 ? `${countOf(active)} of it ${active === 1 ? 'has' : 'have'} a purpose` : undefined
  const past = `${countOf(worked)} of it had a purpose that was undone`
  const message = `${what ?? past}: what was decided stays on record, so this import cannot be undone`
  return {
    error: new AppError('import_used', message, { details: { lines: worked } }),
    lines: sql`SELECT line FROM ${allocations} p`,
    lineCount: worked,
  }
}

/** Lines that later files know from these statements, or count on from them. */
async function findContinued(db: Db | Tx, { statements }: ImportedRows): Promise<UndoObstacle | null> {
  const counted = sql`(SELECT i.id, i.file_name, c.line_id FROM (
      SELECT s.statement_id, s.line_id FROM bank_lines l JOIN bank_statement_lines s ON s.line_id = l.id
      WHERE l.statement_id IN ${statements} AND s.statement_id NOT IN ${statements}
      UNION ALL
      SELECT o.statement_id, l.id FROM bank_lines l
        JOIN bank_lines o ON o.account_id = l.account_id AND o.key = l.key AND o.occurrence > l.occurrence
      WHERE l.statement_id IN ${statements} AND o.statement_id NOT IN ${statements}
    ) c JOIN bank_statements s ON s.id = c.statement_id JOIN bank_imports i ON i.id = s.import_id)`
  const { rows } = await db.execute<{ id: string; fileName: string; lines: number }>(sql`
    SELECT id::text, file_name AS "fileName", count(DISTINCT line_id)::int AS lines FROM ${counted} c
    GROUP BY id, file_name ORDER BY c.id DESC LIMIT 1`)
  const [later] = rows
  if (!later) return null
  const message = `${later.fileName} counts on ${countOf(later.lines)} of it: undo that import first`
  return {
    error: new AppError('import_used', message, { details: { importId: later.id, lines: later.lines } }),
    lines: sql`SELECT line_id FROM ${counted} c WHERE id = ${later.id}`,
    lineCount: later.lines,
  }
}

/** What keeps an import from being undone; null where nothing does. */
export const findUndoObstacle = async (db: Db | Tx, brought: ImportedRows): Promise<UndoObstacle | null> =>
  (await findWorked(db, brought)) ?? findContinued(db, brought)

/** Whether undoing an import would be refused now, why, and for which lines. Throws not_found. */
export async function checkUndoImport({ database: { db } }: Ctx, id: string): Promise<UndoImportCheck> {
  const undone = findUndone(await findImport(db, id))
  if (undone) return { refusal: undone.message, lines: [], lineCount: 0 }
  const obstacle = await findUndoObstacle(db, selectImportedRows(id))
  if (!obstacle) return { refusal: null, lines: [], lineCount: 0 }
  const { error, lines, lineCount } = obstacle
  return { refusal: error.message, lines: await readLinesOf(db, lines, mostNamedLines), lineCount }
}
