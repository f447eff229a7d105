import type { ChannelName } from '#server/db/tables/messages.ts'
import { canonicalJson } from '#server/lib/json.ts'
import type { Services } from './context.ts'
import { computeMac, isSameMac, readSigningKeys, type SigningKey } from './signing-keys.ts'

/** What an outgoing message says. Its id is part of it for events alone, since others get another on a new start. */
export interface MessageFacts {
  channel: ChannelName
  endpointId: string | null
  messageId: string
  type: string
  entityType: string
  entityId: string
  attemptNumber: number | null
  sequence: number | null
  version: number | null
  payload: Record<string, unknown> | null
  /** ISO 8601. Of a case it is not sent. */
  createdAt: string | null
}

const macOf = (key: SigningKey, facts: MessageFacts) => {
  const { channel, endpointId, messageId, type, entityType, entityId, attemptNumber } = facts
  const { sequence, version, payload, createdAt } = facts
  const event = channel === 'platform' ? [messageId, createdAt, sequence, version, payload] : []
  const alert = channel === 'email' || channel === 'chat' ? [payload] : []
  return computeMac(key, 'message', [
    canonicalJson([channel, endpointId, type, entityType, entityId, attemptNumber, ...event, ...alert]),
  ])
}

type WithConfig = Pick<Services, 'config'>

/** The MAC of a message, with the id of its key. */
export function signMessage({ config }: WithConfig, facts: MessageFacts): string {
  const [key] = readSigningKeys(config)
  return `${key!.id}.${macOf(key!, facts).toString('base64url')}`
}

/** Whether the console wrote this message as it is. */
export function isSigned({ config }: WithConfig, message: MessageFacts & { mac: string | null }): boolean {
  const [id, mac] = message.mac?.split('.') ?? []
  const key = readSigningKeys(config).find((each) => each.id === id)
  return key !== undefined && isSameMac(macOf(key, message), Buffer.from(mac ?? '', 'base64url'))
}
