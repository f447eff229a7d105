/**
 * A decimal string with grouped thousands and every significant digit, never by way of a float:
 * `1234.5` → `1,234.5`, with `decimals` 2 → `1,234.50`.
 */
export function formatDecimal(value: string, decimals = 0): string {
  const match = /^(-?)0*(\d+)(?:\.(\d*))?$/.exec(value.trim())
  if (!match) return value
  const [, minus = '', whole = '0', fraction = ''] = match
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  const kept = fraction.replace(/0+$/, '').padEnd(decimals, '0')
  return `${minus}${grouped}${kept && `.${kept}`}`
}

/** The `$` form of the dashboard (product 5.1): `+$2,500.00`, `-$1,180.50`. */
export const formatDollars = (amount: string, sign: '+' | '-' | '' = ''): string =>
  `${sign}$${formatDecimal(amount, 2)}`

const counts = new Intl.NumberFormat('en-US')

/** A count with grouped thousands: `1,200`. */
export const formatCount = (count: number): string => counts.format(count)
