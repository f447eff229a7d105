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

/** What an operator typed as an amount: `4000`, `4,000.00`. Null where it is none that the bank knows, or 0. */
export function parseAmount(typed: string): string | null {
  const given = typed.trim()
  const isGrouped = /^\d{1,3}(,\d{3})+(\.\d{1,5})?$/.test(given)
  const plain = isGrouped ? given.replaceAll(',', '') : given
  return /^\d{1,15}(\.\d{1,5})?$/.test(plain) && !isZero(plain) ? plain : null
}
