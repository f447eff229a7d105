/** What is kept of an answer. */
const maxLength = 500
/** What is looked at for it: enough that taking things out leaves enough. */
const maxInput = 4 * maxLength
const placeholder = '[redacted]'

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

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Scripts that set no blanks between words, and whose names may be one character long. */
const unspacedScript = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u

/** As a word of its own where its script has words, whatever its case; null for what is too short to be told. */
function wordPattern(value: string): RegExp | null {
  const text = escapePattern(value.normalize('NFC'))
  if (unspacedScript.test(text)) return new RegExp(text, 'giu')
  return value.length > 1 ? new RegExp(`(?<![\\p{L}\\p{N}])${text}(?![\\p{L}\\p{N}])`, 'giu') : null
}

/** `Jos\u00e9`, as many programs write JSON, is the same name as `José`, in whichever way its accent is coded. */
const normaliseText = (text: string) =>
  text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .toWellFormed()
    .normalize('NFC')

/**
 * The beginning of an answer, fit to be kept and shown: without control characters, without what looks like a secret, an
 * e-mail, an account or a phone number, and without `known`, the personal data that it may repeat. Null when empty.
 */
export function buildExcerpt(text: string, known: readonly (string | null)[] = []): string | null {
  const head = text.slice(0, maxInput)
  // What the cut went through may be half a secret.
  const whole = text.length > maxInput ? head.replace(/\S+$/, '') : head
  let shown = normaliseText(whole).replace(invisible, ' ').replaceAll('\uFFFD', ' ').replace(/\s+/g, ' ').trim()
  // The longest first, so that a surname of one character leaves no half of what it stands in.
  for (const value of known.toSorted((one, other) => (other?.length ?? 0) - (one?.length ?? 0))) {
    const word = value && wordPattern(value)
    if (word) shown = shown.replace(word, placeholder)
  }
  for (const pattern of secretsAndPeople) shown = shown.replace(pattern, placeholder)
  // By code points, so that none is cut in two.
  return Array.from(shown).slice(0, maxLength).join('') || null
}
