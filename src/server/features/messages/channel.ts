import type { LiveList } from '#contract/live.ts'
import type { TryOutcome } from '#server/adapters/signed-post.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import type { ChannelName } from '#server/db/tables/messages.ts'

/** The data of a message's body. */
export interface MessageContent {
  type: string
  entityType: string
  entityId: string
  /** For events: the endpoint. */
  endpointId: string | null
  attemptNumber: number | null
  sequence: number | null
  version: number | null
  payload: Record<string, unknown> | null
  /** ISO 8601. */
  createdAt: string
}

/** A message that one try has leased. `messageId`, `tries` and `leaseUntil` distinguish it from other tries. */
export interface LeasedMessage extends MessageContent {
  id: string
  /** `webhook-id`. */
  messageId: string
  /** Includes this one. So does `retries` if `isRetry`. */
  tries: number
  retries: number
  isRetry: boolean
  leaseUntil: string
  channel: ChannelName
  mac: string | null
}

/** A finished try and its outcome. */
export interface FinishedTry {
  message: LeasedMessage
  outcome: TryOutcome
}

/** The state of a message after a try that counts. `isGone`: the endpoint is paused and the message waits. */
export interface CountedTry extends FinishedTry {
  state: 'delivered' | 'waiting' | 'failed'
  isGone: boolean
}

/** Makes one try. A failure is an outcome. Throws if `signal` aborts it, and if there is nothing to send. */
export type SendMessage = (message: LeasedMessage, signal: AbortSignal) => Promise<TryOutcome>

/** A destination that messages can be sent to now. */
export interface Destination {
  /** Null if the channel has no endpoints. */
  endpointId: string | null
  send: SendMessage
}

/** A kind of outgoing message: how it is sent, when it is retried, and what else a try changes. */
export interface Channel {
  name: ChannelName
  everySeconds: number
  /** Simultaneous posts of one server to one destination. */
  atOnce: number
  /** Seconds before each automatic retry. After the last one the message has failed. */
  pauses: readonly number[]
  /** The longest pause, in seconds, that an endpoint can request. */
  longestPause: number
  /** Whether an answer of 410 pauses the endpoint until it is resumed. Otherwise it ends the message's tries. */
  pausesWhenGone: boolean
  /** Whether a finished message that is sent again gets a new id. */
  renewsId: boolean
  /** SQL over a message: whether nobody waits for it any more, and the state that an open one then gets. */
  isClosed: (alias: string) => string
  closedState: 'failed' | 'dropped'
  /** The lists that show its messages. */
  lists: readonly LiveList[]
  connect: (ctx: Ctx) => Promise<Destination[]>
  /** The body for the log as JSON, without personal data. Null if it no longer exists. */
  showBody: (ctx: Ctx, message: MessageContent) => Promise<string | null>
  /** Locks what the tries change besides their messages, and may write it. The messages are locked afterwards. */
  lock?: (tx: Tx, ended: readonly FinishedTry[]) => Promise<void>
  /** Writes what the tries change besides their messages. `ended` are all tries, `counted` those that still held the lease. */
  settle?: (tx: Tx, ctx: Ctx, ended: readonly FinishedTry[], counted: readonly CountedTry[]) => Promise<void>
}
