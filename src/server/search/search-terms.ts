import { isPossibleCode, parseMembershipId, cleanSearchText } from '#server/lib/search-text.ts'

/** An amount in a searched text: one or two readings, and its currency if given. */
interface SearchAmount {
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

/** Parses `7,487.00`, `7.487,00`, `7 487`, `7'487.00 CHF`, `€7487`, `-12.50` and `EUR −12.50`. Else null. */
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

/** The ways to read a searched text, besides its words. */
export interface SearchTerms {
  text: string
  /** A hash or address, or at least 6 digits of its beginning, with `0x` in lower case. Otherwise null. */
  hex: string | null
  /** Whether it is a whole hash or address, without words to search. */
  isWhole: boolean
  /** The beginning of a membership id, `MB-` and at least one digit. */
  membershipId: string | null
  /** At least 6 digits of a phone number, or its last ones. */
  phone: string | null
  /** Without a sign. */
  amount: SearchAmount | null
  /** The same, or one with a sign, for what comes in and goes out. */
  signedAmount: SearchAmount | null
  /** At least 8 characters of the beginning of an IBAN, without blanks. */
  iban: string | null
  /** The last 4 or more characters of an account, shown in groups or after dots. Null where the words find them. */
  accountEnd: string | null
  /** Whether it may be an order number with other blanks or hyphens. */
  isCode: boolean
  /** Whether the trigram index can find it: it has three letters or digits in a row. */
  isIndexed: boolean
}

const readHexDigits = (text: string) => {
  const compact = text.replaceAll(' ', '')
  const whole = /^(?:0x)?([0-9a-f]{40}|[0-9a-f]{64})$/i.exec(compact)?.[1]
  return (whole ?? /^(?:0x)?([0-9a-f]{6,64})$/i.exec(text)?.[1])?.toLowerCase()
}
const accents = /[\u0300-\u036f]/g

/** Parses a phone number as `phone_digits` does in the database. */
function readPhone(text: string): string | null {
  if (!/^[+\d][\d\s().\-–/]{5,40}$/.test(text)) return null
  const digits = text.replace('(0)', '').replaceAll(/\D/g, '').replace(/^0+/, '')
  return digits.length >= 6 && digits.length <= 15 ? digits : null
}

function readIban(text: string): string | null {
  const iban = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return /^[A-Z]{2}\d{2}[A-Z0-9]{4,30}$/.test(iban) ? iban : null
}

/** Reads `0130 00` and `…3000`, in lower case and without blanks. */
function readAccountEnd(text: string): string | null {
  const end = text
    .replace(/^[.…*•·]+/, '')
    .replaceAll(/[\s-]/g, '')
    .toLowerCase()
  return end !== text.toLowerCase() && /^[a-z0-9]{4,34}$/.test(end) && /\d/.test(end) ? end : null
}

/** The least number of last digits that identify a number without its country. */
const leastNational = 8

/**
 * A phone number as its index stores it, last digit first. `ends` are its last digits, to find a number that is stored
 * without its country.
 */
export function reversePhone(phone: string): { digits: string; ends: string[] } {
  const digits = Array.from(phone).toReversed().join('')
  const lengths = Array.from({ length: Math.max(0, phone.length - leastNational) }, (_, n) => n + leastNational)
  return { digits, ends: lengths.map((length) => digits.slice(0, length)) }
}

export function parseSearchText(q: string): SearchTerms {
  const text = cleanSearchText(q)
  const digits = readHexDigits(text)
  const signedAmount = parseAmount(text)
  const isWhole = digits !== undefined && (digits.length === 64 || (digits.length === 40 && /^0\s*x/i.test(text)))
  return {
    text,
    hex: digits === undefined ? null : `0x${digits}`,
    isWhole,
    membershipId: parseMembershipId(text),
    phone: readPhone(text),
    amount: signedAmount?.sign ? null : signedAmount,
    signedAmount,
    iban: readIban(text),
    accountEnd: readAccountEnd(text),
    isCode: isPossibleCode(text),
    isIndexed: /[\p{L}\p{N}]{3}/u.test(text.normalize('NFKD').replace(accents, '')),
  }
}
