import type { Config } from '#server/core/config.ts'
import { postSigned, type TryOutcome } from './signed-post.ts'

/** An event in the form in which it is sent. */
export interface EventMessage {
  /** `webhook-id`: the same in all tries, also when an operator sends it again. */
  messageId: string
  type: string
  entityType: string
  entityId: string
  sequence: number | null
  version: number | null
  createdAt: string
  payload: Record<string, unknown> | null
}

/** The address of an endpoint, and one or two signing secrets. */
export interface EventTarget {
  url: string
  secrets: readonly string[]
}

/** Sends events to the investment platform. */
export interface PlatformEndpoint {
  /** The endpoint of the settings. Null while PLATFORM_WEBHOOK_URL is not set. */
  target: EventTarget | null
  /** Makes one try. A failure is an outcome. Throws only if `signal` aborts it. */
  send(target: EventTarget, event: EventMessage, signal: AbortSignal): Promise<TryOutcome>
}

/** For headers and body together. */
const timeoutMs = 15_000

/** The body in the form of Standard Webhooks, the same in all tries. */
export const buildEventBody = (event: Omit<EventMessage, 'messageId'>): string => {
  const { type, createdAt: timestamp, entityType, entityId, sequence, version, payload: data } = event
  return JSON.stringify({ type, timestamp, entity: { type: entityType, id: entityId }, sequence, version, data })
}

export function createPlatformEndpoint(config: Config): PlatformEndpoint {
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
      }),
  }
}

/** Texts of operators may name people. */
const listFreeText = (payload: EventMessage['payload']) =>
  [payload?.reason, payload?.notes].filter((each): each is string => typeof each === 'string')
