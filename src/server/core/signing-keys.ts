import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { explainFileErrors, makeFolder } from '#server/db/embedded/folders.ts'
import { StartError } from '#server/db/embedded/errors.ts'
import { writeOnce } from '#server/lib/write-once.ts'
import type { Config } from './config.ts'

/** A key that signs what must not be changed in the database. It is never stored there. */
export interface SigningKey {
  /** Names the key and does not reveal it. */
  id: string
  secret: Buffer
}

/** What is signed. A MAC of one purpose is not one of another. */
type Purpose = 'audit' | 'checkpoint' | 'message' | 'alert code'

const keysOf = new WeakMap<Config, readonly SigningKey[]>()

/** The keys of AUDIT_KEY, or of the file in DATA_DIR, written by the first start. The first signs. Throws StartError. */
export function readSigningKeys(config: Config): readonly SigningKey[] {
  const known = keysOf.get(config)
  if (known) return known
  const keys = (config.auditKeys.length > 0 ? config.auditKeys : readKeyFile(config.dataDir)).map((encoded) => {
    const secret = Buffer.from(encoded, 'base64')
    return { id: createHash('sha256').update('audit key').update(secret).digest('hex').slice(0, 16), secret }
  })
  keysOf.set(config, keys)
  return keys
}

export const keyFile = (dataDir: string) => join(dataDir, 'keys', 'audit')

function readKeyFile(dataDir: string): string[] {
  const file = keyFile(dataDir)
  if (!existsSync(file)) {
    makeFolder(dataDir, 0o700)
    makeFolder(join(dataDir, 'keys'), 0o700)
    explainFileErrors(file, () => writeOnce(file, `${randomBytes(32).toString('base64')}\n`))
  }
  const lines = explainFileErrors(file, () => readFileSync(file, 'utf8'))
    .split(/\s+/)
    .filter(Boolean)
  if (lines.length === 0 || !lines.every((line) => /^[A-Za-z0-9+/]{43}=$/.test(line)))
    throw new StartError(`${file} must hold 32 bytes in base64, a line each: restore it from a back-up.`)
  return lines
}

/** HMAC-SHA256 over the purpose and the parts, which are told apart by their lengths. */
export function computeMac({ secret }: SigningKey, purpose: Purpose, parts: readonly (string | null)[]): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify([purpose, ...parts]))
    .digest()
}

/** Compares in constant time. */
export const isSameMac = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other)
