import type { Config } from '#server/core/config.ts'
import type { Resolve } from './outbound-http.ts'
import { postSigned, type TryOutcome } from './signed-post.ts'

/** An event as it leaves the console. */
export interface EventMessage {
  /** `webhook-id`: the same over all tries, also when it is sent again by hand. */
  messageId: string
  type: string
  entityType: string
  entityId: string
  sequence: number | null
  version: number | null
  createdAt: string
  payload: Record<string, unknown> | null
}

/** The investment platform as far as the console tells it of changes. */
export interface PlatformEndpoint {
  /** The host alone: the rest of the address may hold a secret. Null while PLATFORM_WEBHOOK_URL is not set. */
  host: string | null
  /** One try, whose failure is an outcome too. Throws only when `signal` gave it up. */
  send(event: EventMessage, signal: AbortSignal): Promise<TryOutcome>
}

interface Options {
  /** Over headers and body together. */
  timeoutMs?: number
  resolve?: Resolve
}

/** The body that Standard Webhooks recommends, the same over all tries. */
export const eventBody = (event: Omit<EventMessage, 'messageId'>): string => {
  const { type, createdAt: timestamp, entityType, entityId, sequence, version, payload: data } = event
  return JSON.stringify({ type, timestamp, entity: { type: entityType, id: entityId }, sequence, version, data })
}

export function platformEndpoint(config: Config, { timeoutMs = 15_000, resolve }: Options = {}): PlatformEndpoint {
  const { platformWebhookUrl: url, platformWebhookSecrets: secrets, webhookAllowPrivate: allowsPrivate } = config
  return {
    host: url ? new URL(url).host : null,
    async send(event, signal) {
      if (!url) throw new Error('PLATFORM_WEBHOOK_URL is not set')
      return postSigned({
        url,
        secrets,
        id: event.messageId,
        body: eventBody(event),
        personal: freeText(event.payload),
        timeoutMs,
        allowsPrivate,
        signal,
        resolve,
      })
    },
  }
}

/** What operators wrote may name people. */
const freeText = (payload: EventMessage['payload']) =>
  [payload?.reason, payload?.notes].filter((each): each is string => typeof each === 'string')
