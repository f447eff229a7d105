import * as z from 'zod/mini'
import { PlatformId, Timestamp } from './common.ts'
import { tokenKinds } from './tokens.ts'

/**
 * What the platform is told of (PRODUCT section 4, Event webhooks): the `data` of each event. None carries more of a person
 * than the platform's own id of them and what an operator wrote for it to know.
 */

const member = {
  memberId: PlatformId,
  /** Given at the first approval, for ever. */
  membershipId: z.nullable(z.string()),
}
const kyc = {
  ...member,
  /** The attempt that was decided; null where none was ever submitted. */
  attemptNumber: z.nullable(z.int()),
}
const order = {
  orderNumber: PlatformId,
  memberId: PlatformId,
  /** When it came to be so; of an expired order its `expiresAt`. */
  at: Timestamp,
}
const token = z.strictObject({
  /** The console's own id of it. */
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

export const platformEvents = {
  'member.banned': z.strictObject({ ...member, reason: z.string() }),
  'member.unbanned': z.strictObject(member),
  'kyc.approved': z.strictObject({ ...kyc, kycStatus: z.literal('approved') }),
  'kyc.rejected': z.strictObject({ ...kyc, kycStatus: z.literal('rejected'), reason: z.string() }),
  /** The member is to submit anew; nothing was decided. */
  'kyc.reset': z.strictObject({ ...kyc, kycStatus: z.literal('pending') }),
  /** `notes`: what the operator wrote of the payment. */
  'order.paid': z.strictObject({ ...order, status: z.literal('paid'), notes: z.optional(z.string()) }),
  /** `notes`: why. */
  'order.cancelled': z.strictObject({ ...order, status: z.literal('cancelled'), notes: z.string() }),
  'order.expired': z.strictObject({ ...order, status: z.literal('expired') }),
  'token.created': token,
  'token.updated': token,
}
export type PlatformEventType = keyof typeof platformEvents

/** In words, for the API description. */
export const platformEventSummaries: Record<PlatformEventType, string> = {
  'member.banned': 'An operator banned a member',
  'member.unbanned': 'An operator lifted the ban of a member',
  'kyc.approved': "A member's KYC is approved; the membership id is assigned",
  'kyc.rejected': "A member's KYC is rejected, for a reason",
  'kyc.reset': "A member's KYC is reset: the member is to submit anew",
  'order.paid': 'An operator marked an order paid: the platform hands out the tokens and completes the order',
  'order.cancelled': 'An operator cancelled an order, for a reason',
  'order.expired': 'An order was not paid in time',
  'token.created': 'An operator added a token',
  'token.updated': 'An operator switched a token on or off',
}

/** The body of an event's POST; `timestamp` is when the change was made. */
export const eventMessage = <T extends PlatformEventType>(type: T) =>
  z.strictObject({ type: z.literal(type), timestamp: Timestamp, data: platformEvents[type] })
