import { compactIban } from '#contract/iban.ts'
import type { CsvColumn } from '#contract/csv-profile.ts'
import type { CsvProfile } from '#contract/schemas/csv-profile.ts'
import { parseLocalDay } from './csv-values.ts'
import { parseLocalAmount, toUnits } from '#server/lib/decimal.ts'
import { ibansIn, parseIban } from '#server/lib/iban.ts'
import { emptyCounterparty, newLine } from './line.ts'
import { StatementError, type StatementLine } from './statement.ts'
import { given, quote } from './text.ts'

type ReadCell = (name: CsvColumn) => string

export const isBlankRow = (row: readonly string[]) => row.every((cell) => !cell.trim())

/** An amount, below 0 where it has a minus; undefined where the cell is empty. Throws where it is no amount. */
function readAmount(text: string, { decimalSign }: CsvProfile, place: string): string | undefined {
  if (!text) return undefined
  const amount = parseLocalAmount(text, decimalSign)
  if (amount === undefined) throw new StatementError(`${quote(text)} is no amount`, place)
  return amount
}

/** The words that a column of signs has for a debit. */
const debitSign = /^(d|dr|debit|debito|débito|soll|s|af|-|출금|出金|借|支|支出)$/i

type Movement = Pick<StatementLine, 'amount' | 'direction'>

/** A minus in the column of debits only repeats what the column says. A debit never pays an order, so it is the safe reading. */
function readMovement(cell: ReadCell, profile: CsvProfile, place: string): Movement {
  const single = readAmount(cell('amount'), profile, place)
  if (single !== undefined) {
    const isDebit = single.startsWith('-') || debitSign.test(cell('sign'))
    return { amount: single.replace('-', ''), direction: isDebit ? 'debit' : 'credit' }
  }
  const credit = readAmount(cell('credit'), profile, place)
  const debit = readAmount(cell('debit'), profile, place)
  const isDebit = debit !== undefined && (credit === undefined || toUnits(credit) === 0n)
  const written = isDebit ? debit : credit
  if (written === undefined) throw new StatementError('the row has no amount', place)
  if (!isDebit && debit !== undefined && toUnits(debit) !== 0n) {
    throw new StatementError('the row is credit and debit at once', place)
  }
  return { amount: written.replace('-', ''), direction: isDebit || written.startsWith('-') ? 'debit' : 'credit' }
}

/** Money of another currency is on another account, even if the bank writes both into one file. */
export class OtherCurrencyError extends StatementError {
  constructor(currency: string, accountCurrency: string, place: string) {
    super(`the currency is ${currency}, that of the account is ${accountCurrency}`, place)
  }
}

const currencySigns: Record<string, string> = { '€': 'EUR', '£': 'GBP' }

function readCurrency(text: string, accountCurrency: string, place: string): string {
  if (!text) return accountCurrency
  const currency = currencySigns[text] ?? text.toUpperCase()
  if (!/^[A-Z]{3}$/.test(currency)) throw new StatementError(`${quote(text)} is no currency`, place)
  if (currency !== accountCurrency) throw new OtherCurrencyError(currency, accountCurrency, place)
  return currency
}

/** A row as a line. Throws a `StatementError` with its place where it cannot be read. */
export function readRow(row: readonly string[], profile: CsvProfile, place: string, accountCurrency: string) {
  const cell: ReadCell = (name) => (row[profile.columns[name] ?? -1] ?? '').replaceAll('\0', '').trim()
  const bookedOn = parseLocalDay(cell('bookedOn'), profile.dateOrder)
  if (!bookedOn) throw new StatementError(`${quote(cell('bookedOn'))} is no date`, place)
  const movement = readMovement(cell, profile, place)
  const iban = parseIban(cell('iban'))
  const remittance = [cell('remittance'), cell('moreRemittance')].filter(Boolean)
  return newLine({
    place,
    ...movement,
    currency: readCurrency(cell('currency'), accountCurrency, place),
    bookedOn,
    valueOn: parseLocalDay(cell('valueOn'), profile.dateOrder) ?? bookedOn,
    bankReference: given(cell('bankReference')),
    endToEndId: given(cell('endToEnd')),
    remittance,
    counterparty: {
      ...emptyCounterparty(),
      name: given(cell('name')),
      iban: iban ?? ibansIn(remittance.join(' '))[0] ?? null,
      account: iban ? null : given(compactIban(cell('iban'))),
    },
  })
}
