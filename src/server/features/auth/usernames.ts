import type { Tx } from '#server/db/client.ts'
import { admins } from '#server/db/tables/auth.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'

/** How the audit log names who is not an operator. */
const otherActors = [
  'system',
  'platform',
  'nobody',
  'queue',
  'bulk',
  'indexer',
  'metrics',
  'first start',
  'sign-in provider',
  'kyc provider',
  'demo platform',
]
const isOtherActor = (folded: string) => otherActors.includes(folded) || /^(platform:|npm run)/.test(folded)

// Small Cyrillic and Greek letters, and below each the Latin one that it looks like, small or capital.
const lookalikes = 'асԁеһіјӏорԛѕухԝѵвнкмтαονρτικυχεηβμζ'
const latinLetters = 'acdehijlopqsyxwvbhkmtaovptikuxenbmz'
const latinOf = new Map(Array.from(lookalikes, (letter, at) => [letter, latinLetters[at]!]))

/** The same for names that look alike. */
const foldUsername = (username: string) =>
  Array.from(username.normalize('NFKC').toLowerCase(), (letter) => latinOf.get(letter) ?? letter)
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Chinese, Japanese and Korean names are written together with Latin letters. */
const otherAlphabet = /(?![\p{scx=Latin}\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}])\p{L}/u

/** Refuses a username that cannot be read or typed, or that stands for the console itself in the audit log. */
export function requireUsername(username: string): void {
  if (username.length < 1 || username.length > 64) throw invalidField('username', 'must have 1 to 64 characters')
  if (username !== username.trim() || /[\p{Cc}\p{Cf}\p{Cs}]/u.test(username))
    throw invalidField('username', 'must not begin or end with a blank, nor hold invisible characters')
  if (/\p{sc=Latin}/u.test(username) && otherAlphabet.test(username))
    throw invalidField('username', 'must not mix Latin letters with those of another alphabet')
  if (isOtherActor(foldUsername(username)))
    throw invalidField('username', 'is how the audit log names the console, the platform or a command')
}

/** Throws username_taken if the name of another operator looks like it. The database refuses the same name. */
export async function requireDistinctUsername(tx: Tx, username: string): Promise<void> {
  const folded = foldUsername(username)
  const all = await tx.select({ name: admins.username }).from(admins)
  const alike = all.find(({ name }) => name.toLowerCase() !== username.toLowerCase() && foldUsername(name) === folded)
  if (!alike) return
  const message = `looks like ${alike.name}, the name of another operator`
  throw new AppError('username_taken', `username: ${message}`, { details: [{ field: 'username', message }] })
}
