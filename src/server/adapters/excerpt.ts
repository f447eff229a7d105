/** What is kept of an answer. */
const mostCharacters = 500
/** What is looked at for it: enough that taking things out leaves enough. */
const looked = 4 * mostCharacters
const taken = '[redacted]'

/** Control and invisible formatting characters, which could change how the rest is shown. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]+/gu

const secretName = String.raw`(?:password|passwd|secret|token|api[_-]?key|authorization|cookie)`
const secretsAndPeople = [
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]+/gi,
  new RegExp(`(?<="${secretName}"\\s{0,4}:\\s{0,4}")[^"]+`, 'gi'),
  new RegExp(`(?<=${secretName}["']?\\s{0,4}[:=]\\s{0,4}["']?)[^\\s"',;}]+`, 'gi'),
  /\b(?:whsec|sk|pk|key|tok)_[\w+/=-]+/gi,
  /[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+/g,
  /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g,
  // Long runs of hexadecimal or base64 that hold a digit.
  /(?=[A-Za-z+/_=-]*\d)[A-Za-z0-9+/_=-]{24,}/g,
  // Phone numbers, and dates of birth with them.
  /\+?\d[\d\s().-]{7,}\d/g,
]

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Scripts that set no blanks between words, and whose names may be one character long. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u

/** As a word of its own where its script has words, whatever its case; null for what is too short to be told. */
function asWord(value: string): RegExp | null {
  const text = escaped(value.normalize('NFC'))
  if (unspaced.test(text)) return new RegExp(text, 'giu')
  return value.length > 1 ? new RegExp(`(?<![\\p{L}\\p{N}])${text}(?![\\p{L}\\p{N}])`, 'giu') : null
}

/** `Jos\u00e9`, as many programs write JSON, is the same name as `José`, in whichever way its accent is coded. */
const readable = (text: string) =>
  text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .toWellFormed()
    .normalize('NFC')

/**
 * The beginning of an answer, fit to be kept and shown: without control characters, without what looks like a secret, an
 * e-mail, an account or a phone number, and without `known`, the personal data that it may repeat. Null when empty.
 */
export function excerptOf(text: string, known: readonly (string | null)[] = []): string | null {
  const head = text.slice(0, looked)
  // What the cut went through may be half a secret.
  const whole = text.length > looked ? head.replace(/\S+$/, '') : head
  let shown = readable(whole).replace(invisible, ' ').replaceAll('\uFFFD', ' ').replace(/\s+/g, ' ').trim()
  // The longest first, so that a surname of one character leaves no half of what it stands in.
  for (const value of known.toSorted((one, other) => (other?.length ?? 0) - (one?.length ?? 0))) {
    const word = value && asWord(value)
    if (word) shown = shown.replace(word, taken)
  }
  for (const pattern of secretsAndPeople) shown = shown.replace(pattern, taken)
  // By code points, so that none is cut in two.
  return Array.from(shown).slice(0, mostCharacters).join('') || null
}
