import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** What the console tells, as far as this shop listens. */
export interface ConsoleEvent {
  type: string
  timestamp: string
  data: {
    memberId?: string
    orderNumber?: string
    membershipId?: string | null
    reason?: string
    attemptNumber?: number
  }
}

/** A message older or newer than this may have been caught and be played again. */
const toleranceSeconds = 300

/**
 * Whether the console sent this body: Standard Webhooks, HMAC-SHA256 over `id.timestamp.body`, base64. While a secret is
 * being replaced the console signs with both, and it is enough that one signature is by one secret of ours.
 */
export function isGenuine(secrets: string[], headers: IncomingHttpHeaders, body: string, now = Date.now()): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false
  const isFresh = Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds
  const given = signatures.split(' ').map((each) => Buffer.from(each.replace(/^v1,/, ''), 'base64'))
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
    return isFresh && given.some((each) => each.length === mac.length && timingSafeEqual(each, mac))
  })
}
