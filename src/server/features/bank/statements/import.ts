import { webcrypto } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { ImportedFile } from '#contract/schemas/bank.ts'
import { actorName, announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { lockFile, readStoredFile } from '#server/core/stored-files.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { bankImports } from '#server/db/tables/bank.ts'
import { inTransactionWithFile } from '#server/features/documents/service.ts'
import { AppError, formatInstant, invalidField, notFound } from '#server/lib/errors.ts'
import { buildOtherAccountError, findChosenAccount, UnknownAccountError } from './accounts.ts'
import { checkStatements } from './attention.ts'
import { takeKnownRows } from './known-rows.ts'
import { OtherAccountError } from './readers/csv-account.ts'
import { CsvProfileNeededError } from './readers/csv-profile.ts'
import { StatementTooLargeError } from './readers/limits.ts'
import {
  type CsvForm,
  type FileFormat,
  readStatementFile,
  type ReadOptions,
  detectFormat,
} from './readers/read-file.ts'
import { StatementError } from './readers/statement.ts'
import { emptyFile, unknownFile } from './readers/text.ts'
import { StatementWriter } from './statement-writer.ts'
import { readImport } from './statements.ts'
import { findImport, type ImportRow } from './undo-obstacle.ts'

export interface StatementFile {
  fileName: string
  bytes: Buffer
}

export interface ImportOptions {
  /** Of a CSV file, which is read for one account. */
  accountId: string | undefined
  /** Says what would be imported, and stores nothing. */
  isDryRun: boolean
  /** Rows of a CSV file that are stored although equal lines are known. */
  takeRows?: readonly number[]
  /** Of a dry run: how a CSV file is read instead of by the account's profile. */
  csvForm?: CsvForm | undefined
}

/** What a caller does in the transaction of an import besides it. */
export type ImportFrame = (tx: Tx, importFile: () => Promise<ImportedFile>) => Promise<ImportedFile>

interface DetectedFile extends StatementFile {
  sha256: string
  format: FileFormat
}

/** Ends the transaction of a dry run. */
class DryRunEnd extends Error {
  readonly outcome: ImportedFile
  constructor(outcome: ImportedFile) {
    super('a dry run stores nothing')
    this.outcome = outcome
  }
}

/**
 * Imports a file of a bank in one transaction, so that a damaged file stores nothing. Rows that cannot be read are named, and
 * the others are stored. A refusal is audited. Throws invalid, csv_profile_needed, too_large, and file_imported.
 */
export async function importStatementFile(
  ctx: Ctx,
  file: StatementFile,
  options: ImportOptions,
  around: ImportFrame = (_tx, importFile) => importFile(),
): Promise<ImportedFile> {
  const about = { fileName: file.fileName, size: file.bytes.length, sha256: await digest(file.bytes) }
  const { sha256 } = about
  try {
    const detected = { ...file, sha256, format: requireFormat(file.bytes) }
    const work = (tx: Tx) => around(tx, () => importInTransaction(tx, ctx, detected, options))
    const isStored = options.isDryRun || (await readKnownImport(ctx.database.db, sha256)) !== undefined
    if (isStored) return await inTransaction(ctx, work)
    return await inTransactionWithFile(ctx, statementOf(sha256), file.bytes, (tx) =>
      work(tx).catch((error: unknown) => {
        throw toRefusal(error)
      }),
    )
  } catch (error) {
    if (error instanceof DryRunEnd) return error.outcome
    const refusal = toRefusal(error)
    if (!(refusal instanceof AppError) || refusal.status >= 500 || options.isDryRun) throw refusal
    const details = { ...about, outcome: 'refused', code: refusal.code, reason: refusal.message }
    await inTransaction(ctx, (tx) => audit(tx, ctx, { action: 'import_statement', details }))
    throw refusal
  }
}

const statementOf = (sha256: string) => ({ kind: 'statement', sha256 }) as const

async function importInTransaction(tx: Tx, ctx: Ctx, file: DetectedFile, options: ImportOptions) {
  const outcome = await writeImport(tx, file, actorName(ctx.actor), options)
  if (options.isDryRun) throw new DryRunEnd(withoutIds(outcome))
  const { fileName, bytes, sha256 } = file
  const { linesNew, linesKnown, unreadableCount, format } = outcome.import
  const taken = options.takeRows?.length ? { takenRows: options.takeRows } : {}
  const counts = { linesNew, linesKnown, unreadableCount, ...taken }
  await audit(tx, ctx, {
    action: 'import_statement',
    target: { type: 'bank_import', id: outcome.import.id! },
    details: { fileName, size: bytes.length, sha256, format, ...counts, outcome: 'imported' },
  })
  await announce(tx, 'bank')
  return outcome
}

const unknownOutcome =
  'The answer of the database was lost: the file may or may not have been imported. Import it again to see, no line is taken twice.'

/** Beside this thread, since a large file would keep it for a while. */
const digest = async (bytes: Buffer) => Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex')

const withoutIds = ({ import: taken, statements, ...rest }: ImportedFile): ImportedFile => ({
  ...rest,
  import: { ...taken, id: null },
  statements: statements.map((statement) => ({ ...statement, id: null })),
})

/** The reply to a file that cannot be taken, or of which nobody knows whether it was. */
function toRefusal(error: unknown): unknown {
  if (error instanceof AppError && error.code === 'outcome_unknown')
    return new AppError('outcome_unknown', unknownOutcome, { retryAfter: 2, cause: error })
  if (error instanceof CsvProfileNeededError)
    return new AppError('csv_profile_needed', error.message, { details: { ...error.guess } })
  if (error instanceof StatementTooLargeError) return new AppError('too_large', error.message)
  if (error instanceof UnknownAccountError)
    return new AppError('invalid', error.message, { details: { unknownAccount: error.named } })
  if (error instanceof StatementError) return new AppError('invalid', error.message)
  return error
}

function requireFormat(bytes: Buffer) {
  const format = detectFormat(bytes)
  if (!format) throw new StatementError(bytes.length === 0 ? emptyFile : unknownFile)
  return format
}

async function readKnownImport(db: Db | Tx, sha256: string): Promise<ImportRow | undefined> {
  const isKnown = and(eq(bankImports.sha256, sha256), isNull(bankImports.undoneAt))
  const [known] = await db.select().from(bankImports).where(isKnown)
  return known
}

function buildKnownError(known: ImportRow): AppError {
  const { importedBy: by, createdAt: at } = known
  const lines = known.linesNew + known.linesKnown
  const message = `This file was imported by ${by} on ${formatInstant(at)}: ${lines === 1 ? '1 line' : `${lines} lines`}`
  return new AppError('file_imported', message, { details: { by, at, importId: known.id } })
}

async function writeImport(
  tx: Tx,
  file: DetectedFile,
  importedBy: string,
  { accountId, takeRows = [], csvForm }: ImportOptions,
): Promise<ImportedFile> {
  // Of several imports of one file at once, the others wait here and then find it imported.
  await lockFile(tx, statementOf(file.sha256))
  const known = await readKnownImport(tx, file.sha256)
  if (known && takeRows.length === 0) throw buildKnownError(known)
  const csvAccount = await readCsvAccount(tx, accountId, csvForm)
  const found = known
    ? { id: known.id, warnings: [], unreadable: [], knownLines: [] }
    : await writeNewImport(tx, file, importedBy, csvAccount)
  const { id, ...told } = found
  if (takeRows.length > 0) await takeKnownRows(tx, id, { bytes: file.bytes, csvAccount, rows: takeRows })
  const knownLines = told.knownLines.filter(({ row }) => !takeRows.includes(row))
  return { ...(await readImport(tx, id)), ...told, knownLines }
}

async function writeNewImport(
  tx: Tx,
  { fileName, bytes, sha256, format }: DetectedFile,
  importedBy: string,
  csvAccount: ReadOptions['csvAccount'],
) {
  const counts = { linesNew: 0, linesKnown: 0, unreadableCount: 0, warnings: [], unreadable: [] }
  const [row] = await tx
    .insert(bankImports)
    .values({ sha256, fileName, format, size: bytes.length, importedBy, ...counts })
    .returning({ id: bankImports.id })
  const { id } = row!
  const writer = new StatementWriter(tx, id)
  await readStatementFile(bytes, writer, csvAccount && { csvAccount }).catch(async (error: unknown) => {
    if (error instanceof CsvProfileNeededError && !csvAccount) throw accountNeededError(error)
    if (error instanceof OtherAccountError && csvAccount) throw await buildOtherAccountError(tx, error, csvAccount)
    throw error
  })
  const { accountIds, warnings, unreadableParts: unreadable, knownLines } = writer
  for (const accountId of accountIds) await checkStatements(tx, accountId)
  await tx
    .update(bankImports)
    .set({ ...writer.totals, accountIds, warnings, unreadable })
    .where(eq(bankImports.id, id))
  return { id, warnings, unreadable, knownLines }
}

async function readCsvAccount(
  tx: Tx,
  id: string | undefined,
  form: CsvForm | undefined,
): Promise<ReadOptions['csvAccount']> {
  if (id === undefined) return undefined
  const { account, name, currency, csvProfile } = await findChosenAccount(tx, id)
  return { account, accountName: name, currency, form: form ?? csvProfile }
}

const accountNeededError = ({ place }: CsvProfileNeededError) =>
  invalidField('accountId', `choose the account of ${place === null ? 'this CSV file' : `${place}, a CSV file,`} first`)

/** The bytes of an imported file, as they came. Each view is audited, because they name payers. Throws not_found. */
export async function openImportedFile(ctx: Ctx, id: string): Promise<{ fileName: string; bytes: Buffer }> {
  const { fileName, sha256 } = await findImport(ctx.database.db, id)
  const bytes = await readStoredFile(ctx, { kind: 'statement', sha256 }, { importId: id })
  if (!bytes) throw notFound('The file of this import')
  await inTransaction(ctx, (tx) =>
    audit(tx, ctx, {
      action: 'view_statement_file',
      target: { type: 'bank_import', id },
      details: { fileName, sha256 },
    }),
  )
  return { fileName, bytes }
}
