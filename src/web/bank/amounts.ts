import { formatDecimal } from '#web/lib/money.ts'

/** The most places that an amount of a bank has. */
const places = 5

function toUnits(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(places, '0').slice(0, places))
}

function fromUnits(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** The sum of decimal amounts, never by way of a float. */
export const addAmounts = (...amounts: string[]): string =>
  fromUnits(amounts.reduce((total, amount) => total + toUnits(amount), 0n))

export const subtractAmount = (from: string, amount: string): string => fromUnits(toUnits(from) - toUnits(amount))

/** Below 0 when `a` is less than `b`, 0 when both are the same in any number of places. */
export function compareAmounts(a: string, b: string): number {
  const difference = toUnits(a) - toUnits(b)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

export const leastAmount = (a: string, b: string): string => (compareAmounts(a, b) <= 0 ? a : b)

/** `-1234.5` as `−1,234.50`. */
export const formatAmount = (amount: string): string => formatDecimal(amount, 2).replace('-', '−')

/** Whether an amount is 0, in any number of places. */
export const isZero = (amount: string): boolean => /^-?0*(\.0*)?$/.test(amount)

/** An amount as it was typed, or what is wrong with it in words. */
export type TypedAmount = { amount: string; problem?: undefined } | { amount?: undefined; problem: string }

const amountHint = 'Must be an amount such as 12.50'

/** Removes separators of thousands, of which each has three digits after it. */
const ungroup = (whole: string, separator: string): string | undefined => {
  const groups = whole.split(separator)
  const isGrouped = /^\d{1,3}$/.test(groups[0]!) && groups.slice(1).every((group) => /^\d{3}$/.test(group))
  return groups.length === 1 || isGrouped ? groups.join('') : undefined
}

/** `4000`, `4,000.00`, `20,01` and `1.234,50`, each as decimal text; undefined for anything else. */
function readDecimal(typed: string): string | undefined {
  const sign = typed.lastIndexOf(',') > typed.lastIndexOf('.') && !/,\d{3}(,|$)/.test(typed) ? ',' : '.'
  const [whole = '', fraction, ...more] = typed.split(sign)
  const plain = more.length === 0 ? ungroup(whole, sign === ',' ? '.' : ',') : undefined
  const text = plain === undefined || fraction === undefined ? plain : `${plain}.${fraction}`
  return text !== undefined && /^\d{1,15}(\.\d+)?$/.test(text) ? text : undefined
}

/** Reads a typed amount of 0 or more with a point or a comma before its last places. Two readings are refused. */
export function readAmount(typed: string, most = 2): TypedAmount {
  const given = typed.trim()
  if (/^\d{1,3}(,\d{3})+$/.test(given)) {
    const plain = given.replaceAll(',', '')
    return { problem: `${given} can be read in two ways: write ${plain} or ${given}.00 for thousands` }
  }
  const amount = readDecimal(given)
  if (amount === undefined) return { problem: amountHint }
  return (amount.split('.')[1]?.length ?? 0) > most ? { problem: `Must have at most ${most} places` } : { amount }
}

/** As `readAmount`, for an amount of more than 0. */
export function readPositiveAmount(typed: string, most = 2): TypedAmount {
  const read = readAmount(typed, most)
  return read.amount !== undefined && isZero(read.amount) ? { problem: amountHint } : read
}

/** How many places amounts of a line have: 2, or more where its own has more. */
export const countPlaces = (amount: string): number =>
  Math.max(2, (amount.split('.')[1] ?? '').replace(/0+$/, '').length)
