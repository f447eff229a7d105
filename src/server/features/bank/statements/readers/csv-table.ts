import type { ColumnValues, CsvProfile, UnsureColumn } from '#contract/schemas/csv-profile.ts'
import { parseLocalAmount, toUnits } from '#server/lib/decimal.ts'
import { omit } from '#server/lib/omit.ts'
import { BalanceTrail, findBalanceText } from './csv-balances.ts'
import { findColumns } from './csv-headings.ts'
import { readRow } from './csv-row.ts'
import { directions, states } from './csv-value-words.ts'
import { guessDateOrder, guessDecimalSign } from './csv-values.ts'
import { foldHeading } from './text.ts'
import { feeWords, netWords, stateWords } from './csv-words.ts'

type Columns = CsvProfile['columns']

/** What headings and rows tell of a table's columns. Undefined: they do not tell. */
export interface TableGuess extends Pick<CsvProfile, 'columns' | 'signs' | 'states'> {
  unsure: UnsureColumn[]
  values: ColumnValues[]
  decimalSign: CsvProfile['decimalSign'] | undefined
  dateOrder: CsvProfile['dateOrder'] | undefined
  /** No amount has a sign, and no column says which way the money went. */
  isUnsigned: boolean
}

/** A column with more different values has no words that are asked about. */
const mostWords = 12

const signAround = /^[^\d\p{L}]*[+(\p{Dash}\u2212]|[+)\p{Dash}\u2212]$/u

const hasSign = (cell: string) =>
  /\d/.test(cell) && (signAround.test(cell) || directions.guess([/[A-Z]{2,}\.?$/i.exec(cell)?.[0] ?? '']) !== undefined)

function describeColumn(cells: string[]): ColumnValues {
  const words = [...new Set(cells.map((cell) => cell.slice(0, 60).toWellFormed()))]
  return { words: words.length > mostWords ? [] : words.toSorted(), hasSign: cells.some(hasSign) }
}

/** `account` is the number that was chosen. */
export function guessTable(headings: readonly string[], rows: string[][], account: string | null): TableGuess {
  const width = Math.max(headings.length, ...rows.map(({ length }) => length))
  const filled = (at: number | undefined) => rows.map((row) => (row[at ?? -1] ?? '').trim()).filter(Boolean)
  const { columns, unsure } = findColumns(headings, { cellsOf: filled, account })
  const samplesOf = (...names: (keyof Columns)[]) => names.flatMap((name) => filled(columns[name]))
  const amounts = [columns.amount, columns.credit, columns.debit].filter((at) => at !== undefined)
  const moving = amounts.length === 0 ? rows : rows.filter((row) => amounts.some((at) => row[at]?.trim()))
  const values = Array.from({ length: width }, (_, at) => describeColumn(moving.map((row) => (row[at] ?? '').trim())))
  const guess: TableGuess = {
    columns,
    unsure,
    values,
    decimalSign:
      guessDecimalSign(samplesOf('amount', 'credit', 'debit')) ??
      guessDecimalSign(samplesOf('amount', 'credit', 'debit', 'balance')),
    dateOrder: guessDateOrder(samplesOf('bookedOn')),
    isUnsigned: false,
  }
  const folded = headings.map(foldHeading)
  findStates(guess, folded)
  findSigns(guess, moving)
  findFee(guess, folded, moving)
  const taken = new Set(Object.values(columns))
  return { ...guess, unsure: guess.unsure.filter(({ column }) => !taken.has(column)) }
}

/** The columns without a meaning. */
function listFree({ columns, values }: TableGuess): number[] {
  const taken = new Set(Object.values(columns))
  return values.flatMap((_, at) => (taken.has(at) ? [] : [at]))
}

const isWord = (word: string) => /\p{L}/u.test(word)

/** A column of states has their words, one of them beside others, or a heading that says so. */
function findStates(guess: TableGuess, folded: string[]): void {
  const free = listFree(guess)
  const said = free.find((at) => states.guess(guess.values[at]!.words))
  const named = free.find((at) => stateWords.includes(folded[at] ?? '') && guess.values[at]!.words.some(isWord))
  const partly = free.find((at) => guess.values[at]!.words.some((word) => states.guess([word])))
  const at = said ?? named ?? partly
  if (at === undefined) return
  guess.columns.state = at
  guess.states = states.guess(guess.values[at]!.words)
}

/** A column of signs is asked about only where the amounts have none. */
function findSigns(guess: TableGuess, rows: string[][]): void {
  const { columns, values } = guess
  const isSigned = values[columns.amount ?? -1]?.hasSign ?? false
  if (!isSigned && columns.credit !== undefined && columns.debit !== undefined) delete columns.amount
  if (columns.amount === undefined) {
    delete columns.sign
    return
  }
  if (!isSigned) columns.sign ??= listFree(guess).find((at) => directions.guess(values[at]!.words))
  if (columns.sign === undefined) {
    delete columns.sign
    guess.isUnsigned = !isSigned && rows.length > 0
    return
  }
  guess.signs = directions.guess(values[columns.sign]!.words)
  if (isSigned && (!guess.signs || isRepeated(guess, rows))) {
    delete columns.sign
    delete guess.signs
  }
}

/** Whether the amounts have a minus in just the rows that the column of signs calls money out. */
function isRepeated({ columns, signs, decimalSign }: TableGuess, rows: string[][]): boolean {
  return rows.every((row) => {
    const amount = parseLocalAmount(row[columns.amount!] ?? '', decimalSign ?? '.')?.amount
    const said = signs && directions.find(row[columns.sign!] ?? '', signs)
    return !amount || !said || amount.startsWith('-') === (said === 'out')
  })
}

/** A fee in a column of its own is in the amount or comes on top of it. The column of balances may prove which; else it is asked. */
function findFee(guess: TableGuess, folded: string[], rows: string[][]): void {
  const { columns, values } = guess
  const isNet = columns.amount !== undefined && netWords.includes(folded[columns.amount] ?? '')
  const fee = listFree(guess).find((at) => feeWords.includes(folded[at] ?? '') && values[at]!.words.some(Boolean))
  if (fee === undefined || isNet) return
  const isAnyPaid = rows.some(
    (row) => toUnits(parseLocalAmount(row[fee] ?? '', guess.decimalSign ?? '.')?.amount ?? '0') !== 0n,
  )
  if (isAnyPaid && hasBalances(guess, { ...columns, fee }, rows)) columns.fee = fee
  else if (!isAnyPaid || !hasBalances(guess, columns, rows)) guess.unsure.push({ column: fee, meanings: ['fee'] })
}

/** Whether the column of balances adds up row by row. */
function hasBalances({ decimalSign, dateOrder, signs }: TableGuess, given: Columns, rows: string[][]): boolean {
  const columns = omit(given, ['currency'])
  if (columns.balance === undefined || !decimalSign || !dateOrder) return false
  const layout = { encoding: 'utf-8', delimiter: ',', headerRow: 0 } as const
  const profile: CsvProfile = { ...layout, columns, decimalSign, dateOrder, ...(signs && { signs }) }
  const trail = new BalanceTrail(profile, '')
  const form = { profile, currency: '', place: '', repeated: {} }
  try {
    for (const row of rows)
      if (row[columns.balance]?.trim() && findBalanceText(row, profile) === undefined)
        trail.add(row, readRow(row, form))
  } catch {
    return false
  }
  return trail.end().closing !== null
}
