// Money is exact: decimal text outside, whole units of 1e-5 inside, because camt allows five places. It is never a float.
const places = 5
const maxWholeDigits = 15

/** "000149.870" becomes "149.87". Undefined where the text is not plain decimal of 0 or more. */
export function parseDecimal(text: string): string | undefined {
  const found = /^(\d*)(?:\.(\d*))?$/.exec(text.trim())
  if (!found || (!found[1] && !found[2])) return undefined
  const whole = found[1]?.replace(/^0+(?=\d)/, '') || '0'
  const fraction = found[2]?.replace(/0+$/, '') ?? ''
  if (whole.length > maxWholeDigits || fraction.length > places) return undefined
  return `${whole}.${fraction.padEnd(2, '0')}`
}

/** A decimal text of at most 5 places, with or without a leading minus, in units of 1e-5. */
export function toUnits(text: string): bigint {
  const isNegative = text.startsWith('-')
  const [whole = '0', fraction = ''] = (isNegative ? text.slice(1) : text).split('.')
  const value = BigInt(whole + fraction.padEnd(places, '0'))
  return isNegative ? -value : value
}

/** Units of 1e-5 as decimal text of 2 to 5 places. */
export function fromUnits(value: bigint): string {
  const sign = value < 0n ? '-' : ''
  const digits = absolute(value)
    .toString()
    .padStart(places + 1, '0')
  const fraction = digits.slice(-places).replace(/0+$/, '').padEnd(2, '0')
  return `${sign}${digits.slice(0, -places)}.${fraction}`
}

export const absolute = (value: bigint) => (value < 0n ? -value : value)

const thousands = /^\d{1,3}(,\d{3})+$/
/** The last three digits, and pairs before them. */
const indianGroups = /^\d{1,2}(,\d{2})+,\d{3}$/

/** A whole number without the signs between its groups; undefined where the groups are of the wrong size. */
function joinGroups(whole: string, group: '.' | ','): string | undefined {
  if (!whole.includes(group)) return whole
  const grouped = group === '.' ? whole.replaceAll('.', ',') : whole
  // India groups by commas alone. With points such a number may as well be a date.
  const isGrouped = thousands.test(grouped) || (group === ',' && indianGroups.test(grouped))
  return isGrouped ? grouped.replaceAll(',', '') : undefined
}

/** "1 500" and "1'500", with any blank but a line break. */
const blankGroups = /(?<![\d.,])\d{1,3}(?:(?:[^\S\r\n\t]|['’])\d{3})+(?!\d)/

/** A number as a bank writes it, with a sign, and a currency or another mark, before or behind it. */
const writtenForm =
  /^(?<first>[+-]?)(?<head>[A-Za-z]{1,4}\.?|[€£$₹₩¥￥元円원])?(?<second>[+-]?)(?<digits>[\d.,]+)(?<third>[+-]?)(?<tail>[A-Za-z]{1,4}\.?|[€£$₹₩¥￥元円원])?(?<last>[+-]?)$/u

interface LocalAmount {
  /** Decimal text, with a minus in front where the text has a sign or brackets for it. */
  amount: string
  /** The letters or the sign of a currency beside the number; empty where there are none. */
  mark: string
}

/**
 * "1.234,56-", "EUR 1,234.56", "($42.10)" or "1,25,000.00 CR", where the decimal sign is known; undefined where it is
 * not an amount. Every dash is a minus.
 */
export function parseLocalAmount(text: string, decimalSign: '.' | ','): LocalAmount | undefined {
  const ungrouped = text.replace(blankGroups, (groups) => groups.replace(/\D/g, ''))
  if (/\d[\s'’]+\d/.test(ungrouped)) return undefined
  const plain = ungrouped.replace(/[\s'’]/g, '').replace(/[\p{Dash}−]/gu, '-')
  const opened = plain.replace(/\((.*\d.*)\)/, '$1')
  const { first, head = '', second, digits = '', third, tail = '', last } = writtenForm.exec(opened)?.groups ?? {}
  const signs = [first, second, third, last].filter(Boolean)
  const isBracketed = opened !== plain
  if (signs.length + Number(isBracketed) > 1 || (head && tail)) return undefined
  const [whole = '', fraction, ...more] = digits.split(decimalSign)
  if (more.length > 0) return undefined
  const joined = joinGroups(whole, decimalSign === ',' ? '.' : ',')
  const value = joined === undefined ? undefined : parseDecimal(joined + (fraction === undefined ? '' : `.${fraction}`))
  if (value === undefined) return undefined
  return { amount: isBracketed || signs[0] === '-' ? `-${value}` : value, mark: head || tail }
}

/** Whether two decimals are equal as numbers: `12.5` and `12.50`. */
export function isSameDecimal(one: string, other: string): boolean {
  return one === other || plainDecimal(one) === plainDecimal(other)
}

function plainDecimal(value: string): string {
  const [whole = '', fraction = ''] = value.split('.')
  return `${whole.replace(/^0+/, '')}.${fraction.replace(/0+$/, '')}`
}
