import { parse } from 'csv-parse/sync'
import { csvDelimiters, csvQuestions, type CsvQuestion } from '#contract/csv-profile.ts'
import type { CsvLayout, CsvProfile, CsvProfileNeeded } from '#contract/schemas/csv-profile.ts'
import { checkHeadLines } from './csv-account.ts'
import { guessCsvEncoding } from './csv-encoding.ts'
import { findColumns } from './csv-headings.ts'
import { isBlankRow } from './csv-row.ts'
import { guessTable, type TableGuess } from './csv-table.ts'
import { StatementError } from './statement.ts'
import { decodeText, unknownFile } from './text.ts'

/** How much of a file a guess looks at, in characters and in rows. */
const headLength = 200_000
const headRows = 2000

const previewRows = 5

/** What can be told of a file that no profile is known for. The guess only fills in a form, which a person confirms. */
export type CsvGuess = CsvProfileNeeded

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
    return parse(head, {
      delimiter,
      to: headRows,
      relax_column_count: true,
      relax_quotes: true,
      skip_records_with_error: true,
    })
  } catch {
    return []
  }
}

/** The number of columns that most cells stand in, if at least half of the rows have it, or it is that of a table below a long head. */
function usualWidth(rows: string[][]): number {
  const counts = new Map<number, number>()
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1)
  const [width, count] = [...counts].toSorted(([a, m], [b, n]) => b * n - a * m || b - a)[0] ?? [0, 0]
  return count * 2 >= rows.length || (count > 1 && width > 2) ? width : 0
}

const hasNumber = (row: string[]) => row.some((cell) => /^[\d.,/: +-]*\d[\d.,/: +-]*$/.test(cell.trim()))

/** So many headings that are known make a row that of the headings. */
const fewestHeadings = 3

/** The row of the headings by their words; -1 where none is known. */
const findKnownHeadings = (rows: string[][]) =>
  rows.findIndex(
    (row) => row.length >= fewestHeadings && Object.keys(findColumns(row).columns).length >= fewestHeadings,
  )

/** The first full row if it is all words, else what stands before it; -1 where there is none. */
function findHeaderRow(rows: string[][], width: number): number {
  const full = rows.findIndex(({ length }) => length === width)
  return hasNumber(rows[full] ?? []) ? full - 1 : full
}

interface Table {
  delimiter: CsvLayout['delimiter']
  headerRow: number
  rows: string[][]
  width: number
}

/** The table by the delimiter that makes known headings, else most columns. */
function findTable(head: string): Table | undefined {
  const tables = csvDelimiters.map((delimiter) => {
    const rows = readRows(head, delimiter)
    const known = findKnownHeadings(rows)
    const width = known < 0 ? usualWidth(rows) : (rows[known]?.length ?? 0)
    return { delimiter, rows, width, isKnown: known >= 0, headerRow: known < 0 ? findHeaderRow(rows, width) : known }
  })
  return tables.toSorted((a, b) => Number(b.isKnown) - Number(a.isKnown) || b.width - a.width)[0]
}

/** The table as the operator reads it. */
function layTable(head: string, { delimiter, headerRow }: CsvLayout): Table {
  const rows = readRows(head, delimiter)
  const below = rows.slice(headerRow + 1).filter((row) => !isBlankRow(row))
  return { delimiter, headerRow, rows, width: rows[headerRow]?.length ?? usualWidth(below) }
}

/** Enough bytes for a head, to the end of a row: a character of several bytes is not cut. */
function headBytes(bytes: Uint8Array, encoding: CsvProfile['encoding']): Uint8Array {
  const enough = 4 * headLength
  const end = bytes.length <= enough || encoding.startsWith('utf-16') ? -1 : bytes.lastIndexOf(0x0a, enough)
  return end < 0 ? bytes : bytes.subarray(0, end + 1)
}

function headOf(text: string): string {
  if (text.length <= headLength) return text
  const head = text.slice(0, headLength)
  return head.slice(0, Math.max(head.lastIndexOf('\n'), head.lastIndexOf('\r')) + 1)
}

function findQuestions({
  columns,
  unsure,
  decimalSign,
  dateOrder,
  signs,
  states,
  isUnsigned,
}: TableGuess): CsvQuestion[] {
  const hasAmount = columns.amount !== undefined || columns.credit !== undefined || columns.debit !== undefined
  const open: Record<CsvQuestion, boolean> = {
    bookedOn: columns.bookedOn === undefined,
    amount: !hasAmount,
    decimalSign: !decimalSign,
    dateOrder: !dateOrder,
    signs: isUnsigned || (columns.sign !== undefined && !signs),
    states: columns.state !== undefined && !states,
    columns: unsure.length > 0,
    currency: columns.currency === undefined,
  }
  return csvQuestions.filter((question) => open[question])
}

const shorten = (row: string[]) => row.map((cell) => cell.trim().slice(0, 200).toWellFormed())

/**
 * How a bank's CSV file is written, as far as the file tells, or as it tells by the layout that the operator has chosen. `account` is
 * the number that was chosen. Throws where it is not a table, and where the rows above it name another account.
 */
export function guessProfile(bytes: Uint8Array, account: string | null = null, layout?: CsvLayout | null): CsvGuess {
  const encoding = layout?.encoding ?? guessCsvEncoding(bytes)
  const head = headOf(decodeText(headBytes(bytes, encoding), encoding))
  const table = layout ? layTable(head, layout) : findTable(head)
  if (!table || (!layout && table.width < 2)) throw new StatementError(unknownFile)
  const { delimiter, rows, width, headerRow } = table
  const headingRow = rows[headerRow] ?? []
  const headings = headingRow.length < width - 1 ? [] : shorten(headingRow)
  if (account !== null) checkHeadLines(rows.slice(0, Math.max(headerRow, 0)), account)
  const body = rows.slice(headerRow + 1).filter((row) => row.length >= width - 1 && !isBlankRow(row))
  const found = guessTable(headings, body, account)
  return {
    profile: {
      encoding,
      delimiter,
      headerRow,
      columns: found.columns,
      decimalSign: found.decimalSign ?? '.',
      dateOrder: found.dateOrder ?? 'dmy',
      ...(found.signs && { signs: found.signs }),
      ...(found.states && { states: found.states }),
      ...(headings.length > 0 && { headings }),
    },
    questions: findQuestions(found),
    unsure: found.unsure,
    headings,
    values: found.values,
    preview: body.slice(0, previewRows).map(shorten),
  }
}
