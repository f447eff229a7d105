/** The maximum length of an excerpt. */
const maxLength = 500
/** The part of the answer to read. Enough is left after removals. */
const maxInput = 4 * maxLength
const placeholder = '[redacted]'

/** Control and invisible characters, which could change how the rest is shown. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]+/gu

const secretName = String.raw`(?:password|passwd|secret|token|api[_-]?key|authorization|cookie)`
const secretsAndPeople = [
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]+/gi,
  new RegExp(`(?<="${secretName}"\\s{0,4}:\\s{0,4}")[^"]+`, 'gi'),
  new RegExp(`(?<=${secretName}["']?\\s{0,4}[:=]\\s{0,4}["']?)[^\\s"',;}]+`, 'gi'),
  /\b(?:whsec|sk|pk|key|tok)_[\w+/=-]+/gi,
  /[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+/g,
  /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g,
  // Long hexadecimal or base64 runs with a digit.
  /(?=[A-Za-z+/_=-]*\d)[A-Za-z0-9+/_=-]{24,}/g,
  // Phone numbers and dates of birth.
  /\+?\d[\d\s().-]{7,}\d/g,
]

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Scripts without blanks between words, whose names may have one character. */
const unspacedScript = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u

/** Matches the value as a whole word, in any case. Null if it is too short. */
function wordPattern(value: string): RegExp | null {
  const text = escapePattern(value.normalize('NFC'))
  if (unspacedScript.test(text)) return new RegExp(text, 'giu')
  return value.length > 1 ? new RegExp(`(?<![\\p{L}\\p{N}])${text}(?![\\p{L}\\p{N}])`, 'giu') : null
}

/** Decodes `Jos\u00e9`, as programs write it in JSON, and normalises accents. */
const normaliseText = (text: string) =>
  text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .toWellFormed()
    .normalize('NFC')

/**
 * The beginning of an answer, safe to store and show: without control characters, secrets, e-mails, accounts and phone
 * numbers, and without the personal data in `known`. Null if nothing is left.
 */
export function buildExcerpt(text: string, known: readonly (string | null)[] = []): string | null {
  const head = text.slice(0, maxInput)
  // The cut may have left half of a secret.
  const whole = text.length > maxInput ? head.replace(/\S+$/, '') : head
  let shown = normaliseText(whole).replace(invisible, ' ').replaceAll('\uFFFD', ' ').replace(/\s+/g, ' ').trim()
  // The longest first, so that a surname of one character does not split another name.
  for (const value of known.toSorted((one, other) => (other?.length ?? 0) - (one?.length ?? 0))) {
    const word = value && wordPattern(value)
    if (word) shown = shown.replace(word, placeholder)
  }
  for (const pattern of secretsAndPeople) shown = shown.replace(pattern, placeholder)
  // Cuts by code points, so that none is split.
  return Array.from(shown).slice(0, maxLength).join('') || null
}
