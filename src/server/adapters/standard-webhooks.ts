import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signing and checking by the Standard Webhooks scheme: HMAC-SHA256 over `id.timestamp.body`. */

export const secretForm =
  'must be whsec_ and 24 to 64 bytes in base64; two, separated by a comma, while one replaces the other'

/** Whether this is `whsec_` and the base64 of 24 to 64 bytes. */
export function isSecret(value: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value)?.[1]
  if (encoded === undefined) return false
  const { length } = Buffer.from(encoded, 'base64')
  return length >= 24 && length <= 64 && encoded.length === Math.ceil(length / 3) * 4
}

const keyOf = (secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64')
const mac = (secret: string, id: string, timestamp: string, body: string) =>
  createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest()

/**
 * `id` stays the same when a message is sent again, the timestamp is of each try. Signed with every secret, so that one can
 * replace the other without a message being refused.
 */
export function signedHeaders(secrets: readonly string[], id: string, body: string, at: Date): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${mac(secret, id, timestamp, body).toString('base64')}`).join(' '),
  }
}

/** A timestamp further off than this may be a message that was caught and is played again. */
const toleranceSeconds = 300

/** Whether one of the signatures is by one of the secrets and its time is near `at`. */
export function isSigned(
  secrets: readonly string[],
  headers: Record<string, string | string[] | undefined>,
  body: string,
  at: Date,
): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false
  if (!/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(at.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const ours = secrets.map((secret) => mac(secret, id, timestamp, body))
  return signatures.split(' ').some((each) => {
    const given = Buffer.from(/^v1,(.+)$/.exec(each)?.[1] ?? '', 'base64')
    return ours.some((mine) => given.length === mine.length && timingSafeEqual(given, mine))
  })
}
