import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Signs and verifies by the Standard Webhooks scheme: HMAC-SHA256 over `id.timestamp.body`. */

export const secretRule =
  'must be whsec_ and 24 to 64 bytes in base64; two, separated by a comma, while one replaces the other'

/** Whether this is `whsec_` and the base64 of 24 to 64 bytes. */
export function isSecret(value: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value)?.[1]
  if (encoded === undefined) return false
  const { length } = Buffer.from(encoded, 'base64')
  return length >= 24 && length <= 64 && encoded.length === Math.ceil(length / 3) * 4
}

const decodeSecret = (secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64')
const computeMac = (secret: string, id: string, timestamp: string, body: string | Buffer) =>
  createHmac('sha256', decodeSecret(secret)).update(`${id}.${timestamp}.`).update(body).digest()

/**
 * `id` is the same in all tries, the timestamp is new in each. Signs with every secret, so that one can replace the
 * other without refusals.
 */
export function signHeaders(secrets: readonly string[], id: string, body: string, at: Date): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((secret) => `v1,${computeMac(secret, id, timestamp, body).toString('base64')}`)
      .join(' '),
  }
}

/** A message with a timestamp further away may be a replay. */
export const toleranceSeconds = 300

/** `stale`: signed by a valid secret, but at a time too far from now. */
export type SignatureVerdict = 'valid' | 'missing' | 'invalid' | 'stale'

/**
 * Verifies the signature of a message that arrived at `at`, with any of the secrets. Pass the raw bytes of a body from
 * the network, because different broken UTF-8 reads as the same text.
 */
export function judgeSignature(
  secrets: readonly string[],
  headers: IncomingHttpHeaders,
  body: string | Buffer,
  at: Date,
): SignatureVerdict {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (!id || !timestamp || !signatures) return 'missing'
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return 'invalid'
  if (!/^\d{1,12}$/.test(timestamp)) return 'invalid'
  const ours = secrets.map((secret) => computeMac(secret, id, timestamp, body))
  const isOurs = signatures.split(' ').some((each) => {
    const given = Buffer.from(/^v1,(.+)$/.exec(each)?.[1] ?? '', 'base64')
    return ours.some((mine) => given.length === mine.length && timingSafeEqual(given, mine))
  })
  if (!isOurs) return 'invalid'
  return isRecent(Number(timestamp) * 1000, at) ? 'valid' : 'stale'
}

const isRecent = (time: number, at: Date) => Math.abs(at.getTime() - time) <= toleranceSeconds * 1000

/** Whether a signature is valid and recent. */
export const isSigned = (secrets: readonly string[], headers: IncomingHttpHeaders, body: string, at: Date): boolean =>
  judgeSignature(secrets, headers, body, at) === 'valid'
