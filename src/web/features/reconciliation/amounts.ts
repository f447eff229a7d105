import { formatDecimal } from '#web/lib/money.ts'

/** The most places that an amount of a bank has. */
const places = 5

function toUnits(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(places, '0').slice(0, places))
}

/** The sum of decimal amounts, never by way of a float. */
export function addAmounts(...amounts: string[]): string {
  const sum = amounts.reduce((total, amount) => total + toUnits(amount), 0n)
  const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, '0')
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** `-1234.5` as `−1,234.50`. */
export const formatAmount = (amount: string): string => formatDecimal(amount, 2).replace('-', '−')

/** Whether an amount is 0, in any number of places. */
export const isZero = (amount: string): boolean => /^-?0*(\.0*)?$/.test(amount)
