import { eq, sql, type SQL } from 'drizzle-orm'
import { mostNamedProblems } from '#contract/bank.ts'
import type { KnownLine } from '#contract/schemas/bank.ts'
import type { Tx } from '#server/db/client.ts'
import { bankStatements } from '#server/db/tables/bank.ts'
import { insertRows } from '#server/db/write.ts'
import { lockNamedAccount, type AccountRow } from './accounts.ts'
import { describeKnown } from './known-rows.ts'
import { cleanOrNull, cleanText, insertedColumns, toLineRow } from './stored-line.ts'
import { compareKindsOfFiles, listBookedDays } from './repeated-lines.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { describeAnother, findCorrectedLines, findStored, findPredecessor, listChain } from './known-lines.ts'
import { divideLines, listKeys, type NewLine } from './readers/identity.ts'
import { statementLimits, StatementTooLargeError } from './readers/limits.ts'
import {
  StatementError,
  type Statement,
  type StatementLine,
  type StatementSink,
  signedAmount,
} from './readers/statement.ts'

interface OpenStatement {
  id: string
  kind: Statement['kind']
  account: AccountRow
  /** It and the statements that it continues. */
  chain: string[]
  lines: number
  linesNew: number
  linesKnown: number
  /** Sums of booked lines, in units of 1e-5. */
  credits: bigint
  debits: bigint
}

/** Writes what a reader finds, in one transaction: each line once, however many files have it. */
export class StatementWriter implements StatementSink {
  readonly #tx: Tx
  readonly #importId: string
  readonly #accounts = new Map<string, AccountRow>()
  #open: OpenStatement | null = null
  #statements = 0
  readonly totals = { linesNew: 0, linesKnown: 0, unreadableCount: 0 }
  readonly warnings: string[] = []
  readonly unreadableParts: string[] = []
  /** Of CSV files, which have nothing by which an equal payment could be told from a known one. */
  readonly knownLines: KnownLine[] = []

  constructor(tx: Tx, importId: string) {
    this.#tx = tx
    this.#importId = importId
  }

  async begin(statement: Statement): Promise<void> {
    this.#statements += 1
    if (this.#statements > statementLimits.lines) throw new StatementTooLargeError()
    const account = await this.#findAccount(statement)
    const continuesId = await findPredecessor(this.#tx, account.id, statement)
    const [row] = await this.#tx
      .insert(bankStatements)
      .values({ importId: this.#importId, accountId: account.id, continuesId, ...toStatementRow(statement) })
      .returning({ id: bankStatements.id })
    const chain = await listChain(this.#tx, continuesId)
    const counts = { lines: 0, linesNew: 0, linesKnown: 0, credits: 0n, debits: 0n }
    this.#open = { id: row!.id, kind: statement.kind, account, chain: [row!.id, ...chain], ...counts }
  }

  async lines(lines: StatementLine[]): Promise<void> {
    const open = this.#requireOpen()
    const { id: accountId } = open.account
    const keys = new Set(lines.flatMap((line) => listKeys(accountId, line)))
    const { fresh, known } = divideLines(accountId, lines, await findStored(this.#tx, open, [...keys]))
    await this.#insert(open, fresh)
    await this.#noteLines(open, [...fresh, ...known])
    await this.#bookKnown(
      open,
      known.filter(({ line, hasUnbooked }) => hasUnbooked && line.booking === 'booked'),
    )
    for (const { line, isAnother } of fresh) if (isAnother) this.#warn(describeAnother(line))
    open.linesNew += fresh.length
    open.linesKnown += known.length
    if (open.kind === 'CSV')
      this.knownLines.push(
        ...known.slice(0, mostNamedProblems - this.knownLines.length).map(({ line }) => describeKnown(line)),
      )
    for (const line of lines) this.#addUp(open, line)
  }

  async end(statement: Statement): Promise<void> {
    const open = this.#requireOpen()
    const { id, linesNew, linesKnown, credits, debits } = open
    const sums = { credits: fromUnits(credits), debits: fromUnits(debits) }
    await this.#tx
      .update(bankStatements)
      .set({ ...toStatementRow(statement), ...sums, linesNew, linesKnown })
      .where(eq(bankStatements.id, id))
    await coverEntries(this.#tx, id, open.account.id)
    const days = await listBookedDays(this.#tx, id)
    for (const warning of await findCorrectedLines(this.#tx, open, days)) this.#warn(warning)
    for (const warning of await compareKindsOfFiles(this.#tx, open.account.id, days)) this.#warn(warning)
    this.totals.linesNew += linesNew
    this.totals.linesKnown += linesKnown
    for (const warning of statement.warnings) this.#warn(warning)
    this.#open = null
  }

  unreadable(message: string): void {
    this.totals.unreadableCount += 1
    if (this.unreadableParts.length < mostNamedProblems) this.unreadableParts.push(cleanText(message))
  }

  #warn(message: string) {
    if (this.warnings.length < mostNamedProblems) this.warnings.push(cleanText(message))
  }

  /** The accounts that the file has statements of. */
  get accountIds(): string[] {
    return [...new Set([...this.#accounts.values()].map(({ id }) => id))]
  }

  #requireOpen(): OpenStatement {
    if (!this.#open) throw new StatementError('The file holds no statement')
    return this.#open
  }

  async #findAccount({ account, currency }: Statement): Promise<AccountRow> {
    const named = JSON.stringify([account, currency])
    const found = this.#accounts.get(named) ?? (await lockNamedAccount(this.#tx, { account, currency }))
    this.#accounts.set(named, found)
    return found
  }

  async #insert(open: OpenStatement, fresh: NewLine[]) {
    const at = { accountId: open.account.id, statementId: open.id }
    const rows = fresh.map((line) => toLineRow(line, { ...at, position: (open.lines += 1) }))
    await insertRows(this.#tx, insertedColumns, rows, ['position'])
  }

  /** A line that was only announced before is booked now, and becomes work. */
  async #bookKnown({ account }: OpenStatement, booked: NewLine[]) {
    if (booked.length === 0) return
    await this.#tx.execute(sql`UPDATE bank_lines l SET booking = 'booked', version = l.version + 1
      FROM ${listIdentities(booked)} WHERE l.account_id = ${account.id} AND l.key = r.key AND l.occurrence = r.occurrence
        AND l.booking <> 'booked' AND l.covered_by IS NULL`)
  }

  /** Notes which lines the statement has, and what those were that it books, so that undoing it makes them so again. */
  async #noteLines({ id, account }: OpenStatement, lines: NewLine[]) {
    await this.#tx.execute(sql`INSERT INTO bank_statement_lines (line_id, statement_id, booked_from)
      SELECT l.id, ${id}::bigint, CASE WHEN r.booked AND l.booking <> 'booked' AND l.covered_by IS NULL THEN l.booking END
      FROM ${listIdentities(lines)} CROSS JOIN LATERAL (
        SELECT id, booking, covered_by FROM bank_lines WHERE account_id = ${account.id} AND key = r.key AND occurrence = r.occurrence OFFSET 0
      ) l ORDER BY l.id`)
  }

  #addUp(open: OpenStatement, { booking, direction, amount, place, warnings }: StatementLine) {
    for (const warning of warnings) this.#warn(`${place}: ${warning}`)
    if (booking !== 'booked') return
    if (direction === 'credit') open.credits += toUnits(amount)
    else open.debits += toUnits(amount)
  }
}

function listIdentities(lines: readonly NewLine[]) {
  const rows = lines.map(({ key, occurrence, line }) => ({ key, occurrence, booked: line.booking === 'booked' }))
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) AS r(key text, occurrence int, booked boolean)`
}

const toStatementRow = ({ kind, externalId, number, opening, closing }: Statement) => ({
  kind,
  externalId: cleanOrNull(externalId),
  number: cleanOrNull(number),
  opening: signedAmount(opening),
  openingOn: opening?.day ?? null,
  closing: signedAmount(closing),
  closingOn: closing?.day ?? null,
})

const namesEntry = (statementId: string) => sql`n.statement_id = ${statementId} AND n.entry_key IS NOT NULL`

/** Makes the found lines information. `found` selects the `id` of each, and the statement `by` whose lines stand for its money. */
const coverLines = (found: SQL, condition = sql`true`) => sql`
  UPDATE bank_lines l SET booking = 'info', version = l.version + 1, suggestion = NULL, outcome = NULL, flags = '{}',
    proposed_orders = '{}', covered_by = found.by
  FROM (${found}) found WHERE l.id = found.id AND l.booking = 'booked' AND l.covered_by IS NULL AND ${condition}`

/**
 * A bank may book several payments as one sum, and name them in another file. Then the money stands twice among the lines, and
 * only one of both may be work: the transactions, unless the sum has a purpose already. The other becomes information
 * (docs/decisions/052). OFFSET 0 looks each line up by its key: a table that grows within the transaction has no statistics to
 * plan by, and any other plan compares each line of a large file with each of its account.
 */
async function coverEntries(tx: Tx, statementId: string, accountId: string): Promise<void> {
  const isUntouched = sql`l.allocated = 0`
  const entry = (columns: SQL, condition = sql`true`) => sql`(SELECT ${columns} FROM bank_lines
    WHERE account_id = ${accountId} AND key = n.entry_key AND occurrence = n.occurrence AND ${condition} OFFSET 0) e`
  // The sum came before its transactions.
  const sums = sql`SELECT e.id, ${statementId}::bigint AS by
    FROM (SELECT DISTINCT entry_key, occurrence FROM bank_lines n WHERE ${namesEntry(statementId)}) n
    CROSS JOIN LATERAL ${entry(sql`id`)}`
  await tx.execute(coverLines(sums, isUntouched))
  const transactionsOfUsedSums = sql`SELECT n.id, e.statement_id AS by FROM bank_lines n
    CROSS JOIN LATERAL ${entry(sql`statement_id`, sql`booking = 'booked' AND allocated > 0`)} WHERE ${namesEntry(statementId)}`
  await tx.execute(coverLines(transactionsOfUsedSums))
  // The transactions came before their sum.
  const sumsOfKnown = sql`SELECT s.line_id AS id, n.statement_id AS by
    FROM bank_statement_lines s JOIN bank_lines k ON k.id = s.line_id CROSS JOIN LATERAL (
      SELECT statement_id FROM bank_lines
      WHERE account_id = ${accountId} AND entry_key = k.key AND occurrence = k.occurrence AND booking = 'booked' OFFSET 0
    ) n WHERE s.statement_id = ${statementId}`
  await tx.execute(coverLines(sumsOfKnown, isUntouched))
}
