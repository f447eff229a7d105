import { isPossibleCode, parseMembershipId, cleanSearchText } from '#server/lib/search-text.ts'
import { parseAmount, type SearchAmount } from './amount.ts'

/** What a text is looked up as, besides the words in it. */
export interface SearchTerms {
  text: string
  /** A hash or address, or at least 6 digits of its beginning: `0x` and lower case; null for any other text. */
  hex: string | null
  /** The whole of a hash or address: no words to be looked for. */
  isWhole: boolean
  /** The beginning of a membership id, `MB-` and at least one digit. */
  membershipId: string | null
  /** The digits of a telephone number, or its last ones: 6 or more. */
  phone: string | null
  amount: SearchAmount | null
  /** The beginning of an IBAN, without blanks: 8 characters or more. */
  iban: string | null
  /** Whether it may be an order number with other blanks or hyphens. */
  isCode: boolean
  /** Whether it holds what the trigram index can be asked for: three letters or digits in a row. */
  isIndexed: boolean
}

const readHexDigits = (text: string) => {
  const compact = text.replaceAll(' ', '')
  const whole = /^(?:0x)?([0-9a-f]{40}|[0-9a-f]{64})$/i.exec(compact)?.[1]
  return (whole ?? /^(?:0x)?([0-9a-f]{6,64})$/i.exec(text)?.[1])?.toLowerCase()
}
const accents = /[\u0300-\u036f]/g

/** As `phone_digits` reads what is stored. */
function readPhone(text: string): string | null {
  if (!/^[+\d][\d\s().\-–/]{5,40}$/.test(text)) return null
  const digits = text.replace('(0)', '').replaceAll(/\D/g, '').replace(/^0+/, '')
  return digits.length >= 6 && digits.length <= 15 ? digits : null
}

function readIban(text: string): string | null {
  const iban = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return /^[A-Z]{2}\d{2}[A-Z0-9]{4,30}$/.test(iban) ? iban : null
}

/** Last digits by which a number is known without its country. */
const leastNational = 8

/**
 * A telephone number as its index has it, the last digit first; `ends` are its own last digits, by which one that is kept
 * without its country is found.
 */
export function reversePhone(phone: string): { digits: string; ends: string[] } {
  const digits = Array.from(phone).toReversed().join('')
  const lengths = Array.from({ length: Math.max(0, phone.length - leastNational) }, (_, n) => n + leastNational)
  return { digits, ends: lengths.map((length) => digits.slice(0, length)) }
}

export function parseSearchText(q: string): SearchTerms {
  const text = cleanSearchText(q)
  const digits = readHexDigits(text)
  const isWhole = digits !== undefined && (digits.length === 64 || (digits.length === 40 && /^0\s*x/i.test(text)))
  return {
    text,
    hex: digits === undefined ? null : `0x${digits}`,
    isWhole,
    membershipId: parseMembershipId(text),
    phone: readPhone(text),
    amount: parseAmount(text),
    iban: readIban(text),
    isCode: isPossibleCode(text),
    isIndexed: /[\p{L}\p{N}]{3}/u.test(text.normalize('NFKD').replace(accents, '')),
  }
}
