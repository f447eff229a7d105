import { createHash } from 'node:crypto'

/** SHA-256, the one digest of this code: what tokens, keys and files are known by. */
export const sha256 = (value: string | Buffer): Buffer => createHash('sha256').update(value).digest()
