import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The parts of an event that this shop reads. */
export interface ConsoleEvent {
  type: string
  timestamp: string
  /** What changed. Its events are numbered from 1. */
  entity: { type: string; id: string }
  sequence: number
  data: {
    memberId?: string
    orderNumber?: string
    membershipId?: string | null
    reason?: string
    attemptNumber?: number
    status?: string
    /** Of money: decimal strings. */
    received?: string
    outstanding?: string
    amount?: string
    currency?: string
    refundId?: string
    payment?: { amount: string }
  }
}

/**
 * The position of an event among those of its entity. `next`: it follows the last one and is applied. `gap`: earlier ones are
 * missing, so the present state is read instead. `old`: it arrived before, or a read has covered it. A real platform stores the
 * numbers with the changes, in one transaction.
 */
export function sequences(): (event: ConsoleEvent) => 'next' | 'gap' | 'old' {
  const applied = new Map<string, number>()
  return ({ entity: { type, id }, sequence }) => {
    const key = `${type} ${id}`
    const last = applied.get(key) ?? 0
    if (sequence <= last) return 'old'
    applied.set(key, sequence)
    return sequence === last + 1 ? 'next' : 'gap'
  }
}

/** A message older or newer than this may be a replay. */
const toleranceSeconds = 300

/**
 * Whether the console sent this body: Standard Webhooks, HMAC-SHA256 over `id.timestamp.body`, base64. While a secret is being
 * replaced, the console signs with both, and one valid signature is enough.
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
