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

/** Where events go, and what signs them: two secrets while one replaces the other. */
export interface EventTarget {
  url: string
  secrets: readonly string[]
}

/** The investment platform as far as the console reports changes to it. */
export interface PlatformEndpoint {
  /** The target of the settings; null while PLATFORM_WEBHOOK_URL is not set. */
  target: EventTarget | null
  /** One try, whose failure is an outcome too. Throws only when `signal` gave it up. */
  send(target: EventTarget, event: EventMessage, signal: AbortSignal): Promise<TryOutcome>
}

interface EndpointOptions {
  /** Over headers and body together. */
  timeoutMs?: number
  resolve?: Resolve
}

/** The body that Standard Webhooks recommends, the same over all tries. */
export const buildEventBody = (event: Omit<EventMessage, 'messageId'>): string => {
  const { type, createdAt: timestamp, entityType, entityId, sequence, version, payload: data } = event
  return JSON.stringify({ type, timestamp, entity: { type: entityType, id: entityId }, sequence, version, data })
}

export function createPlatformEndpoint(
  config: Config,
  { timeoutMs = 15_000, resolve }: EndpointOptions = {},
): PlatformEndpoint {
  const { platformWebhookUrl: url, platformWebhookSecrets: secrets, webhookAllowPrivate: allowsPrivate } = config
  return {
    target: url ? { url, secrets } : null,
    send: (target, event, signal) =>
      postSigned({
        ...target,
        id: event.messageId,
        body: buildEventBody(event),
        personal: listFreeText(event.payload),
        timeoutMs,
        allowsPrivate,
        signal,
        resolve,
      }),
  }
}

/** What operators wrote may name people. */
const listFreeText = (payload: EventMessage['payload']) =>
  [payload?.reason, payload?.notes].filter((each): each is string => typeof each === 'string')
