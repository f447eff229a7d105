import type { LiveList } from '#contract/live.ts'
import type { TryOutcome } from '#server/adapters/signed-post.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import type { ChannelName } from '#server/db/tables/messages.ts'

/** What the body of a message is made of. */
export interface MessageContent {
  type: string
  entityType: string
  entityId: string
  /** Of events: where to. */
  endpointId: string | null
  attemptNumber: number | null
  sequence: number | null
  version: number | null
  payload: Record<string, unknown> | null
  /** ISO 8601. */
  createdAt: string
}

/** A message that one try holds; `messageId`, `tries` and `leaseUntil` tell it from any other try. */
export interface LeasedMessage extends MessageContent {
  id: string
  /** `webhook-id`. */
  messageId: string
  /** This one included; so are `retries` where it `isRetry`. */
  tries: number
  retries: number
  isRetry: boolean
  leaseUntil: string
}

/** How a try of a message ended. */
export interface FinishedTry {
  message: LeasedMessage
  outcome: TryOutcome
}

/** What a try that counts has made of its message. `isGone`: the endpoint takes no more, and the message waits. */
export interface CountedTry extends FinishedTry {
  state: 'delivered' | 'waiting' | 'failed'
  isGone: boolean
}

/** One try, whose failure is an outcome too. Throws when `signal` gave it up, and where there is nothing to send. */
export type SendMessage = (message: LeasedMessage, signal: AbortSignal) => Promise<TryOutcome>

/** Where messages can be sent to at present. */
export interface Destination {
  /** Null where the channel has no endpoints. */
  endpointId: string | null
  send: SendMessage
}

/** One kind of messages that go out: what is sent, when it is tried again, and what a try changes beside its message. */
export interface Channel {
  name: ChannelName
  everySeconds: number
  /** Posts under way at once, of one server to one destination. */
  atOnce: number
  /** Seconds before each automatic retry; after the last a message is given up. */
  pauses: readonly number[]
  /** Seconds: an endpoint that asks for a longer pause is asked again all the same. */
  longestPause: number
  /** Whether an endpoint that answers 410 takes no more until it is resumed, or the message's tries end. */
  pausesWhenGone: boolean
  /** Whether a message that is sent again after its end is a new one to the other side, with an id of its own. */
  renewsId: boolean
  /** SQL over a message: nobody waits for it any more, so that it is not tried again; what becomes of one that is open. */
  isClosed: (alias: string) => string
  closedState: 'failed' | 'dropped'
  /** What open consoles show of it. */
  lists: readonly LiveList[]
  connect: (ctx: Ctx) => Promise<Destination[]>
  /** The body for the log, as JSON without what says who somebody is; null where there is none any more. */
  showBody: (ctx: Ctx, message: MessageContent) => Promise<string | null>
  /** Locks what the tries change beside their messages, which are locked after it. */
  lock?: (tx: Tx, ended: readonly FinishedTry[]) => Promise<void>
  /** What the tries change beside their messages: `ended` all, `counted` those that their messages were still held by. */
  settle?: (tx: Tx, ctx: Ctx, ended: readonly FinishedTry[], counted: readonly CountedTry[]) => Promise<void>
}
