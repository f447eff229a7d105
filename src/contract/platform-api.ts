import * as z from 'zod/mini'
import { Address, PlatformId, text, Timestamp } from './common.ts'
import { documentKinds, KycStatus, providerResults, submissionResults } from './kyc.ts'
import { OrderStatus } from './orders.ts'
import {
  FractionBody,
  ImportResult,
  KycBody,
  maxAttempts,
  MemberBody,
  OrderBody,
  TransactionBody,
  WalletBody,
} from './platform.ts'
import { route } from './route.ts'
import { TokenBody, tokenKinds } from './tokens.ts'

/** The calls of an investment platform (PRODUCT section 4). Every PUT is an idempotent upsert by the platform's own ids. */

/** Where the platform API begins. */
export const platformBase = '/api/platform/v1'
const access = 'platform'

const Member = z.object({ id: PlatformId })
const wholeNumber = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,3}$/, `must be a whole number from 1 to ${maxAttempts}`)),
  z.pipe(
    z.transform(Number),
    z.int().check(z.minimum(1), z.maximum(maxAttempts, `must be a whole number from 1 to ${maxAttempts}`)),
  ),
)
const OrderNumber = z.object({ orderNumber: PlatformId })

/** What a PUT did: the same call again answers `unchanged`. */
export const Saved = z.object({ outcome: z.enum(['created', 'updated', 'unchanged']) })
export type Saved = z.infer<typeof Saved>

/** What the platform needs to know back of a member. */
export const PlatformMember = z.object({
  id: z.string(),
  email: z.string(),
  legalFirstName: z.nullable(z.string()),
  legalLastName: z.nullable(z.string()),
  legalPhone: z.nullable(z.string()),
  membershipId: z.nullable(z.string()),
  banned: z.boolean(),
  bannedReason: z.nullable(z.string()),
  kyc: z.object({
    /** Null while KYC was never begun. */
    status: z.nullable(KycStatus),
    currentStep: z.int(),
    rejectionReason: z.nullable(z.string()),
    decidedAt: z.nullable(Timestamp),
    /** The attempt that a next `PUT …/kyc/{attempt}` may name; null while the member is approved. */
    nextAttempt: z.nullable(z.int()),
    attempts: z.array(
      z.object({ attempt: z.int(), result: z.enum(submissionResults), caseId: z.string(), submittedAt: Timestamp }),
    ),
  }),
  wallets: z.array(z.string()),
  createdAt: Timestamp,
})
export type PlatformMember = z.infer<typeof PlatformMember>

/** What the platform needs to know back of an order. */
export const PlatformOrder = z.object({
  orderNumber: z.string(),
  memberId: z.string(),
  projectId: z.string(),
  projectName: z.string(),
  investmentAmount: z.string(),
  currency: z.string(),
  status: OrderStatus,
  /** The payment notes, or why it was cancelled. */
  notes: z.nullable(z.string()),
  expiresAt: Timestamp,
  createdAt: Timestamp,
  paidAt: z.nullable(Timestamp),
  completedAt: z.nullable(Timestamp),
  statusChangedAt: z.nullable(Timestamp),
})
export type PlatformOrder = z.infer<typeof PlatformOrder>

/** The KYC provider's answer (PRODUCT section 4). */
export const KycResult = z
  .strictObject({
    caseId: text(64, 1),
    userId: PlatformId,
    attemptNumber: z.int().check(z.minimum(1), z.maximum(maxAttempts)),
    result: z.enum(providerResults),
    kycScore: z.optional(z.int().check(z.minimum(0), z.maximum(100))),
    reason: z.optional(text(1000, 1)),
    /** Whether the provider itself has decided the member. */
    autoProcessed: z.boolean(),
  })
  .check(
    z.refine(({ result, reason }) => result !== 'rejected' || Boolean(reason?.trim()), 'a rejection needs its reason'),
  )
export type KycResult = z.infer<typeof KycResult>

/** `applied`: it changed the case. `recorded`: the case was decided, nothing changed. `duplicate`: heard before. */
export const KycResultTaken = z.object({ outcome: z.enum(['applied', 'recorded', 'duplicate']), note: z.string() })

export const ImportQuery = z.object({
  /** Says what would be created, changed and refused, and stores nothing. */
  dryRun: z.optional(z.enum(['true', 'false'], { error: 'must be true or false' })),
  /** Sent again under the same id after a broken connection, a batch goes on behind the last line that is settled. */
  batch: z.optional(PlatformId),
})

export const platformRoutes = {
  saveMember: route({
    method: 'PUT',
    path: `${platformBase}/members/:id`,
    summary: 'Create or change a member',
    params: Member,
    body: MemberBody,
    reply: Saved,
    access,
  }),
  member: route({
    method: 'GET',
    path: `${platformBase}/members/:id`,
    summary: 'A member as the console sees it: KYC state, ban, membership id, wallets',
    params: Member,
    reply: PlatformMember,
    access,
  }),
  saveWallet: route({
    method: 'PUT',
    path: `${platformBase}/members/:id/wallets/:address`,
    summary: 'Add a wallet to a member; a wallet never changes its owner',
    params: z.object({ ...Member.shape, address: Address }),
    body: WalletBody,
    reply: Saved,
    access,
  }),
  saveDocument: route({
    method: 'PUT',
    path: `${platformBase}/members/:id/documents/:kind`,
    summary:
      'Upload an identity picture, raw; at most 10 MB and 40 megapixels. The path it answers goes into a KYC step',
    params: z.object({
      ...Member.shape,
      kind: z.enum(documentKinds, { error: `must be ${documentKinds.join(', ')}` }),
    }),
    consumes: ['image/jpeg', 'image/png', 'image/webp'],
    reply: z.object({ documentPath: z.string() }),
    access,
  }),
  saveKyc: route({
    method: 'PUT',
    path: `${platformBase}/members/:id/kyc/:attempt`,
    summary: 'Steps of a KYC attempt, in any order and in several calls; `submit` hands it in for review',
    params: z.object({ ...Member.shape, attempt: wholeNumber }),
    body: KycBody,
    reply: Saved,
    access,
  }),
  saveOrder: route({
    method: 'PUT',
    path: `${platformBase}/orders/:orderNumber`,
    summary: 'Create an order, or change one that still waits for payment',
    params: OrderNumber,
    body: OrderBody,
    reply: Saved,
    access,
  }),
  order: route({
    method: 'GET',
    path: `${platformBase}/orders/:orderNumber`,
    summary: 'An order and its state',
    params: OrderNumber,
    reply: PlatformOrder,
    access,
  }),
  completeOrder: route({
    method: 'POST',
    path: `${platformBase}/orders/:orderNumber/complete`,
    summary: 'A paid order is completed: its tokens are handed out',
    params: OrderNumber,
    body: z.optional(z.strictObject({})),
    reply: PlatformOrder,
    access,
  }),
  saveTransaction: route({
    method: 'PUT',
    path: `${platformBase}/members/:id/transactions/:transactionId`,
    summary: "A movement on the member's account with the platform",
    params: z.object({ ...Member.shape, transactionId: PlatformId }),
    body: TransactionBody,
    reply: Saved,
    access,
  }),
  saveFraction: route({
    method: 'PUT',
    path: `${platformBase}/members/:id/fractions/:fractionId`,
    summary: 'A fraction of a project that the member received',
    params: z.object({ ...Member.shape, fractionId: PlatformId }),
    body: FractionBody,
    reply: Saved,
    access,
  }),
  saveToken: route({
    method: 'PUT',
    path: `${platformBase}/tokens/:kind/:contractAddress`,
    summary: 'Register or change a token contract',
    params: z.object({
      kind: z.enum(tokenKinds, { error: `must be ${tokenKinds.join(' or ')}` }),
      contractAddress: Address,
    }),
    body: TokenBody,
    reply: Saved,
    access,
  }),
  import: route({
    method: 'POST',
    path: `${platformBase}/import`,
    summary: 'NDJSON, one object a line, streamed, gzip or not; refused lines never stop the others',
    query: ImportQuery,
    consumes: ['application/x-ndjson'],
    reply: ImportResult,
    access,
  }),
  kycResults: route({
    method: 'POST',
    path: `${platformBase}/kyc-results`,
    summary: "The KYC provider's answer, authenticated by its signature: Standard Webhooks, or Sumsub's digest headers",
    consumes: ['application/json'],
    reply: KycResultTaken,
    access: 'signed',
  }),
}
