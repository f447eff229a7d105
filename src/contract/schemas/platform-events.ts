import * as z from 'zod/mini'
import { orderStatuses } from '#contract/order-moves.ts'
import { refundCauses } from '#contract/bank-allocations.ts'
import { tokenKinds } from '#contract/token-kinds.ts'
import { Decimal, PlatformId, Timestamp } from './common.ts'

/**
 * The `data` of each event for the platform (product 10.4). Personal data is limited to the platform's own id
 * of a person, and what an operator wrote for the platform.
 */
const member = {
  memberId: PlatformId,
  /** Given at the first approval, for ever. */
  membershipId: z.nullable(z.string()),
}
const kyc = {
  ...member,
  /** The decided attempt. Null if none was ever submitted. */
  attemptNumber: z.nullable(z.int()),
}
const order = {
  orderNumber: PlatformId,
  memberId: PlatformId,
  /** When the status began. For an expired order its `expiresAt`. */
  at: Timestamp,
}
/** Money that was meant for an order and goes back. The last event of a `refundId` says how it stands. */
const refund = {
  ...order,
  /** The same in all events of a refund. */
  refundId: z.string(),
  /** All of the refund; `outstanding` is what of it has not gone out. */
  amount: Decimal,
  currency: z.string(),
}
const token = z.strictObject({
  /** The console's own id of the token. */
  tokenId: z.string(),
  kind: z.enum(tokenKinds),
  contractAddress: z.string(),
  tokenSymbol: z.string(),
  projectName: z.string(),
  projectLink: z.nullable(z.string()),
  logo: z.string(),
  decimals: z.int(),
  isActive: z.boolean(),
})

/** A transfer of a token to a member's wallet. Amounts are exact, by the decimals of the registry. */
const deposit = {
  memberId: PlatformId,
  walletAddress: z.string(),
  fromAddress: z.string(),
  kind: z.enum(tokenKinds),
  contractAddress: z.string(),
  tokenSymbol: z.string(),
  decimals: z.int(),
  amount: Decimal,
  /** In the token's smallest unit. */
  amountRaw: Decimal,
  chainId: z.int(),
  transactionHash: z.string(),
  logIndex: z.int(),
  blockNumber: z.int(),
  blockHash: z.string(),
  /** When the block was mined. */
  at: Timestamp,
}

const entityTypes = ['member', 'order', 'token', 'deposit', 'endpoint'] as const
type EntityType = (typeof entityTypes)[number]

interface EventDesign {
  /** The kind of entity that changed. */
  entity: EntityType
  /** In words, for the API description. */
  summary: string
  data: z.ZodMiniObject
}

export const platformEvents = {
  'member.banned': {
    entity: 'member',
    summary: 'An operator banned a member',
    data: z.strictObject({ ...member, reason: z.string() }),
  },
  'member.unbanned': {
    entity: 'member',
    summary: 'An operator lifted the ban of a member',
    data: z.strictObject(member),
  },
  'member.erased': {
    entity: 'member',
    summary: 'What was stored of a member is erased, for ever',
    data: z.strictObject(member),
  },
  'kyc.approved': {
    entity: 'member',
    summary: "A member's KYC is approved; the membership id is assigned",
    data: z.strictObject({ ...kyc, kycStatus: z.literal('approved') }),
  },
  'kyc.rejected': {
    entity: 'member',
    summary: "A member's KYC is rejected, for a reason",
    /** `final`: no further attempt is taken until an operator resets. */
    data: z.strictObject({ ...kyc, kycStatus: z.literal('rejected'), reason: z.string(), final: z.boolean() }),
  },
  /** Nothing was decided. */
  'kyc.reset': {
    entity: 'member',
    summary: "A member's KYC is reset: the member is to submit again",
    data: z.strictObject({ ...kyc, kycStatus: z.literal('pending') }),
  },
  'order.paid': {
    entity: 'order',
    summary: 'An operator marked an order paid: the platform hands out the tokens and completes the order',
    /** `notes`: the operator's words on the payment. `payment`: the bank's money that paid it; absent if by hand. */
    data: z.strictObject({
      ...order,
      status: z.literal('paid'),
      notes: z.optional(z.string()),
      payment: z.optional(
        z.strictObject({
          via: z.literal('bank'),
          amount: Decimal,
          currency: z.string(),
          /** The day of the last booking. */
          bookedOn: z.string(),
          /** How many allocations of bank lines together. */
          allocations: z.int(),
          /** The order had expired. */
          late: z.boolean(),
        }),
      ),
    }),
  },
  'order.payment_received': {
    entity: 'order',
    summary:
      'Part of an order was paid: it waits for the rest, nothing is to be handed out. Or money that the bank had taken back of a completed order came again',
    data: z.strictObject({
      ...order,
      received: Decimal,
      outstanding: Decimal,
      currency: z.string(),
      bookedOn: z.string(),
    }),
  },
  'order.payment_reversed': {
    entity: 'order',
    summary:
      'A payment of an order was undone or taken back: what `order.paid` or `order.payment_received` said no longer holds. A completed order stays completed, and is owed `outstanding`',
    data: z.strictObject({
      ...order,
      status: z.enum(orderStatuses),
      received: Decimal,
      outstanding: Decimal,
      currency: z.string(),
      reason: z.string(),
    }),
  },
  'order.refund_due': {
    entity: 'order',
    summary: 'Money that was meant for an order is to be paid back, or again because a transfer was taken back',
    data: z.strictObject({ ...refund, outstanding: Decimal, cause: z.enum(refundCauses) }),
  },
  'order.refund_paid': {
    entity: 'order',
    summary: 'A refund of an order has gone out, or part of it',
    /** `bookedOn`: the day of the last transfer. */
    data: z.strictObject({ ...refund, outstanding: Decimal, bookedOn: z.string() }),
  },
  'order.refund_withdrawn': {
    entity: 'order',
    summary: 'A refund of an order was undone: nothing of it is to be paid back',
    data: z.strictObject({ ...refund, reason: z.string() }),
  },
  'order.cancelled': {
    entity: 'order',
    summary: 'An operator cancelled an order, for a reason',
    /** `notes`: why. */
    data: z.strictObject({ ...order, status: z.literal('cancelled'), notes: z.string() }),
  },
  'order.expired': {
    entity: 'order',
    summary: 'An order was not paid in time',
    data: z.strictObject({ ...order, status: z.literal('expired') }),
  },
  'token.created': { entity: 'token', summary: 'An operator added a token', data: token },
  'token.updated': { entity: 'token', summary: 'An operator switched a token on or off', data: token },
  'deposit.confirmed': {
    entity: 'deposit',
    summary: "A transfer to a member's wallet is final on the chain",
    data: z.strictObject(deposit),
  },
  'deposit.dropped': {
    entity: 'deposit',
    summary: "A transfer to a member's wallet failed, or is no longer on the chain",
    /** `wasConfirmed`: `deposit.confirmed` said that it was final, which no longer holds. */
    data: z.strictObject({ ...deposit, wasConfirmed: z.boolean() }),
  },
  'endpoint.test': {
    entity: 'endpoint',
    summary: 'A test of an endpoint, asked for by an operator or the platform: nothing was changed',
    /** The endpoint's name. */
    data: z.strictObject({ endpoint: z.string() }),
  },
} as const satisfies Record<string, EventDesign>
export type PlatformEventType = keyof typeof platformEvents

/** The `data` of a type of event. */
export type EventData<T extends PlatformEventType> = z.input<(typeof platformEvents)[T]['data']>

/** For several types, what fits each of them. */
type DataOfEach<T extends PlatformEventType> = (
  T extends PlatformEventType ? (data: EventData<T>) => void : never
) extends (data: infer Data) => void
  ? Data
  : never

const isChecked = Symbol('checked by platformEvent')

/** An event of a change. Only `platformEvent` creates it. */
export interface PlatformEvent {
  type: PlatformEventType
  entity: { type: EntityType; id: string }
  version: number
  data: object
  readonly [isChecked]: true
}

interface NewEvent<Data> {
  /** The id of the entity that the event belongs to. */
  id: string
  /** The entity's version after the change. */
  version: number
  data: Data
}

/**
 * Creates an event with exactly the data of its type. TypeScript accepts further fields from a spread, and so a column
 * that the platform must not get, so here they have to be `never`.
 */
export const platformEvent = <T extends PlatformEventType, Data extends DataOfEach<T>>(
  type: T,
  { id, version, data }: NewEvent<Data & { [Extra in Exclude<keyof Data, keyof EventData<T>>]?: never }>,
): PlatformEvent => ({ type, entity: { type: platformEvents[type].entity, id }, version, data, [isChecked]: true })

/** The fields of every event besides its `data`. */
export const eventHead = {
  /** When the change was made. */
  timestamp: Timestamp,
  /** What was changed: a member's id, an order's number, a token's kind and address (`earning/0x…`), or a deposit's log (`0x…/3`). */
  entity: z.strictObject({ type: z.enum(entityTypes), id: z.string() }),
  /** The event's number within its entity: from 1 without gaps, the same when it is sent again. */
  sequence: z.int().check(z.minimum(1)),
  /** The entity's version once the change was made. */
  version: z.int().check(z.minimum(1)),
}

/** The body of an event's POST. */
export const eventMessage = <T extends PlatformEventType>(type: T) =>
  z.strictObject({
    type: z.literal(type),
    ...eventHead,
    entity: z.strictObject({ type: z.literal(platformEvents[type].entity), id: z.string() }),
    data: platformEvents[type].data,
  })
