/** Invisible zero-width and bidi characters of copied text. */
const invisibleCharacters = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g
/** `Ana Lima <ana@example.com>`, as mail programs write it. */
const inBrackets = /<\s*([^<>\s]+@[^<>\s]+?)\s*>/
const mailLink = /^mailto:\s*([^?\s]+)(?:\?.*)?$/i
const quotes = '"“”„‟«»'
const edgeMarks = new RegExp(`^[\\s,;<${quotes}]+|[\\s,;>${quotes}]+$`, 'g')
const inSingleQuotes = /^['‘’](.*)['‘’]$/

function cleanOnce(given: string): string {
  const plain = given
    .replaceAll(invisibleCharacters, '')
    .replaceAll(/[\s\u0085]+/g, ' ')
    .trim()
  const mail = inBrackets.exec(plain)?.[1] ?? mailLink.exec(plain)?.[1]
  return (mail ?? plain).replaceAll(edgeMarks, '').replace(inSingleQuotes, '$1')
}

/**
 * Removes what copying adds to a search: blanks of every kind, invisible characters, quotes, `mailto:`, brackets of a
 * mail address, and separators around it. The database folds case, accents and commas.
 */
export function cleanSearchText(given: string): string {
  const tidied = cleanOnce(given)
  return tidied === given ? tidied : cleanSearchText(tidied)
}

/** `MB-` and eight digits. */
const shortestMembershipId = 11

/** Parses a membership id or its beginning, with any blanks, hyphens and case. Null for other text. */
export function parseMembershipId(text: string): string | null {
  const digits = /^mb[\s\-‐‑–]*((?:\d[\s\-‐‑–]*){1,12})$/i.exec(text)?.[1]?.replaceAll(/\D/g, '')
  return digits === undefined ? null : `MB-${digits}`
}

/** Whether the text may be a number such as an order's, with other blanks or hyphens. */
export const isPossibleCode = (text: string): boolean =>
  /^[A-Za-z0-9 \-‐‑–_/.#]{4,64}$/.test(cleanSearchText(text)) && /\d/.test(text)

/** Parses a whole membership id. Null for other text. */
export function parseWholeMembershipId(text: string): string | null {
  const membershipId = parseMembershipId(cleanSearchText(text))
  return membershipId && membershipId.length >= shortestMembershipId ? membershipId : null
}
