import { compactIban } from '#contract/iban.ts'
import type { CsvColumn } from '#contract/csv-profile.ts'
import type { CsvProfile } from '#contract/schemas/csv-profile.ts'
import { parseLocalDay } from './csv-values.ts'
import { absolute, fromUnits, parseLocalAmount, toUnits } from '#server/lib/decimal.ts'
import { ibansIn, parseIban } from '#server/lib/iban.ts'
import { directions, states } from './csv-value-words.ts'
import { StatementError, type StatementLine, emptyCounterparty, newLine } from './statement.ts'
import { given, givenAccount, quote } from './text.ts'

const currencies = new Set(Intl.supportedValuesOf('currency'))
const isCurrency = (text: string) => currencies.has(text.toUpperCase())

type ReadCell = (name: CsvColumn) => string

export const isBlankRow = (row: readonly string[]) => row.every((cell) => !cell.trim())

/** A sentence below a table, in a cell alone. */
export const isNote = (row: readonly string[]) =>
  !/\d/.test(row.join('')) && row.filter((cell) => cell.trim()).length === 1

/** How a row is read. */
export interface RowForm {
  profile: CsvProfile
  /** That of the account. */
  currency: string
  place: string
  /** Whether amounts of money out have a minus beside what else says so, by the first of the file. Reversals differ. */
  repeated: { isMinus?: boolean }
}

/** The currencies that a sign stands for. */
const currencySigns: Record<string, RegExp> = {
  '€': /^EUR$/,
  '£': /^GBP$/,
  $: /D$/,
  '₹': /^INR$/,
  '₩': /^KRW$/,
  '¥': /^(JPY|CNY)$/,
  '￥': /^(JPY|CNY)$/,
  円: /^JPY$/,
  元: /^(CNY|TWD)$/,
  원: /^KRW$/,
}

/** An amount, below 0 where it has a minus or a mark for it; undefined where the cell is empty. Throws where it is not an amount. */
function readAmount(text: string, { profile, currency, place }: RowForm): string | undefined {
  if (!text) return undefined
  const { amount, mark = '' } = parseLocalAmount(text, profile.decimalSign) ?? {}
  if (amount === undefined) throw new StatementError(`${quote(text)} is not an amount`, place)
  if (mark === '' || mark === currency || currencySigns[mark]?.test(currency)) return amount
  if (isCurrency(mark) || currencySigns[mark]) throw new OtherCurrencyError(mark.toUpperCase(), currency, place)
  // "1500.00 CR", "42.10 DEB"
  const said = mark.length > 1 ? directions.guess([mark]) : undefined
  if (!said || amount.startsWith('-')) throw new StatementError(`${quote(text)} is not an amount`, place)
  return said.out.length > 0 ? `-${amount}` : amount
}

/** A minus of money out only repeats what the column says, where all amounts of money out have it. Throws where some have it. */
function checkMinus(amount: string, { repeated, place }: RowForm): void {
  if (toUnits(amount) === 0n) return
  const isMinus = amount.startsWith('-')
  repeated.isMinus ??= isMinus
  if (repeated.isMinus !== isMinus)
    throw new StatementError(`${amount} of money out ${isMinus ? 'has a' : 'has no'} minus, unlike others above`, place)
}

/** Which way an amount went by the column of signs. Throws where that has a word which nobody has explained. */
function readDirection(amount: string, written: string, form: RowForm): StatementLine['direction'] {
  const { profile, place } = form
  const isNegative = amount.startsWith('-')
  if (profile.columns.sign === undefined) return isNegative ? 'debit' : 'credit'
  const direction = profile.signs && directions.find(written, profile.signs)
  if (!direction) throw new StatementError(`${quote(written)} says neither money in nor money out`, place)
  if (direction === 'out') {
    checkMinus(amount, form)
    return 'debit'
  }
  if (isNegative) throw new StatementError(`${quote(written)} says money in, and the amount has a minus`, place)
  return 'credit'
}

/** What a row moved, below 0 where money went out. */
function readMovement(cell: ReadCell, form: RowForm): bigint {
  const { place } = form
  const single = readAmount(cell('amount'), form)
  if (single !== undefined) {
    const units = absolute(toUnits(single))
    return readDirection(single, cell('sign'), form) === 'debit' ? -units : units
  }
  const credit = readAmount(cell('credit'), form)
  const debit = readAmount(cell('debit'), form)
  if (credit === undefined && debit === undefined) throw new StatementError('the row has no amount', place)
  const [into, out] = [toUnits(credit ?? '0'), absolute(toUnits(debit ?? '0'))]
  if (into !== 0n && out !== 0n) throw new StatementError('the row is credit and debit at once', place)
  if (debit !== undefined) checkMinus(debit, form)
  return into - out
}

/** What a row that is not booked says in the column of states, or in place of its day. Throws where nobody has explained its state. */
export function findOtherState(row: readonly string[], { profile, place }: RowForm): string | undefined {
  const { state: column, bookedOn } = profile.columns
  const day = row[bookedOn ?? -1]?.trim() ?? ''
  if (states.guess([day])?.other.length) return day
  if (column === undefined) return undefined
  const written = row[column]?.trim() ?? ''
  const state = profile.states && states.find(written, profile.states)
  if (!state) throw new StatementError(`${quote(written)} does not say whether the row is booked`, place)
  return state === 'booked' ? undefined : written
}

export const hasAmount = (row: readonly string[], { columns, decimalSign }: CsvProfile): boolean =>
  [columns.amount, columns.credit, columns.debit].some((at) => parseLocalAmount(row[at ?? -1] ?? '', decimalSign))

/** Money of another currency is on another account, even if the bank writes both into one file. */
export class OtherCurrencyError extends StatementError {
  constructor(currency: string, accountCurrency: string, place: string) {
    super(`the currency is ${currency}, that of the account is ${accountCurrency}`, place)
  }
}

function readCurrency(text: string, { currency, place }: RowForm): string {
  if (!text || currencySigns[text]?.test(currency) || text.toUpperCase() === currency) return currency
  if (!/^[A-Z]{3}$/i.test(text) && !currencySigns[text])
    throw new StatementError(`${quote(text)} is not a currency`, place)
  throw new OtherCurrencyError(text.toUpperCase(), currency, place)
}

/** A row as a line. Throws a `StatementError` with its place where it cannot be read. */
export function readRow(row: readonly string[], form: RowForm) {
  const { profile, place } = form
  const cell: ReadCell = (name) => (row[profile.columns[name] ?? -1] ?? '').replaceAll('\0', '').trim()
  const bookedOn = parseLocalDay(cell('bookedOn'), profile.dateOrder)
  if (!bookedOn) throw new StatementError(`${quote(cell('bookedOn'))} is not a date`, place)
  const fee = absolute(toUnits(readAmount(cell('fee'), form) ?? '0'))
  const moved = readMovement(cell, form) - fee
  const account = givenAccount(compactIban(cell('iban')))
  const iban = account && parseIban(account)
  const remittance = [cell('remittance'), cell('moreRemittance')].filter(Boolean)
  return newLine({
    place,
    amount: fromUnits(absolute(moved)),
    direction: moved < 0n ? 'debit' : 'credit',
    currency: readCurrency(cell('currency'), form),
    bookedOn,
    valueOn: parseLocalDay(cell('valueOn'), profile.dateOrder) ?? bookedOn,
    bankReference: given(cell('bankReference')),
    endToEndId: given(cell('endToEnd')),
    remittance,
    counterparty: {
      ...emptyCounterparty(),
      name: given(cell('name')),
      iban,
      account: iban ? null : account,
      textIban: ibansIn(remittance.join(' '))[0] ?? null,
    },
  })
}
