/** What a text is looked up as, besides the words in it. */
export interface Typed {
  text: string
  /** A hash or address, or at least 6 digits of its beginning: `0x` and lower case; null for any other text. */
  hex: string | null
  /** The whole of a hash or address: no words to be looked for. */
  isWhole: boolean
  /** The beginning of a membership id, `MB-` and at least one digit. */
  membershipId: string | null
  /** Whether it holds what the trigram index can be asked for: three letters or digits in a row. */
  isIndexed: boolean
}

const digitsOf = (text: string) => /^(?:0x)?([0-9a-f]{6,64})$/i.exec(text)?.[1]?.toLowerCase()
const accents = /[\u0300-\u036f]/g

export function readTyped(q: string): Typed {
  const text = q.trim()
  const digits = digitsOf(text)
  const isWhole = digits !== undefined && (digits.length === 64 || (digits.length === 40 && /^0x/i.test(text)))
  return {
    text,
    hex: digits === undefined ? null : `0x${digits}`,
    isWhole,
    membershipId: /^mb-\d{1,8}$/i.test(text) ? text.toUpperCase() : null,
    isIndexed: /[\p{L}\p{N}]{3}/u.test(text.normalize('NFKD').replace(accents, '')),
  }
}
