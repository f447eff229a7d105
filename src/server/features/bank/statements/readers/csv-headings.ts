import { type CsvColumn, csvColumns } from '#contract/csv-profile.ts'
import type { CsvProfile, UnsureColumn } from '#contract/schemas/csv-profile.ts'
import { isSameAccount } from './csv-account.ts'
import { accountWords, sureWords, textWords, unreadWords } from './csv-words.ts'
import { foldHeading } from './text.ts'
import { ibansIn } from '#server/lib/iban.ts'

type Columns = CsvProfile['columns']

/** What the rows of a table tell beside its headings. */
export interface TableSample {
  /** The cells of a column that are not empty. */
  cellsOf: (column: number) => string[]
  /** The number of the account that was chosen; null where none is known yet. */
  account: string | null
}

export const noSample: TableSample = { cellsOf: () => [], account: null }

const looksLikeDay = (cell: string) =>
  /^(\d{1,4}[./ -](\d{1,2}|\p{L}{3,9})[./ -]\d{2,4}(?![\d,.])|\d{8}$|\d{2,4}年)/u.test(cell)
const looksLikeAmount = (cell: string) => /\d/.test(cell) && !looksLikeDay(cell)
const looksLikeAccount = (cell: string) => cell.replace(/\D/g, '').length > 4

/** What the cells of a column have to look like for it to have this meaning. */
const forms: Partial<Record<CsvColumn, (cell: string) => boolean>> = {
  amount: looksLikeAmount,
  credit: looksLikeAmount,
  debit: looksLikeAmount,
  valueOn: looksLikeDay,
  currency: (cell) => /^([A-Za-z]{3}|[€£$])$/.test(cell),
  balance: (cell) => /\d/.test(cell),
  name: (cell) => ibansIn(cell).length === 0,
  ownAccount: looksLikeAccount,
}

/** Totals may stand among the rows, so that most cells decide. */
const mostFit = (cells: string[], form: (cell: string) => boolean) => cells.filter(form).length * 2 >= cells.length

const longestWord = Math.max(...[...Object.values(sureWords).flat(), ...textWords].map(({ length }) => length))

function addTo(columns: Map<string, number[]>, heading: string, at: number): void {
  const listed = columns.get(heading)
  if (listed) listed.push(at)
  else columns.set(heading, [at])
}

/** Finds columns by their headings, each once. */
class HeadingSearch {
  readonly columns: Columns = {}
  readonly #folded: string[]
  readonly #sample: TableSample
  readonly #taken = new Set<number>()
  /** The columns of each heading, and of each of its beginnings before a blank: a file may have a thousand columns. */
  readonly #whole = new Map<string, number[]>()
  readonly #beginnings = new Map<string, number[]>()

  constructor(row: readonly string[], sample: TableSample) {
    this.#folded = row.map(foldHeading)
    this.#sample = sample
    for (const [at, cell] of this.#folded.entries()) {
      addTo(this.#whole, cell, at)
      const beginning = cell.slice(0, longestWord + 1)
      for (const { index } of beginning.matchAll(/ /g)) addTo(this.#beginnings, cell.slice(0, index), at)
    }
  }

  /** Gives a meaning to the first free column that has one of the words, whole or as its beginning. */
  findByWords(name: CsvColumn, words: readonly string[]): void {
    const form = forms[name]
    const isFree = (at: number) => !this.#taken.has(at) && (!form || mostFit(this.#sample.cellsOf(at), form))
    const first = (columnsOf: (word: string) => readonly number[]) =>
      words.map((word) => columnsOf(word).find(isFree)).find((at) => at !== undefined)
    // "Payer reference" and "Name of the ultimate debtor" are what the payer says: a name is told by the whole heading.
    const isBeginning = (word: string, at: number) =>
      name !== 'name' || /^\d+$/.test(this.#folded[at]!.slice(word.length + 1))
    const found =
      first((word) => this.#whole.get(word) ?? []) ??
      first((word) => (this.#beginnings.get(word) ?? []).filter((at) => isBeginning(word, at)))
    if (found !== undefined) this.assign(name, found)
  }

  assign(name: CsvColumn, at: number): void {
    this.columns[name] = at
    this.#taken.add(at)
  }

  /** Columns without a meaning whose heading is one of these words, or begins with it. */
  listFree(words: readonly string[]): number[] {
    return this.#folded.flatMap((cell, at) =>
      !this.#taken.has(at) && isAmong(cell, words) && !unreadWords.includes(cell) ? [at] : [],
    )
  }

  listUnknown(): number[] {
    const known = [...accountWords, ...allTextWords, ...unreadWords]
    return this.#folded.flatMap((cell, at) => (this.#taken.has(at) || isAmong(cell, known) ? [] : [at]))
  }
}

const allTextWords = [...textWords, ...sureWords.remittance, ...sureWords.endToEnd]

const isAmong = (cell: string, words: readonly string[]) =>
  words.some((word) => cell === word || cell.startsWith(`${word} `))

/** In this order: "IBAN Auftragskonto" is not a payer's, and "Valor" is an amount or, beside one, a day. */
const order: CsvColumn[] = [
  'ownAccount',
  'bookedOn',
  'amount',
  ...csvColumns.filter((name) => !['ownAccount', 'bookedOn', 'amount', 'moreRemittance'].includes(name)),
]

/**
 * The columns that a row of headings names, with those that may be an account or a text and are not sure. None where the row has
 * no date or no amount.
 */
export function findColumns(
  row: readonly string[],
  sample: TableSample = noSample,
): { columns: Columns; unsure: UnsureColumn[] } {
  const search = new HeadingSearch(row, sample)
  const { columns } = search
  for (const name of order) {
    search.findByWords(name, sureWords[name])
    if (name === 'bookedOn' && columns.bookedOn === undefined) return { columns: {}, unsure: [] }
  }
  const hasAmount = columns.amount !== undefined || columns.credit !== undefined || columns.debit !== undefined
  if (!hasAmount) return { columns: {}, unsure: [] }
  return { columns, unsure: [...settleAccounts(search, sample), ...settleTexts(search, sample)] }
}

/** An own account stands in every row. One that changes from row to row is the payer's. */
function settleAccounts(search: HeadingSearch, { cellsOf, account }: TableSample): UnsureColumn[] {
  const { columns } = search
  const unsure: UnsureColumn[] = []
  for (const at of search.listFree(accountWords)) {
    const values = new Set(cellsOf(at))
    if (!mostFit([...values], looksLikeAccount)) continue
    const [value = ''] = values
    const hasPayer = columns.iban !== undefined
    const isOurs = values.size === 1 && (hasPayer || (account !== null && isSameAccount(value, account)))
    if (isOurs && columns.ownAccount !== undefined) continue
    if (isOurs) search.assign('ownAccount', at)
    else if (values.size > 1 && !hasPayer) search.assign('iban', at)
    else if (values.size > 0 || !hasPayer) unsure.push({ column: at, meanings: ['iban', 'ownAccount'] })
  }
  return unsure
}

const hasWord = (cells: string[]) => cells.some((cell) => /\p{L}{3}/u.test(cell))

/** The kinds of bookings are words alone. What a payer writes has digits somewhere. */
function settleTexts(search: HeadingSearch, { cellsOf }: TableSample): UnsureColumn[] {
  const { columns } = search
  if (columns.remittance === undefined) search.findByWords('remittance', textWords)
  const texts = search.listFree(allTextWords).filter((at) => cellsOf(at).some((cell) => /\d/.test(cell)))
  const unsure: UnsureColumn[] = texts.map((column) => ({ column, meanings: ['moreRemittance', 'endToEnd'] }))
  const missing = (['name', 'remittance'] as const).filter((name) => columns[name] === undefined)
  for (const column of search.listUnknown()) {
    const cells = cellsOf(column)
    if (columns.iban === undefined && cells.some((cell) => ibansIn(cell).length > 0))
      unsure.push({ column, meanings: ['iban', 'ownAccount'] })
    else if (missing.length > 0 && hasWord(cells)) unsure.push({ column, meanings: [...missing, 'endToEnd'] })
  }
  return unsure
}

/** Whether a row has the headings, in the columns that are read, with which the profile was confirmed. */
export function hasSameHeadings({ columns, headings }: CsvProfile, row: readonly string[]): boolean {
  if (!headings) return true
  return Object.values(columns).every((at) => foldHeading(headings[at] ?? '') === foldHeading(row[at] ?? ''))
}
