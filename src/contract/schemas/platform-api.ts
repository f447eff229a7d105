import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { longestEndpointName } from '#contract/endpoints.ts'
import { documentKinds, providerResults, submissionResults } from '#contract/kyc.ts'
import { maxAttempts } from '#contract/platform.ts'
import { tokenKinds } from '#contract/token-kinds.ts'
import { trimText } from '#contract/visible.ts'
import { BankImportQuery } from './bank-queries.ts'
import { ImportedFile } from './bank.ts'
import { Address, filled, Instant, pageQuery, Past, PlatformId, text, Timestamp } from './common.ts'
import { KycStatus } from './kyc.ts'
import { orderFields } from './orders.ts'
import { eventHead } from './platform-events.ts'
import { FractionBody, ImportResult, KycBody, MemberBody, OrderBody, TransactionBody, WalletBody } from './platform.ts'
import { TokenBody } from './tokens.ts'

const MemberParams = z.object({ id: PlatformId })
const wholeNumber = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,3}$/, `must be a whole number from 1 to ${maxAttempts}`)),
  z.pipe(
    z.transform(Number),
    z.int().check(z.minimum(1), z.maximum(maxAttempts, `must be a whole number from 1 to ${maxAttempts}`)),
  ),
)
const OrderNumber = z.object({ orderNumber: PlatformId })

/** What a PUT did; a repetition answers `unchanged`. `version`: of a member, an order or a token, as it is now. */
export const PutReply = z.object({ outcome: z.enum(['created', 'updated', 'unchanged']), version: z.optional(z.int()) })
export type PutReply = z.infer<typeof PutReply>

const steps = {
  step2: z.nullable(z.object({ dateOfBirth: z.string(), nationality: z.string(), countryOfResidence: z.string() })),
  step3: z.nullable(
    z.object({ documentType: z.string(), frontDocumentPath: z.string(), backDocumentPath: z.nullable(z.string()) }),
  ),
  step4: z.nullable(z.object({ selfiePath: z.string() })),
}

/** What the platform needs to know back of a member: what it sent, and what was decided here. */
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
    /** Rejected for good: no further attempt is taken until an operator resets. */
    final: z.boolean(),
    decidedAt: z.nullable(Timestamp),
    /** The attempt that a next `PUT …/kyc/{attempt}` may name; null if the member is approved, or rejected for good. */
    nextAttempt: z.nullable(z.int()),
    /** Those that were submitted. */
    attempts: z.array(
      z.object({
        attempt: z.int(),
        result: z.enum(submissionResults),
        caseId: z.string(),
        submittedAt: Timestamp,
        ...steps,
      }),
    ),
    /** The steps of the attempt that was begun and not submitted yet. */
    draft: z.nullable(z.object({ attempt: z.int(), ...steps })),
  }),
  /** The first 100; the rest by `GET /members/{id}/wallets`. */
  wallets: z.array(z.string()),
  walletCount: z.int(),
  /** Null unless the member was erased: names and e-mail then stand for nobody. */
  erasedAt: z.nullable(Timestamp),
  createdAt: Timestamp,
  version: z.int(),
})
export type PlatformMember = z.infer<typeof PlatformMember>

/** What the platform needs to know back of an order. */
export const PlatformOrder = z.object({
  orderNumber: z.string(),
  memberId: z.string(),
  ...orderFields,
  /** The text of the QR code that pays what is outstanding (EPC069-12); null where there can be none. */
  epcPayload: z.nullable(z.string()),
  statusChangedAt: z.nullable(Timestamp),
  version: z.int(),
})
export type PlatformOrder = z.infer<typeof PlatformOrder>

/** An event as it was or will be sent, and how far that is. */
export const PlatformEventRecord = z.object({
  /** The `webhook-id` of every try. */
  id: z.string(),
  type: z.string(),
  ...eventHead,
  data: z.record(z.string(), z.unknown()),
  delivery: z.object({
    /**
     * Over all endpoints that it goes to. `waiting`: one has still to take it. `failed`: given up after the last try.
     * `unaddressed`: no endpoint was on and wanted it.
     */
    state: z.enum(['waiting', 'delivered', 'failed', 'unaddressed']),
    /** When the last endpoint took it; null until every one has. */
    deliveredAt: z.nullable(Timestamp),
  }),
})
export type PlatformEventRecord = z.infer<typeof PlatformEventRecord>

const TestEventsBody = z.strictObject({
  /** The name of one endpoint; absent: each that events go to. */
  endpoint: z.optional(filled(longestEndpointName)),
})
/** `id`: the `webhook-id` of the test. */
const TestEvent = z.object({ id: z.string(), endpoint: z.string() })

/** The KYC provider's answer (product 11.2). */
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
    /** When the provider came to it: of two results the later one counts. */
    resultAt: z.optional(Past),
  })
  .check(
    z.refine(({ result, reason }) => result !== 'rejected' || trimText(reason) !== '', {
      error: 'a rejection needs its reason',
      path: ['reason'],
    }),
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

/** Where a list goes on: as an earlier answer gave it in `next`. */
const Cursor = z.optional(text(200))

/** All, or what was changed since an instant or behind a cursor; one of the two. */
export const ChangesQuery = z.object({ after: Cursor, updatedSince: z.optional(Instant), limit: pageQuery.limit })
export type ChangesQuery = z.infer<typeof ChangesQuery>

/** `next` is always there: behind the last page it finds what changes later. */
const changesOf = <Name extends string, Item extends z.ZodMiniType>(name: Name, item: Item) =>
  z.object({ ...({ [name]: z.array(item) } as Record<Name, z.ZodMiniArray<Item>>), next: z.string() })

export const platformSchemas = {
  saveMember: {
    summary: 'Create or change a member',
    params: MemberParams,
    body: MemberBody,
    reply: PutReply,
    refuses: ['email_taken', 'member_erased'],
  },
  member: {
    summary: 'A member as the console sees it: KYC state, ban, membership id, wallets',
    params: MemberParams,
    reply: PlatformMember,
  },
  eraseMember: {
    summary: 'Erase what is stored of a member, for ever',
    params: MemberParams,
    reply: z.object({ outcome: z.enum(['erased', 'unchanged']), erasedAt: Timestamp }),
    refuses: ['erasure_limit', 'legal_hold', 'money_open'],
  },
  members: {
    summary: 'All members, or those that changed since; complete while others write',
    query: ChangesQuery,
    reply: changesOf('members', PlatformMember),
  },
  memberWallets: {
    summary: "A member's wallets, the oldest first",
    params: MemberParams,
    query: z.object({ after: Cursor, limit: pageQuery.limit }),
    reply: z.object({
      wallets: z.array(z.object({ address: z.string(), createdAt: Timestamp })),
      next: z.nullable(z.string()),
    }),
  },
  saveWallet: {
    summary: 'Add a wallet to a member; a wallet never changes its owner',
    params: z.object({ ...MemberParams.shape, address: Address }),
    body: WalletBody,
    reply: PutReply,
    refuses: ['member_erased', 'wallet_taken'],
  },
  saveDocument: {
    summary:
      'Upload an identity picture, raw; at most 10 MB and 40 megapixels. The path it answers goes into a KYC step',
    params: z.object({
      ...MemberParams.shape,
      kind: z.enum(documentKinds, { error: `must be ${documentKinds.join(', ')}` }),
    }),
    reply: z.object({ documentPath: z.string() }),
    refuses: ['member_erased'],
  },
  saveKyc: {
    summary: 'Steps of a KYC attempt, in any order and in several calls; `submit` hands it in for review',
    params: z.object({ ...MemberParams.shape, attempt: wholeNumber }),
    body: KycBody,
    reply: PutReply,
    refuses: [
      'member_erased',
      'attempt_gap',
      'attempt_superseded',
      'attempt_submitted',
      'member_approved',
      'rejected_finally',
    ],
  },
  saveOrder: {
    summary: 'Create an order, or change one that still waits for payment',
    params: OrderNumber,
    body: OrderBody,
    reply: PutReply,
    refuses: ['member_erased', 'order_state', 'id_taken', 'member_banned', 'bank_money_applied'],
  },
  order: { summary: 'An order and its state', params: OrderNumber, reply: PlatformOrder },
  orders: {
    summary: 'All orders, or those that changed since; complete while others write',
    query: ChangesQuery,
    reply: changesOf('orders', PlatformOrder),
  },
  events: {
    summary: 'All events, or those written since, as they were or will be sent',
    query: ChangesQuery,
    reply: changesOf('events', PlatformEventRecord),
  },
  testEvents: {
    summary: 'Send a test event to your endpoints, or to one of them',
    body: z.optional(TestEventsBody),
    reply: z.object({ events: z.array(TestEvent) }),
    refuses: ['not_found', 'endpoint_state', 'idempotency_key_reused'],
  },
  completeOrder: {
    summary: 'A paid order is completed: its tokens are handed out',
    params: OrderNumber,
    body: z.optional(z.strictObject({})),
    reply: PlatformOrder,
    refuses: ['order_state', 'idempotency_key_reused'],
  },
  saveTransaction: {
    summary: "A movement on the member's account with the platform",
    params: z.object({ ...MemberParams.shape, transactionId: PlatformId }),
    body: TransactionBody,
    reply: PutReply,
    refuses: ['member_erased', 'id_taken', 'transaction_state'],
  },
  saveFraction: {
    summary: 'A fraction of a project that the member received',
    params: z.object({ ...MemberParams.shape, fractionId: PlatformId }),
    body: FractionBody,
    reply: PutReply,
    refuses: ['member_erased', 'id_taken'],
  },
  saveToken: {
    summary: 'Register or change a token contract',
    params: z.object({
      kind: z.enum(tokenKinds, { error: `must be ${tokenKinds.join(' or ')}` }),
      contractAddress: Address,
    }),
    body: TokenBody,
    reply: PutReply,
    refuses: ['token_switched'],
  },
  import: {
    summary: 'NDJSON, one object a line, streamed, gzip or not; refused lines never stop the others',
    query: ImportQuery,
    reply: ImportResult,
    refuses: ['import_under_way', 'batch_differs'],
  },
  bankStatements: {
    summary:
      'A statement file of a bank, raw, from the program that fetches it: camt.052, camt.053, camt.054, MT940, CSV, or a zip of them',
    query: BankImportQuery,
    reply: ImportedFile,
    refuses: ['csv_profile_needed', 'file_imported', 'idempotency_key_reused'],
  },
  kycResults: {
    summary: "The KYC provider's answer, authenticated by its signature",
    reply: KycResultTaken,
    refuses: ['not_found', 'message_replayed', 'case_mismatch'],
  },
} satisfies Record<string, RouteSchemas>
