import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

// 64 MiB and 3 passes take about 50 ms on a small server, well above the OWASP minimum (19 MiB, 2 passes).
const parameters = { algorithm: 2 /* argon2id */, memoryCost: 65_536, timeCost: 3, parallelism: 1 }
const prefix = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`

const base64 = (length: number) => randomBytes(length).toString('base64').replaceAll('=', '')

/** A hash of no password. Verifying it takes as long as a real one, so an unknown username answers no sooner. */
export const dummyHash = `${prefix}${base64(16)}$${base64(32)}`

/** Keyboards and systems write the same letter in several ways, of which this is one (NIST SP 800-63B). */
const toComposed = (password: string) => password.normalize('NFC')

export const hashPassword = (password: string) => hash(toComposed(password), parameters)

/** Whether it is the password, in whichever way its letters are written. A hash may be older than the composing. */
export async function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  const composed = toComposed(password)
  return (await verify(passwordHash, composed)) || (composed !== password && verify(passwordHash, password))
}

/** Whether a hash was made with older parameters. */
export const isOutdated = (passwordHash: string) => !passwordHash.startsWith(prefix)

/** A password of 144 random bits in 24 characters. */
export const generatePassword = () => randomBytes(18).toString('base64url')
