/** Zero-width and bidi characters, which come along with copied text and nobody sees. */
const invisible = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g
/** `Ana Lima <ana@example.com>`, as mail programs write it. */
const inBrackets = /<\s*([^<>\s]+@[^<>\s]+?)\s*>/
const mailLink = /^mailto:\s*([^?\s]+)(?:\?.*)?$/i
const quotes = '"“”„‟«»'
const around = new RegExp(`^[\\s,;<${quotes}]+|[\\s,;>${quotes}]+$`, 'g')
const inSingleQuotes = /^['‘’](.*)['‘’]$/

function tidyOnce(given: string): string {
  const plain = given
    .replaceAll(invisible, '')
    .replaceAll(/[\s\u0085]+/g, ' ')
    .trim()
  const mail = inBrackets.exec(plain)?.[1] ?? mailLink.exec(plain)?.[1]
  return (mail ?? plain).replaceAll(around, '').replace(inSingleQuotes, '$1')
}

/**
 * A search without what copying brings along: blanks of every kind, invisible characters, quotes, `mailto:`, a mail
 * address's brackets and what separates one address from the next. Case, accents and commas are the database's to fold.
 */
export function tidySearch(given: string): string {
  const tidied = tidyOnce(given)
  return tidied === given ? tidied : tidySearch(tidied)
}

/** A membership id or its beginning, however its blanks, hyphen and case are written; null for other text. */
export function readMembershipId(text: string): string | null {
  const digits = /^mb[\s\-‐‑–]*((?:\d[\s\-‐‑–]*){1,8})$/i.exec(text)?.[1]?.replaceAll(/\D/g, '')
  return digits === undefined ? null : `MB-${digits}`
}

/** Whether the text may be a number such as an order's, copied with other blanks or hyphens than it has. */
export const mayBeCode = (text: string): boolean =>
  /^[A-Za-z0-9 \-‐‑–_/.#]{4,64}$/.test(tidySearch(text)) && /\d/.test(text)

/** A whole membership id as it is kept; null for other text. */
export function readWholeMembershipId(text: string): string | null {
  const membershipId = readMembershipId(tidySearch(text))
  return membershipId?.length === 11 ? membershipId : null
}
