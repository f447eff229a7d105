import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { messageList } from '#contract/lists.ts'
import { messageKinds, messageStates, mostChosen } from '#contract/messages.ts'
import { listQuery, pageOf, RowId, Timestamp } from './common.ts'

/** A message, out or in, with the last try to deliver it. */
export const Message = z.object({
  id: z.string(),
  kind: z.enum(messageKinds),
  direction: z.enum(['out', 'in']),
  /** Such as `member.banned`, `kyc.submitted`, `kyc.result`. */
  type: z.string(),
  /** Of an event: to which of the platform's endpoints, and its name. */
  endpointId: z.nullable(z.string()),
  endpoint: z.nullable(z.string()),
  /** Of an alert: to which operator. */
  operator: z.nullable(z.string()),
  entityType: z.string(),
  /** A member's id, an order's number, a token's kind and address (`earning/0x…`); null where none was named. */
  entityId: z.nullable(z.string()),
  attemptNumber: z.nullable(z.int()),
  /** `webhook-id`: the same over all tries. */
  messageId: z.nullable(z.string()),
  state: z.enum(messageStates),
  /** How the signature of what came in was judged; null for what we sign ourselves. */
  signature: z.nullable(z.enum(['valid', 'missing', 'invalid', 'stale', 'replayed'])),
  /** All tries ever made, by hand or not. */
  tries: z.int(),
  lastStatus: z.nullable(z.int()),
  lastLatencyMs: z.nullable(z.int()),
  /** Why the last try failed, or what was made of what came in. */
  lastNote: z.nullable(z.string()),
  lastTriedAt: z.nullable(Timestamp),
  nextTryAt: z.nullable(Timestamp),
  /** It waits for an earlier event of its entity. */
  isBlocked: z.boolean(),
  /** The endpoint has taken a later event of its entity: sent again, this one comes out of order. */
  isSuperseded: z.boolean(),
  /** It went out, or was to; nothing is under way now. */
  canResend: z.boolean(),
  createdAt: Timestamp,
})
export type Message = z.infer<typeof Message>

/** How one try to deliver a message went. */
export const tryOutcome = {
  /** Which try of the message this was, from 1. */
  tryNumber: z.int(),
  success: z.boolean(),
  errorMessage: z.nullable(z.string()),
  /** The receiver's HTTP status; null when none came. */
  httpStatus: z.nullable(z.int()),
  latencyMs: z.nullable(z.int()),
  /** The beginning of the receiver's answer, secrets and personal data taken out. */
  responseExcerpt: z.nullable(z.string()),
  /** An operator's name, or that the queue tried by itself. */
  startedBy: z.string(),
}
export const MessageTry = z.object({ id: z.string(), ...tryOutcome, createdAt: Timestamp })
export type MessageTry = z.infer<typeof MessageTry>

export const MessageDetail = z.object({
  ...Message.shape,
  /** What is or was sent, as JSON; of what came in an excerpt without personal data. */
  body: z.nullable(z.string()),
  /** Newest first, at most 50. */
  attempts: z.array(MessageTry),
})
export type MessageDetail = z.infer<typeof MessageDetail>

export const MessagesQuery = z.object(listQuery(messageList))
export type MessagesQuery = z.infer<typeof MessagesQuery>

/** More are a bulk job (product 5.18). */
export const Resend = z.strictObject({
  ids: z
    .array(RowId)
    .check(
      z.minLength(1, 'must name at least one delivery'),
      z.maxLength(mostChosen, `must name at most ${mostChosen} deliveries`),
    ),
})
export type Resend = z.infer<typeof Resend>

/** `queued`: goes out now, each under its own id. `skipped`: came in, or a try is under way. */
export const Resent = z.object({ queued: z.int(), skipped: z.int(), message: z.string() })
export type Resent = z.infer<typeof Resent>

/** The platform's endpoint for events, as settings and its answers leave it. */
export const EventEndpoint = z.object({
  /** The host alone: a path may hold a secret. Null: PLATFORM_WEBHOOK_URL is not set. */
  host: z.nullable(z.string()),
  /** Since when it takes no more (it answered 410), until resumed by command. */
  pausedAt: z.nullable(Timestamp),
  waiting: z.int(),
  /** Since when the oldest of them waits: a message that was sent again, since its first try of that sending. */
  oldestWaitingAt: z.nullable(Timestamp),
  /** Events that were given up and are kept until they are sent again. */
  failed: z.int(),
})
export type EventEndpoint = z.infer<typeof EventEndpoint>

export const messageSchemas = {
  list: { summary: 'Every message out and in, newest first', query: MessagesQuery, reply: pageOf('messages', Message) },
  endpoint: { summary: "Whether the platform's endpoint is set, paused, and what waits for it", reply: EventEndpoint },
  detail: { summary: 'One message with its tries', params: z.object({ id: z.string() }), reply: MessageDetail },
  resend: {
    summary: 'Send messages again, also those that were delivered',
    body: Resend,
    reply: Resent,
    refuses: ['nothing_to_resend', 'not_found'],
  },
} satisfies Record<string, RouteSchemas>
