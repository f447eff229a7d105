import { eq, sql } from 'drizzle-orm'
import { maxTakenRows } from '#contract/bank.ts'
import type { KnownLine } from '#contract/schemas/bank.ts'
import type { Tx } from '#server/db/client.ts'
import { bankImports, bankStatements } from '#server/db/tables/bank.ts'
import { insertRows } from '#server/db/write.ts'
import { invalidField } from '#server/lib/errors.ts'
import { lockNamedAccount } from './accounts.ts'
import { cleanText, insertedColumns, toLineRow } from './stored-line.ts'
import { lineKey } from './readers/identity.ts'
import { readStatementFile, type ReadOptions } from './readers/read-file.ts'
import type { StatementLine, StatementSink } from './readers/statement.ts'

type CsvAccount = NonNullable<ReadOptions['csvAccount']>

const toRow = (place: string) => Number(place.replace('row ', ''))

/** A line of a CSV file that counts as known, as it is shown to the operator. */
export const describeKnown = (line: StatementLine): KnownLine => ({
  row: toRow(line.place),
  bookedOn: line.bookedOn,
  direction: line.direction,
  amount: line.amount,
  payer: line.counterparty.name && cleanText(line.counterparty.name),
  text: cleanText(line.remittance.join(' ')).slice(0, 140),
})

/** The lines of these rows of a CSV file. Throws invalid for a row that is not a line. */
async function readRows(bytes: Buffer, csvAccount: CsvAccount, wanted: ReadonlySet<number>): Promise<StatementLine[]> {
  const found: StatementLine[] = []
  const sink: StatementSink = {
    begin: () => Promise.resolve(),
    end: () => Promise.resolve(),
    unreadable: () => {},
    lines: (lines) => Promise.resolve(void found.push(...lines.filter(({ place }) => wanted.has(toRow(place))))),
  }
  await readStatementFile(bytes, sink, { csvAccount })
  const missing = [...wanted].find((row) => !found.some(({ place }) => toRow(place) === row))
  if (missing !== undefined) throw invalidField('takeRows', `row ${missing} is not a line of this file`)
  return found
}

/** "4,9" as numbers. */
export const parseRows = (rows: string | undefined): number[] =>
  rows === undefined ? [] : [...new Set(rows.split(',').map(Number))]

/**
 * Stores rows of a CSV file that was imported before, although equal lines of other files are known: the operator says that they
 * are payments of their own. A row that the file has brought already stays as it is. Throws invalid.
 */
export async function takeKnownRows(
  tx: Tx,
  importId: string,
  { bytes, csvAccount, rows }: { bytes: Buffer; csvAccount: CsvAccount | undefined; rows: readonly number[] },
): Promise<void> {
  if (rows.length > maxTakenRows) throw invalidField('takeRows', `must name at most ${maxTakenRows} rows`)
  const [statement] = await tx.select().from(bankStatements).where(eq(bankStatements.importId, importId))
  if (!statement || statement.kind !== 'CSV' || !csvAccount)
    throw invalidField('takeRows', 'only a CSV file has rows that can be taken')
  const account = await lockNamedAccount(tx, csvAccount)
  if (account.id !== statement.accountId) throw invalidField('accountId', 'is not the account of this file')
  const { rows: own } = await tx.execute<{ place: string; position: number }>(
    sql`SELECT place, position FROM bank_lines WHERE statement_id = ${statement.id}`,
  )
  const places = new Set(own.map(({ place }) => place))
  const lines = (await readRows(bytes, csvAccount, new Set(rows))).filter(({ place }) => !places.has(place))
  let position = Math.max(0, ...own.map((line) => line.position))
  for (const line of lines) {
    position += 1
    await insertAnother(tx, line, { accountId: account.id, statementId: statement.id, position })
  }
  await countTaken(tx, importId, statement.id, lines.length)
}

/** Stores a line beside those that equal it. The statement has this one now, and not the one it was taken for. */
async function insertAnother(
  tx: Tx,
  line: StatementLine,
  at: { accountId: string; statementId: string; position: number },
): Promise<void> {
  const key = lineKey(at.accountId, line)
  const { rows } = await tx.execute<{ occurrence: number }>(
    sql`SELECT coalesce(max(occurrence), 0)::int AS occurrence FROM bank_lines WHERE account_id = ${at.accountId} AND key = ${key}`,
  )
  const occurrence = rows[0]!.occurrence + 1
  await insertRows(tx, insertedColumns, [toLineRow({ line, key, occurrence }, at)], ['position'])
  const ofKey = sql`SELECT l.id FROM bank_lines l WHERE l.account_id = ${at.accountId} AND l.key = ${key}`
  await tx.execute(sql`DELETE FROM bank_statement_lines WHERE statement_id = ${at.statementId} AND line_id = (
    ${ofKey} AND l.statement_id <> ${at.statementId} AND l.id IN (
      SELECT line_id FROM bank_statement_lines WHERE statement_id = ${at.statementId}
    ) ORDER BY l.occurrence DESC LIMIT 1)`)
  await tx.execute(sql`INSERT INTO bank_statement_lines (line_id, statement_id)
    SELECT id, ${at.statementId}::bigint FROM (${ofKey} AND l.occurrence = ${occurrence}) l`)
}

async function countTaken(tx: Tx, importId: string, statementId: string, taken: number): Promise<void> {
  for (const [table, id] of [
    [bankStatements, statementId],
    [bankImports, importId],
  ] as const)
    await tx
      .update(table)
      .set({ linesNew: sql`${table.linesNew} + ${taken}`, linesKnown: sql`${table.linesKnown} - ${taken}` })
      .where(eq(table.id, id))
}
