import { sql, type SQL } from 'drizzle-orm'
import { mostListedUnreadable } from '#contract/bank.ts'
import type { BankImport, BankStatement, ImportedStatement } from '#contract/schemas/bank.ts'
import type { BankImportsQuery, BankStatementsQuery } from '#contract/schemas/bank-queries.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { type ListDesign, type ListFilter, type ListRequest, readList } from '#server/db/list.ts'
import { expressions, instant, selectColumns, formatMoney } from '#server/db/select.ts'
import { bankImports, bankStatements } from '#server/db/tables/bank.ts'
import { filterImports, filterStatements } from './attention.ts'

const importColumns = {
  id: bankImports.id,
  fileName: bankImports.fileName,
  format: bankImports.format,
  size: bankImports.size,
  importedBy: bankImports.importedBy,
  importedAt: bankImports.createdAt,
  linesNew: bankImports.linesNew,
  linesKnown: bankImports.linesKnown,
  unreadableCount: bankImports.unreadableCount,
}

/** SQL: who did it, when and why; null where nobody did. */
const decision = (by: string, at: string, reason: string) =>
  `CASE WHEN ${at} IS NOT NULL THEN json_build_object('by', ${by}, 'at', ${instant(at)}, 'reason', ${reason}) END`

const importSelect = {
  ...expressions(importColumns, 't'),
  unreadable: `to_json(t.unreadable[1:${mostListedUnreadable}])`,
  acceptedUnreadable: decision('t.unreadable_known_by', 't.unreadable_known_at', 't.unreadable_reason'),
  undone: decision('t.undone_by', 't.undone_at', 't.undo_reason'),
}
const { importedAt = '' } = expressions({ importedAt: bankImports.createdAt }, 'i')

const statementSelect = {
  ...expressions(
    {
      id: bankStatements.id,
      accountId: bankStatements.accountId,
      kind: bankStatements.kind,
      number: bankStatements.number,
      openingOn: bankStatements.openingOn,
      closingOn: bankStatements.closingOn,
      linesNew: bankStatements.linesNew,
      linesKnown: bankStatements.linesKnown,
    },
    't',
  ),
  accountName: 'a.name',
  account: 'a.account',
  currency: 'a.currency',
  opening: formatMoney('t.opening'),
  credits: formatMoney('t.credits'),
  debits: formatMoney('t.debits'),
  closing: formatMoney('t.closing'),
  difference: formatMoney('t.difference'),
}
const ofAccount = 'JOIN bank_accounts a ON a.id = t.account_id'

/** Files and statements are few beside their lines, so they are counted row by row. */
const all: ListFilter = { rows: 'true', leaves: null }

const importList: ListDesign = { table: 'bank_imports', at: 'created_at', select: importSelect }

const statementList = {
  table: 'bank_statements',
  at: 'created_at',
  select: {
    ...statementSelect,
    importId: 't.import_id::text',
    fileName: 'i.file_name',
    importedBy: 'i.imported_by',
    importedAt,
    isGap: 't.is_gap',
    jump: formatMoney('t.jump'),
    contradiction: 't.contradiction',
    acceptedGap: decision('t.gap_known_by', 't.gap_known_at', 't.gap_reason'),
    acceptedDifference: decision('t.difference_known_by', 't.difference_known_at', 't.difference_reason'),
  },
  join: `${ofAccount} JOIN bank_imports i ON i.id = t.import_id`,
} satisfies ListDesign

/** The imported files, newest first. */
export async function listImports({ reads }: Ctx, query: BankImportsQuery) {
  const { rows: imports, ...rest } = await readList<BankImport>(reads, buildImportList(query), query)
  return { imports, ...rest }
}

export function buildImportList({ accountId, attention }: Partial<BankImportsQuery>): ListRequest {
  const ofOneAccount = { rows: '$value::bigint = ANY(t.account_ids)', leaves: null, value: accountId ?? '' }
  const filters = [accountId ? ofOneAccount : all, ...(attention ? [filterImports(attention)] : [])]
  return { list: importList, filters }
}

/** The statements, newest first (product 6.11). */
export async function listStatements({ reads }: Ctx, query: BankStatementsQuery) {
  const { rows: statements, ...rest } = await readList<BankStatement>(reads, buildStatementList(query), query)
  return { statements, ...rest }
}

export function buildStatementList({ accountId, attention }: Partial<BankStatementsQuery>): ListRequest {
  const ofOneAccount = accountId ? { rows: 't.account_id = $value::bigint', leaves: null, value: accountId } : all
  const filters = [ofOneAccount, ...(attention ? [filterStatements(attention)] : [])]
  return { list: statementList, filters }
}

const select = (columns: Record<string, string>): SQL => sql.raw(selectColumns(columns))

/** One statement, as the list has it. */
export async function readStatement(tx: Tx, id: string): Promise<BankStatement> {
  const { rows } = await tx.execute<BankStatement & Record<string, unknown>>(
    sql`SELECT ${select(statementList.select)} FROM bank_statements t ${sql.raw(statementList.join)} WHERE t.id = ${id}`,
  )
  return rows[0]!
}

/** One import, as the list has it. */
export async function readImportRow(tx: Tx, id: string): Promise<BankImport> {
  const { rows } = await tx.execute<BankImport & Record<string, unknown>>(
    sql`SELECT ${select(importSelect)} FROM bank_imports t WHERE t.id = ${id}`,
  )
  return rows[0]!
}

/** What an import has stored, in the order of its file. */
export async function readImport(tx: Tx, id: string): Promise<{ import: BankImport; statements: ImportedStatement[] }> {
  const statements = await tx.execute<ImportedStatement & Record<string, unknown>>(
    sql`SELECT ${select(statementSelect)} FROM bank_statements t ${sql.raw(ofAccount)} WHERE t.import_id = ${id} ORDER BY t.id`,
  )
  return { import: await readImportRow(tx, id), statements: statements.rows }
}
