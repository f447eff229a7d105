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

/** As a word of its own, whatever its case. */
const asWord = (text: string) => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(text)}(?![\\p{L}\\p{N}])`, 'giu')

/**
 * The beginning of an answer, fit to be kept and shown: without control characters, without what looks like a secret, an
 * e-mail, an account or a phone number, and without `known`, the personal data that it may repeat. Null when empty.
 */
export function excerptOf(text: string, known: readonly (string | null)[] = []): string | null {
  const head = text.slice(0, looked)
  // What the cut went through may be half a secret.
  const whole = text.length > looked ? head.replace(/\S+$/, '') : head
  let shown = whole.replace(invisible, ' ').replaceAll('\uFFFD', ' ').replace(/\s+/g, ' ').trim()
  for (const value of known) if (value && value.length > 1) shown = shown.replace(asWord(value), taken)
  for (const pattern of secretsAndPeople) shown = shown.replace(pattern, taken)
  // By code points, so that none is cut in two.
  return Array.from(shown).slice(0, mostCharacters).join('') || null
}
