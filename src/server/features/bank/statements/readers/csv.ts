import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import type { CsvProfile } from '#contract/schemas/csv-profile.ts'
import { createPauses } from '#server/lib/pauses.ts'
import { createAccountCheck } from './csv-account.ts'
import { BalanceTrail, findBalanceText } from './csv-balances.ts'
import { hasSameHeadings } from './csv-headings.ts'
import { CsvProfileNeededError, guessProfile } from './csv-profile.ts'
import { findOtherState, hasAmount, isBlankRow, isNote, OtherCurrencyError, readRow } from './csv-row.ts'
import { StatementError, type Statement, type StatementSink } from './statement.ts'
import { createStatementQueue } from './statement-queue.ts'
import { decodeText, maxTextLength, quote, textTooLong } from './text.ts'

/** The account that a CSV file is about, which it does not say itself. */
export interface CsvAccount {
  /** An IBAN without blanks, or the bank's own number. */
  account: string
  accountName: string | null
  currency: string
  profile: CsvProfile
}

const headingsAgain = 'the headings come again, as in a file of several accounts: each needs a file of its own'

const sliceBytes = 64 * 1024

/** The file in UTF-8, which the parser works on. */
function toUtf8(bytes: Uint8Array, { encoding }: CsvProfile): Uint8Array {
  return encoding === 'utf-8' && isUtf8(bytes) ? bytes : Buffer.from(decodeText(bytes, encoding), 'utf8')
}

function* slicesOf(bytes: Uint8Array) {
  for (let start = 0; start < bytes.length; start += sliceBytes) yield bytes.subarray(start, start + sliceBytes)
}

function toStatementError(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error
  const place = `line ${String(error['lines'])}`
  if (error.code === 'CSV_MAX_RECORD_SIZE') return new StatementError(textTooLong, place)
  const isQuote = error.code === 'CSV_QUOTE_NOT_CLOSED'
  return new StatementError(`the file is damaged: ${isQuote ? 'a quote is not closed' : error.message}`, place)
}

/** Calls `take` for each row in turn, and holds no more than some of them. */
async function eachRow(bytes: Uint8Array, profile: CsvProfile, take: (row: string[], index: number) => Promise<void>) {
  const rows = parse({
    delimiter: profile.delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: maxTextLength,
  })
  try {
    await pipeline(Readable.from(slicesOf(toUtf8(bytes, profile))), rows, async (source: AsyncIterable<string[]>) => {
      let index = 0
      const pause = createPauses()
      for await (const row of source) {
        await pause()
        await take(row, index++)
      }
    })
  } catch (error) {
    throw toStatementError(error)
  }
}

/** Finds the row of the headings: by its words where the profile has them, because what stands above it may change. */
function isHeadingRow(row: string[], index: number, profile: CsvProfile): boolean {
  if (!profile.headings) return index === profile.headerRow
  return !isBlankRow(row) && hasSameHeadings(profile, row)
}

/** Reads a bank's CSV file by its saved profile. Rows that cannot be read are named by their number, and the others are read. */
export async function readCsv(bytes: Uint8Array, account: CsvAccount, sink: StatementSink): Promise<void> {
  const { profile } = account
  const queue = createStatementQueue(sink)
  const statement = toStatement(account)
  const check = createAccountCheck(account)
  const rows = createRowReader(account, queue, sink)
  let isTable = profile.headerRow < 0
  queue.begin(statement)
  await eachRow(bytes, profile, async (row, index) => {
    if (!isTable) {
      isTable = isHeadingRow(row, index, profile)
      if (isTable) {
        check.begin(row)
        if (profile.headings) rows.setHeadings(row.length)
      } else check.addHead(row)
    } else if (!isBlankRow(row) && !isNote(row)) {
      const place = `row ${index + 1}`
      if (profile.headings && hasSameHeadings(profile, row)) throw new StatementError(headingsAgain, place)
      check.row(row, place)
      rows.take(row, place)
    }
    if (queue.isFull()) await queue.deliver()
  })
  if (!isTable) throw new CsvProfileNeededError(guessProfile(bytes, account.account))
  queue.end({ ...statement, ...rows.end() })
  await queue.deliverAll()
}

/**
 * A text may hold the sign between cells, so that what follows it is in no column of its own. `headings`: how many there are, or 0.
 * Some banks end each row with one more sign.
 */
function createWidthCheck(headings: number) {
  let mostCells = 0
  return (row: string[], place: string) => {
    mostCells ||= Math.max(headings, row.length)
    const isShifted = headings > 0 && row.slice(headings).some((cell) => cell.trim())
    if (isShifted || row.length > mostCells)
      throw new StatementError(`the row has ${row.length} cells instead of ${headings || mostCells}`, place)
  }
}

/** Reads the rows below the headings in turn. */
function createRowReader(
  { profile, currency }: CsvAccount,
  queue: ReturnType<typeof createStatementQueue>,
  sink: StatementSink,
) {
  const trail = new BalanceTrail(profile, currency)
  const leftOut = new Map<string, number>()
  let refused: OtherCurrencyError | undefined
  const repeated = {}
  let checkWidth = createWidthCheck(0)
  let isAnyRead = false

  function readLine(row: string[], place: string) {
    const form = { profile, currency, place, repeated }
    const state = findOtherState(row, form)
    if (state !== undefined) {
      leftOut.set(state, (leftOut.get(state) ?? 0) + 1)
      return
    }
    const balance = findBalanceText(row, profile)
    if (balance !== undefined && !hasAmount(row, profile)) return
    const line = readRow(row, form)
    if (balance !== undefined) {
      trail.addNamed(balance, line)
      return
    }
    trail.add(row, line)
    queue.add([line])
    isAnyRead = true
  }

  return {
    setHeadings(count: number) {
      checkWidth = createWidthCheck(count)
    },
    take(row: string[], place: string) {
      try {
        checkWidth(row, place)
        readLine(row, place)
      } catch (error) {
        if (!(error instanceof StatementError)) throw error
        if (error instanceof OtherCurrencyError) refused ??= error
        trail.add(row, undefined)
        sink.unreadable(error.message)
      }
    },
    /** The balances and what is odd about the rows. Throws where none was read since all are of another currency. */
    end(): Pick<Statement, 'opening' | 'closing' | 'warnings'> {
      if (refused && !isAnyRead) throw refused
      const { opening, closing, warning, unreadable } = trail.end()
      for (const message of unreadable) sink.unreadable(message)
      const states = [...leftOut].map(([state, count]) => `${count} ${quote(state)}`)
      const left = states.length > 0 ? [`Left out, since they are not booked: ${states.join(', ')}`] : []
      return { opening, closing, warnings: [...(warning ? [warning] : []), ...left] }
    },
  }
}

const toStatement = ({ account, accountName, currency }: CsvAccount): Statement => ({
  kind: 'CSV',
  externalId: null,
  number: null,
  account,
  accountName,
  currency,
  opening: null,
  closing: null,
  warnings: [],
})
