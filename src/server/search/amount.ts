/** An amount in a searched text: one or two readings, and its currency if given. */
export interface SearchAmount {
  /** Decimal strings. `1.234` may mean one and a bit, or more than a thousand. */
  decimals: string[]
  currency: string | null
  /** `-`: money that went out, `+`: money that came in. */
  sign?: '-' | '+'
}

const symbols: Record<string, string> = { '€': 'EUR', $: 'USD', '£': 'GBP' }
const form = /^([A-Za-z]{3}|[€$£])?\s*(\d[\d.,'’ ]*)\s*([A-Za-z]{3}|[€$£])?$/
/** A minus in front. A plus only before an amount with places, because a phone number begins with one, too. */
const signs: [sign: '-' | '+', form: RegExp][] = [
  ['-', /^((?:[A-Za-z]{3}\s+|[€$£]\s*)?)[-−–]\s*/],
  ['+', /^()\+\s*(?=.*[.,]\d{1,2}(?!\d))/],
]

const readCurrency = (word: string | undefined) => (word ? (symbols[word] ?? word.toUpperCase()) : null)

/** Parses the number with `point` as its decimal point. Null if its groups do not have three digits. */
function parseDecimal(text: string, point: string | null): string | null {
  const [whole = '', fraction, ...more] = point === null ? [text] : text.split(point)
  const groups = whole.split(/[.,]/)
  const isGrouped =
    groups.length === 1 || (/^\d{1,3}$/.test(groups[0]!) && groups.slice(1).every((g) => /^\d{3}$/.test(g)))
  if (!isGrouped || more.length > 0 || (fraction !== undefined && !/^\d{1,18}$/.test(fraction))) return null
  return `${groups.join('')}${fraction === undefined ? '' : `.${fraction}`}`
}

/** Parses `7,487.00`, `7.487,00`, `7 487`, `7'487.00 CHF`, `€7487`, `-12.50` and `EUR −12.50`. Null for anything else. */
export function parseAmount(text: string): SearchAmount | null {
  const [sign, signed] = signs.find(([, before]) => before.test(text)) ?? []
  if (sign === undefined || signed === undefined) return parseUnsigned(text)
  const amount = parseUnsigned(text.replace(signed, '$1'))
  return amount && { ...amount, sign }
}

function parseUnsigned(text: string): SearchAmount | null {
  const [, before, number = '', after] = form.exec(text) ?? []
  const plain = number.replaceAll(/['’ ]/g, '')
  if (plain === '' || plain.replaceAll(/\D/g, '').length > 30 || (before && after)) return null
  const readings = [null, '.', ','].filter((point) => point === null || plain.includes(point))
  const decimals = readings.map((point) => parseDecimal(plain, point)).filter((decimal) => decimal !== null)
  return decimals.length === 0 ? null : { decimals: [...new Set(decimals)], currency: readCurrency(before ?? after) }
}
