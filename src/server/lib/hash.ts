import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** SHA-256, the one digest of this code: what tokens, keys and files are known by. */
export const sha256 = (value: string | Buffer): Buffer => createHash('sha256').update(value).digest()

/** Whether `given` is the body's HMAC in hexadecimal digits of either case, compared in constant time. */
export function isValidHexMac(algorithm: string, secret: string, body: Buffer, given: string): boolean {
  const expected = Buffer.from(createHmac(algorithm, secret).update(body).digest('hex'))
  // As text: read as hexadecimal, one odd digit more would be let go, and the same message known by another id.
  const text = Buffer.from(given.toLowerCase())
  return text.length === expected.length && timingSafeEqual(text, expected)
}
