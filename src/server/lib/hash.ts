import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/** SHA-256, the only digest of tokens, keys and files. */
export const sha256 = (value: string | Buffer): Buffer => hash('sha256', value, 'buffer')

/** Whether `given` is the body's HMAC in hexadecimal, in either case. Compares in constant time. */
export function isValidHexMac(algorithm: string, secret: string, body: Buffer, given: string): boolean {
  const expected = Buffer.from(createHmac(algorithm, secret).update(body).digest('hex'))
  // Compares text. Parsing hexadecimal would ignore an odd last digit and accept the same message under another id.
  const text = Buffer.from(given.toLowerCase())
  return text.length === expected.length && timingSafeEqual(text, expected)
}
