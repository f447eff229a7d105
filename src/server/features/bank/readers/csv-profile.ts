import { parse } from 'csv-parse/sync'
import { csvDelimiters, csvQuestions, type CsvQuestion } from '#contract/csv-profile.ts'
import type { CsvProfile, UnsureColumn } from '#contract/schemas/csv-profile.ts'
import { checkHeadLines } from './csv-account.ts'
import { guessCsvEncoding } from './csv-encoding.ts'
import { findColumns } from './csv-headings.ts'
import { guessDateOrder, guessDecimalSign } from './csv-values.ts'
import { StatementError } from './statement.ts'
import { decodeText, unknownFile } from './text.ts'

/** How much of a file a guess looks at, in characters. */
const headLength = 200_000

const previewRows = 5

/** What can be told of a file that no profile is known for. The guess only fills in a form, which a person confirms. */
export interface CsvGuess {
  /** Its `columns` may be incomplete: then a question names what is missing. */
  profile: CsvProfile
  /** What the file does not tell, or tells in two ways. */
  questions: CsvQuestion[]
  unsure: UnsureColumn[]
  headings: string[]
  /** The first rows behind the headings. */
  preview: string[][]
}

/** The file cannot be read before a person has confirmed the guess. */
export class CsvProfileNeededError extends StatementError {
  readonly guess: CsvGuess

  constructor(guess: CsvGuess, place?: string) {
    super('How this bank writes CSV is not known yet: confirm the columns first', place)
    this.guess = guess
  }

  override inFile(name: string): CsvProfileNeededError {
    return new CsvProfileNeededError(this.guess, name)
  }
}

/** The file's first rows, without the last one, which may be cut. */
function readRows(head: string, delimiter: string): string[][] {
  try {
    return parse(head, { delimiter, relax_column_count: true, relax_quotes: true })
  } catch {
    return []
  }
}

/** The most usual number of columns, if at least half of the rows have it. */
function usualWidth(rows: string[][]): number {
  const counts = new Map<number, number>()
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1)
  const [width, count] = [...counts].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [0, 0]
  return count * 2 >= rows.length ? width : 0
}

const hasNumber = (row: string[]) => row.some((cell) => /^[\d.,/: +-]*\d[\d.,/: +-]*$/.test(cell.trim()))

/** The row of the headings by their words, else the first full row if it is all words; -1 where there is none. */
function findHeaderRow(rows: string[][], width: number): number {
  const known = rows.findIndex((row) => Object.keys(findColumns(row).columns).length >= 3)
  if (known >= 0) return known
  const full = rows.findIndex(({ length }) => length === width)
  return hasNumber(rows[full] ?? []) ? full - 1 : full
}

/** The table by the delimiter that makes most columns. */
function findTable(head: string) {
  const tables = csvDelimiters.map((delimiter) => {
    const rows = readRows(head, delimiter)
    return { delimiter, rows, width: usualWidth(rows) }
  })
  return tables.toSorted((a, b) => b.width - a.width)[0]
}

function headOf(text: string): string {
  if (text.length <= headLength) return text
  const head = text.slice(0, headLength)
  return head.slice(0, Math.max(head.lastIndexOf('\n'), head.lastIndexOf('\r')) + 1)
}

interface FoundTable {
  columns: CsvProfile['columns']
  unsure: UnsureColumn[]
  decimalSign: CsvProfile['decimalSign'] | undefined
  dateOrder: CsvProfile['dateOrder'] | undefined
}

/** What headings and rows tell of a table's columns. `account` is the number that was chosen. */
export function guessTable(headings: readonly string[], rows: string[][], account: string | null): FoundTable {
  const cellsOf = (at: number) => rows.map((row) => (row[at] ?? '').trim()).filter(Boolean)
  const { columns, unsure } = findColumns(headings, { cellsOf, account })
  const samplesOf = (...names: (keyof typeof columns)[]) => names.flatMap((name) => cellsOf(columns[name] ?? -1))
  return {
    columns,
    unsure,
    decimalSign: guessDecimalSign(samplesOf('amount', 'credit', 'debit', 'balance')),
    dateOrder: guessDateOrder(samplesOf('bookedOn')),
  }
}

function findQuestions({ columns, unsure, decimalSign, dateOrder }: FoundTable): CsvQuestion[] {
  const hasAmount = columns.amount !== undefined || columns.credit !== undefined || columns.debit !== undefined
  const open: Record<CsvQuestion, boolean> = {
    bookedOn: columns.bookedOn === undefined,
    amount: !hasAmount,
    decimalSign: !decimalSign,
    dateOrder: !dateOrder,
    columns: unsure.length > 0,
    currency: columns.currency === undefined,
  }
  return csvQuestions.filter((question) => open[question])
}

const shorten = (row: string[]) => row.map((cell) => cell.trim().slice(0, 200).toWellFormed())

/**
 * How a bank's CSV file is written, as far as the file tells. `account` is the number that was chosen. Throws where it is no table,
 * and where the rows above it name another account.
 */
export function guessProfile(bytes: Uint8Array, account: string | null = null): CsvGuess {
  const encoding = guessCsvEncoding(bytes)
  const table = findTable(headOf(decodeText(bytes, encoding)))
  if (!table || table.width < 2) throw new StatementError(unknownFile)
  const { delimiter, rows, width } = table
  const headerRow = findHeaderRow(rows, width)
  const headingRow = rows[headerRow] ?? []
  const headings = headingRow.length < width - 1 ? [] : shorten(headingRow)
  if (account !== null) checkHeadLines(rows.slice(0, Math.max(headerRow, 0)), account)
  const body = rows.slice(headerRow + 1).filter(({ length }) => length >= width - 1)
  const found = guessTable(headings, body, account)
  return {
    profile: {
      encoding,
      delimiter,
      headerRow,
      columns: found.columns,
      decimalSign: found.decimalSign ?? '.',
      dateOrder: found.dateOrder ?? 'dmy',
      ...(headings.length > 0 && { headings }),
    },
    questions: findQuestions(found),
    unsure: found.unsure,
    headings,
    preview: body.slice(0, previewRows).map(shorten),
  }
}
