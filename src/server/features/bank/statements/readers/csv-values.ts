import type { CsvProfile } from '#contract/schemas/csv-profile.ts'
import { existingDay } from './text.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** "25 Nov 2026" of British banks, with or without a time behind it. */
const namedMonth = /^(\d{1,2})[ /-]([a-z]{3})[a-z]*[ /-](\d{4}|\d{2})(?!\d)/i

/** The first three numbers of a text, with no letter of the alphabet between them. The third is not an hour, as in "17.11. 12:30". */
const numbersOf = (text: string) => /^(\d+)[^\da-z]+(\d+)[^\da-z]+(\d+)(?![\d:])/i.exec(text.trim())?.slice(1) ?? []

/** Year, month and day as written; undefined where a text has fewer than three numbers. */
function splitDay(text: string, order: CsvProfile['dateOrder']): string[] | undefined {
  const trimmed = text.trim()
  const [, date = '', name = '', year = ''] = namedMonth.exec(trimmed) ?? []
  if (name) return [year, String(months.indexOf(name.toLowerCase()) + 1), date]
  const compact = /^(\d{4})(\d{2})(\d{2})(?!\d)/.exec(trimmed)
  const [first = '', second = '', third = ''] = compact?.slice(1) ?? numbersOf(trimmed)
  if (!third) return undefined
  if (compact || order === 'ymd') return [first, second, third]
  return order === 'dmy' ? [third, second, first] : [third, first, second]
}

/** A date of a CSV file as YYYY-MM-DD, or null. A time behind it is left out. */
export function parseLocalDay(text: string, order: CsvProfile['dateOrder']): string | null {
  const [year, month, date] = splitDay(text, order) ?? []
  if (!year || !month || !date) return null
  return existingDay(`${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`)
}

/** The sign that divides whole and fraction; undefined where the samples fit both, as 1.500 does. */
export function guessDecimalSign(samples: readonly string[]): '.' | ',' | undefined {
  const found = new Set<'.' | ','>()
  for (const sample of samples) {
    const digits = sample.replace(/[^\d.,]/g, '')
    const [, sign, tail = ''] = /([.,])(\d+)$/.exec(digits) ?? []
    if (!sign) continue
    const other = sign === '.' ? ',' : '.'
    if (digits.split(sign).length > 2) found.add(other)
    else if (digits.includes(other) || tail.length !== 3 || /^(0|\d{4,})[.,]/.test(digits))
      found.add(sign === '.' ? '.' : ',')
  }
  return found.size === 1 ? [...found][0] : undefined
}

/** The order of day, month and year; undefined where no day is above 12. */
export function guessDateOrder(samples: readonly string[]): CsvProfile['dateOrder'] | undefined {
  if (samples.length > 0 && samples.every((sample) => /^\d{8}(?!\d)/.test(sample.trim()))) return 'ymd'
  if (samples.length > 0 && samples.every((sample) => namedMonth.test(sample.trim()))) return 'dmy'
  const dates = samples.map((sample) => numbersOf(sample).map(Number)).filter(({ length }) => length > 0)
  if (dates.length === 0) return undefined
  if (dates.every(([first = 0]) => first > 31)) return 'ymd'
  const isDayFirst = dates.some(([first = 0]) => first > 12)
  const isMonthFirst = dates.some(([, second = 0]) => second > 12)
  // "26/11/17", "26/11/18": the years would differ, and the days would not.
  const countDifferent = (at: number) => new Set(dates.map((date) => date[at])).size
  const isYearFirst = countDifferent(2) > countDifferent(0) && dates.every(([, , third = 0]) => third <= 31)
  if (isDayFirst === isMonthFirst || isYearFirst) return undefined
  return isDayFirst ? 'dmy' : 'mdy'
}
