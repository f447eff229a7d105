// Whether a CSV file is of the account that was chosen for it: a bank may name it above the table or in a column.
import type { CsvProfile } from '#contract/schemas/csv-profile.ts'
import { compactIban } from '#contract/iban.ts'
import { ibansIn } from '#server/lib/iban.ts'
import { accountWords, sureWords } from './csv-words.ts'
import { foldHeading } from './text.ts'
import { StatementError } from './statement.ts'

/** The file is of another account than the one that was chosen. */
export class OtherAccountError extends StatementError {
  /** The number that the file names. */
  readonly named: string

  constructor(named: string, place?: string) {
    super(`the file is of the account ${named}`, place)
    this.named = named
  }

  override inFile(name: string): OtherAccountError {
    return new OtherAccountError(this.named, this.place ? `${name}, ${this.place}` : name)
  }
}

/** Fewer digits than this name no account. */
const fewestDigits = 5

const digitsOf = (text: string) => compactIban(text).replace(/^0+/, '')

/** An IBAN holds the number that its bank gave the account. */
export function isSameAccount(text: string, account: string): boolean {
  const [one, other] = [compactIban(text), compactIban(account)]
  if (one === other) return true
  const [short = '', long = ''] = [digitsOf(one), digitsOf(other)].toSorted((a, b) => a.length - b.length)
  return short.length >= fewestDigits && long.includes(short)
}

/** "DE89 …", "0532013000", "12345678 / Giro": a cell behind a label. */
const numberAtStart = /^[A-Z]{0,2}[\d][\d A-Z.-]*/

function findNumber(text: string): string | undefined {
  const [iban] = ibansIn(text)
  if (iban) return iban
  const [number = ''] = numberAtStart.exec(text.trim().toUpperCase()) ?? []
  return number.replace(/\D/g, '').length >= fewestDigits ? number.trim() : undefined
}

const isLabel = (cell: string) => accountWords.includes(foldHeading(cell))

/** The account numbers in one row above the table: IBANs, and what follows a label such as "Kontonummer:". */
function findAccounts(row: readonly string[]): string[] {
  return row.flatMap((cell, at) => {
    const ibans = ibansIn(cell)
    if (ibans.length > 0) return ibans
    const [label = '', rest = ''] = cell.split(/:(.*)/s)
    const labelled = isLabel(cell) ? row[at + 1] : isLabel(label) ? rest || row[at + 1] : undefined
    return findNumber(labelled ?? '') ?? []
  })
}

/** Throws an `OtherAccountError` where the rows above a table name accounts, and none of them is the one that was chosen. */
export function checkHeadLines(rows: readonly (readonly string[])[], account: string): void {
  const named = rows.flatMap(findAccounts)
  const [first] = named
  if (first !== undefined && !named.some((each) => isSameAccount(each, account))) throw new OtherAccountError(first)
}

/** More rows above a table say nothing new. */
const mostHeadRows = 100

/** Compares what a file says of its account with the one that was chosen, as its rows come. Each step may throw an `OtherAccountError`. */
export function createAccountCheck({ account, profile }: { account: string; profile: CsvProfile }) {
  const head: string[][] = []
  let own = profile.columns.ownAccount
  return {
    addHead(row: string[]) {
      if (head.length < mostHeadRows) head.push(row)
    },
    /** The headings: a column that says so by itself need not have been confirmed. */
    begin(headings: readonly string[]) {
      checkHeadLines(head, account)
      const read = new Set(Object.values(profile.columns))
      const found = headings.findIndex((cell, at) => !read.has(at) && sureWords.ownAccount.includes(foldHeading(cell)))
      if (found >= 0) own ??= found
    },
    row(row: readonly string[], place: string) {
      const named = findNumber(row[own ?? -1] ?? '')
      if (named !== undefined && !isSameAccount(named, account)) throw new OtherAccountError(named, place)
    },
  }
}
