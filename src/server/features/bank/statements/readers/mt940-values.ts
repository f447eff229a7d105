import { parseLocalAmount } from '#server/lib/decimal.ts'
import { StatementError, type Balance, type StatementLine, newLine } from './statement.ts'
import type { SwiftField } from './mt940-fields.ts'
import { existingDay, given, isFilled, quote } from './text.ts'

/** "1500," and "1500,5"; some banks write "1.234,56". */
const readAmount = (text: string) => parseLocalAmount(text, text.includes(',') ? ',' : '.')?.amount

const pad = (value: number) => String(value).padStart(2, '0')

/** YYMMDD as a day. Banks that count 360 days a year write February 30, which becomes the last day of the month. */
function readDay(text: string): { day: string | null; isMoved: boolean } {
  const year = 2000 + Number(text.slice(0, 2))
  const month = Number(text.slice(2, 4))
  const date = Number(text.slice(4, 6))
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const isMoved = date > last && date <= 31
  return { day: existingDay(`${year}-${pad(month)}-${pad(isMoved ? last : date)}`), isMoved }
}

/** The entry date has no year: of the years around the value date, the one nearest to it. */
function nearestDay(valueOn: string, monthAndDay: string): string | null {
  const year = Number(valueOn.slice(0, 4))
  const distance = (day: string) => Math.abs(Date.parse(day) - Date.parse(valueOn))
  const days = [year - 1, year, year + 1].map((each) => readDay(`${String(each).slice(2)}${monthAndDay}`).day)
  return days.filter(isFilled).toSorted((a, b) => distance(a) - distance(b))[0] ?? null
}

/** The fields :60: and :62:. `currency` is empty where the balance names none. */
export function readBalance({ value, line }: SwiftField): Balance {
  const [, mark, day = '', currency = '', written] = /^\s*(C|D)(\d{6})([A-Z]{3})?([\d.,]{1,40})/.exec(value) ?? []
  // SWIFT writes a comma behind whole amounts too, so a number without one was cut off.
  const amount = written && /[.,]/.test(written) && readAmount(written)
  if (!amount) throw new StatementError(`${quote(value)} is not a balance`, `line ${line}`)
  return { amount, currency, direction: mark === 'D' ? 'debit' : 'credit', day: readDay(day).day }
}

const movementForm =
  /^\s*(?<value>\d{6})(?<entry>\d{4}|\s{4})?\s*(?<mark>RC|RD|EC|ED|C|D)\s*[A-Z]?\s*(?<amount>\d[\d.]*,\d{0,5}|,\d{1,5}|\d+\.\d{2}|\d+)(?!\s*[\d.,'’])\s*(?<code>[A-Z][A-Z0-9]{3}|[NSF]\d{0,3})?(?<rest>[^]*)$/

/** A movement has one row of at most 66 characters and a short supplement. The bound keeps the search quick in any file. */
const maxMovementLength = 1000

/** Says to look into :86:. */
const seeDetails = /^(EREF|PREF|MARF|KREF|NREF)\+?$/

/** The field :61:; undefined where it is not a movement. */
export function readMovement({ value, line }: SwiftField, currency: string): StatementLine | undefined {
  const { groups } = movementForm.exec(value.replace(/^\n/, '').slice(0, maxMovementLength)) ?? {}
  const amount = groups?.['amount'] && readAmount(groups['amount'])
  const { day: valueOn, isMoved } = readDay(groups?.['value'] ?? '')
  if (!groups || !amount || !valueOn) return undefined
  const { mark, entry, code, rest = '' } = groups
  const [first = '', ...supplement] = rest.split('\n')
  const [customer = '', ...bank] = first.split('//')
  return newLine({
    place: `line ${line}`,
    amount,
    currency,
    // RC takes a credit back, so it is booked as a debit; RD is the other way round.
    direction: mark === 'D' || mark === 'RC' || mark === 'ED' ? 'debit' : 'credit',
    isReversal: mark === 'RC' || mark === 'RD',
    booking: mark === 'EC' || mark === 'ED' ? 'pending' : 'booked',
    valueOn,
    bookedOn: entry?.trim() ? nearestDay(valueOn, entry) : valueOn,
    bankReference: given(bank.join('//')),
    endToEndId: seeDetails.test(customer.trim()) ? null : given(customer),
    code: code ?? null,
    info: supplement.map((text) => text.trim()).filter(Boolean),
    warnings: isMoved ? [`the value date ${groups['value']} does not exist`] : [],
  })
}
