import { eq, sql, type SQL } from 'drizzle-orm'
import type { UndoImport } from '#contract/schemas/bank-changes.ts'
import type { BankImport } from '#contract/schemas/bank.ts'
import { RowId } from '#contract/schemas/common.ts'
import { actorName, announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { lockFile } from '#server/core/stored-files.ts'
import type { Tx } from '#server/db/client.ts'
import { bankImports } from '#server/db/tables/bank.ts'
import { AppError, formatInstant, notFound } from '#server/lib/errors.ts'
import { proposeAllAnew } from './proposals/policy.ts'
import { readImportRow } from './statements.ts'

type ImportRow = typeof bankImports.$inferSelect

const findRow = async (tx: Tx, id: string, isLocked: boolean): Promise<ImportRow> => {
  if (!RowId.safeParse(id).success) throw notFound('Import')
  const query = tx.select().from(bankImports).where(eq(bankImports.id, id))
  const [row] = await (isLocked ? query.for('no key update') : query)
  if (!row) throw notFound('Import')
  return row
}

/** An import, locked together with its file until the transaction ends. Throws not_found and import_undone. */
async function lockImport(tx: Tx, id: string): Promise<ImportRow> {
  const { sha256 } = await findRow(tx, id, false)
  await lockFile(tx, { kind: 'statement', sha256 })
  const row = await findRow(tx, id, true)
  if (row.undoneAt === null) return row
  const message = `This import was undone by ${row.undoneBy} on ${formatInstant(row.undoneAt)}`
  throw new AppError('import_undone', message, { details: { by: row.undoneBy, at: row.undoneAt } })
}

/** What an import has brought, as conditions. */
interface Brought {
  statements: SQL
  /** Its lines, and those of other files that it has booked. */
  lines: SQL
}

const selectBrought = (id: string): Brought => {
  const statements = sql`(SELECT id FROM bank_statements WHERE import_id = ${id})`
  const booked = sql`SELECT line_id FROM bank_statement_lines WHERE booked_from IS NOT NULL AND statement_id IN ${statements}`
  return {
    statements,
    lines: sql`(SELECT id FROM bank_lines WHERE statement_id IN ${statements} UNION ${booked})`,
  }
}

/** Accounts as imports lock them, then lines as operators do. */
async function lockBrought(tx: Tx, { statements, lines }: Brought): Promise<void> {
  await tx.execute(sql`SELECT id FROM bank_accounts WHERE id IN (SELECT account_id FROM bank_statements WHERE id IN ${statements})
    ORDER BY id FOR NO KEY UPDATE`)
  await tx.execute(sql`SELECT count(*) FROM (SELECT id FROM bank_lines WHERE id IN ${lines} ORDER BY id FOR UPDATE) l`)
}

const countOf = (count: number) => (count === 1 ? '1 line' : `${count} lines`)

/** What was decided of a line stays on record for ever, and needs its line. */
async function refuseWorked(tx: Tx, { lines }: Brought): Promise<void> {
  const { rows } = await tx.execute<{ worked: number; active: number }>(sql`
    SELECT count(DISTINCT line)::int AS worked, (count(DISTINCT line) FILTER (WHERE undone_at IS NULL))::int AS active
    FROM (SELECT line_id AS line, undone_at FROM bank_parts WHERE line_id IN ${lines}
      UNION ALL SELECT other_line_id, undone_at FROM bank_parts WHERE other_line_id IN ${lines}) p`)
  const { worked, active } = rows[0]!
  if (worked === 0) return
  const what = active > 0 ? `${countOf(active)} of it ${active === 1 ? 'has' : 'have'} a purpose` : undefined
  const past = `${countOf(worked)} of it had a purpose that was undone`
  const message = `${what ?? past}: what was decided stays on record, so this import cannot be undone`
  throw new AppError('import_used', message, { details: { lines: worked } })
}

/** Lines of later files that are known by these ones, or counted on from them. */
async function refuseContinued(tx: Tx, { statements }: Brought): Promise<void> {
  const { rows } = await tx.execute<{ id: string; fileName: string; lines: number }>(sql`
    SELECT i.id::text, i.file_name AS "fileName", count(DISTINCT c.line_id)::int AS lines FROM (
      SELECT s.statement_id, s.line_id FROM bank_lines l JOIN bank_statement_lines s ON s.line_id = l.id
      WHERE l.statement_id IN ${statements} AND s.statement_id NOT IN ${statements}
      UNION ALL
      SELECT o.statement_id, l.id FROM bank_lines l
        JOIN bank_lines o ON o.account_id = l.account_id AND o.key = l.key AND o.occurrence > l.occurrence
      WHERE l.statement_id IN ${statements} AND o.statement_id NOT IN ${statements}
    ) c JOIN bank_statements s ON s.id = c.statement_id JOIN bank_imports i ON i.id = s.import_id
    GROUP BY i.id ORDER BY i.id DESC LIMIT 1`)
  const [later] = rows
  if (!later) return
  const message = `${later.fileName} counts on ${countOf(later.lines)} of it: undo that import first`
  throw new AppError('import_used', message, { details: { importId: later.id, lines: later.lines } })
}

const asNew = sql`version = l.version + 1, suggestion = NULL, outcome = NULL, flags = '{}', proposed_orders = '{}'`

/** Lines of other files become what they were: announced, not yet booked, or the sum that the bank booked. */
async function restoreOthers(tx: Tx, { statements }: Brought): Promise<void> {
  // A later file that has the line as well keeps it booked.
  await tx.execute(sql`UPDATE bank_statement_lines n SET booked_from = m.booked_from FROM bank_statement_lines m
    WHERE m.statement_id IN ${statements} AND m.booked_from IS NOT NULL AND n.line_id = m.line_id
      AND n.statement_id = (SELECT min(x.statement_id) FROM bank_statement_lines x
        WHERE x.line_id = m.line_id AND x.statement_id > m.statement_id AND x.statement_id NOT IN ${statements})`)
  await tx.execute(sql`UPDATE bank_lines l SET booking = m.booked_from, covered_by = NULL, ${asNew} FROM bank_statement_lines m
    WHERE m.statement_id IN ${statements} AND m.booked_from IS NOT NULL AND l.id = m.line_id
      AND NOT EXISTS (SELECT FROM bank_statement_lines n
        WHERE n.line_id = l.id AND n.booked_from IS NOT NULL AND n.statement_id NOT IN ${statements})`)
  const another = sql`(SELECT min(i.statement_id) FROM bank_lines i WHERE i.account_id = l.account_id AND i.entry_key = l.key
    AND i.occurrence = l.occurrence AND i.booking = 'booked' AND i.statement_id NOT IN ${statements})`
  await tx.execute(sql`UPDATE bank_lines l SET covered_by = ${another},
      booking = CASE WHEN ${another} IS NULL THEN 'booked' ELSE booking END, ${asNew}
    WHERE l.covered_by IN ${statements} AND l.statement_id NOT IN ${statements}`)
}

/** What continued one of its statements continues what that one did. */
const relinkStatements = (tx: Tx, { statements }: Brought) =>
  tx.execute(sql`
    WITH RECURSIVE back AS (
      SELECT id, continues_id FROM bank_statements WHERE id IN ${statements}
      UNION ALL
      SELECT b.id, s.continues_id FROM back b JOIN bank_statements s ON s.id = b.continues_id WHERE s.id IN ${statements}
    )
    UPDATE bank_statements s SET continues_id = b.continues_id FROM back b
    WHERE s.continues_id = b.id AND s.id NOT IN ${statements}
      AND (b.continues_id IS NULL OR b.continues_id NOT IN ${statements})`)

async function deleteBrought(tx: Tx, { statements }: Brought): Promise<{ lines: number; statements: number }> {
  const ofLines = sql`(SELECT id FROM bank_lines WHERE statement_id IN ${statements})`
  await tx.execute(sql`DELETE FROM bank_claims WHERE line_id IN ${ofLines}`)
  await tx.execute(sql`DELETE FROM bank_statement_lines WHERE statement_id IN ${statements}`)
  return {
    lines: await deleteLines(tx, statements),
    statements: await deleteCounted(tx, sql`DELETE FROM bank_statements WHERE id IN ${statements}`),
  }
}

/** A statement has to end before its time is over, however large the file was. */
const deletedAtOnce = 10_000

async function deleteLines(tx: Tx, statements: SQL): Promise<number> {
  const next = sql`SELECT id FROM bank_lines WHERE statement_id IN ${statements} ORDER BY id LIMIT ${sql.raw(String(deletedAtOnce))}`
  let lines = 0
  for (let count = deletedAtOnce; count === deletedAtOnce; lines += count)
    count = await deleteCounted(tx, sql`DELETE FROM bank_lines WHERE id IN (${next})`)
  return lines
}

async function deleteCounted(tx: Tx, deletion: SQL): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(
    sql`WITH gone AS (${deletion} RETURNING 1) SELECT count(*)::int AS count FROM gone`,
  )
  return rows[0]!.count
}

/**
 * Undoes an import that nobody has worked: its statements and lines go as if the file had never come, and its row stays with the
 * reason. The file can be imported again. Throws not_found, import_undone, and import_used where something counts on it.
 */
export const undoImport = (ctx: Ctx, id: string, { reason }: UndoImport): Promise<BankImport> =>
  inTransaction(ctx, async (tx) => {
    const { fileName, sha256, accountIds } = await lockImport(tx, id)
    const brought = selectBrought(id)
    await lockBrought(tx, brought)
    await refuseWorked(tx, brought)
    await refuseContinued(tx, brought)
    await restoreOthers(tx, brought)
    await relinkStatements(tx, brought)
    const gone = await deleteBrought(tx, brought)
    await tx
      .update(bankImports)
      .set({ undoneBy: actorName(ctx.actor), undoneAt: sql`now()`, undoReason: reason })
      .where(eq(bankImports.id, id))
    // Money out may be proposed for one of its lines.
    await proposeAllAnew(tx)
    await audit(tx, ctx, {
      action: 'undo_import',
      target: { type: 'bank_import', id },
      details: { fileName, sha256, accountIds, ...gone, reason },
    })
    await announce(tx, 'bank')
    return readImportRow(tx, id)
  })
