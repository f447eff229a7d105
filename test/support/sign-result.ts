import { Webhook } from 'standardwebhooks'

/** `whsec_` and the base64 of 32 times this byte. */
export const buildSecret = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`

let sent = 0

/** Body and headers of a KYC provider's message, signed by an implementation that is not ours. */
export function signResult(
  secret: string,
  message: unknown,
  given: { id?: string; at?: Date; body?: string | undefined } = {},
) {
  const { id = `msg-${++sent}`, at = new Date(), body = JSON.stringify(message) } = given
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
  return { body, headers }
}
