import { eq, sql, type SQL } from 'drizzle-orm'
import type { UndoImport } from '#contract/schemas/bank-changes.ts'
import type { BankImport } from '#contract/schemas/bank.ts'
import { actorName, announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { lockFile } from '#server/core/stored-files.ts'
import type { Tx } from '#server/db/client.ts'
import { bankImports } from '#server/db/tables/bank.ts'
import { requestFullRefresh } from '#server/features/bank/shared/policy.ts'
import { checkStatements } from './attention.ts'
import { compareKindsOfFiles } from './repeated-lines.ts'
import { readImportRow } from './statements.ts'
import {
  type ImportedRows,
  findImport,
  findUndoObstacle,
  findUndone,
  type ImportRow,
  selectImportedRows,
} from './undo-obstacle.ts'

/** An import, locked together with its file until the transaction ends. Throws not_found and import_undone. */
async function lockImport(tx: Tx, id: string): Promise<ImportRow> {
  const { sha256 } = await findImport(tx, id)
  await lockFile(tx, { kind: 'statement', sha256 })
  const [row] = await tx.select().from(bankImports).where(eq(bankImports.id, id)).for('no key update')
  const undone = findUndone(row!)
  if (undone) throw undone
  return row!
}

/** Accounts as imports lock them, then lines as operators do. */
async function lockImportedRows(tx: Tx, { statements, lines }: ImportedRows): Promise<void> {
  await tx.execute(sql`SELECT id FROM bank_accounts WHERE id IN (SELECT account_id FROM bank_statements WHERE id IN ${statements})
    ORDER BY id FOR NO KEY UPDATE`)
  await tx.execute(sql`SELECT count(*) FROM (SELECT id FROM bank_lines WHERE id IN ${lines} ORDER BY id FOR UPDATE) l`)
}

const asNew = sql`version = l.version + 1, suggestion = NULL, outcome = NULL, flags = '{}', proposed_orders = '{}'`

/** Lines of other files become what they were: announced, not yet booked, or the sum that the bank booked. */
async function restoreOthers(tx: Tx, { statements }: ImportedRows) {
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
  const { rows } = await tx.execute<{ accountId: string; day: string }>(sql`
    UPDATE bank_lines l SET covered_by = ${another},
      booking = CASE WHEN ${another} IS NULL THEN 'booked' ELSE booking END, ${asNew}
    WHERE l.covered_by IN ${statements} AND l.statement_id NOT IN ${statements}
    RETURNING l.account_id::text AS "accountId", l.booked_on::text AS day`)
  return Map.groupBy(rows, ({ accountId }) => accountId)
}

/** A third file may have what the first two had. */
async function compareRestored(tx: Tx, restored: Map<string, { day: string | null }[]>): Promise<void> {
  for (const [accountId, lines] of restored)
    await compareKindsOfFiles(tx, accountId, [...new Set(lines.flatMap(({ day }) => day ?? []))])
}

/** What continued one of its statements continues what that one did. */
const relinkStatements = (tx: Tx, { statements }: ImportedRows) =>
  tx.execute(sql`
    WITH RECURSIVE back AS (
      SELECT id, continues_id FROM bank_statements WHERE id IN ${statements}
      UNION ALL
      SELECT b.id, s.continues_id FROM back b JOIN bank_statements s ON s.id = b.continues_id WHERE s.id IN ${statements}
    )
    UPDATE bank_statements s SET continues_id = b.continues_id FROM back b
    WHERE s.continues_id = b.id AND s.id NOT IN ${statements}
      AND (b.continues_id IS NULL OR b.continues_id NOT IN ${statements})`)

async function deleteImportedRows(
  tx: Tx,
  { statements }: ImportedRows,
): Promise<{ lines: number; statements: number }> {
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
    const brought = selectImportedRows(id)
    await lockImportedRows(tx, brought)
    const obstacle = await findUndoObstacle(tx, brought)
    if (obstacle) throw obstacle.error
    const restored = await restoreOthers(tx, brought)
    await relinkStatements(tx, brought)
    const gone = await deleteImportedRows(tx, brought)
    await compareRestored(tx, restored)
    for (const accountId of accountIds) await checkStatements(tx, accountId)
    await tx
      .update(bankImports)
      .set({ undoneBy: actorName(ctx.actor), undoneAt: sql`now()`, undoReason: reason })
      .where(eq(bankImports.id, id))
    // Money out may be proposed for one of its lines.
    await requestFullRefresh(tx)
    await audit(tx, ctx, {
      action: 'undo_import',
      target: { type: 'bank_import', id },
      details: { fileName, sha256, accountIds, ...gone, reason },
    })
    await announce(tx, 'bank')
    return readImportRow(tx, id)
  })
