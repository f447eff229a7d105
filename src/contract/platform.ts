import * as z from 'zod/mini'
import { Address, Amount, Day, Instant, PlatformId, text } from './common.ts'
import { OrderStatus } from './orders.ts'
import { longestSymbol, TokenBody, tokenKinds } from './tokens.ts'
import { TransactionStatus, TransactionType } from './transactions.ts'

/** RFC 5321's longest address. */
const Email = z.string().check(
  z.maxLength(254, 'must have at most 254 characters'),
  // Cs: halves of a surrogate pair, which no database keeps.
  z.regex(/^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+\.[^\s@\p{Cc}\p{Cs}]+$/u, 'must be an e-mail address'),
)
const name = z.optional(text(100))

export const MemberBody = z.strictObject({
  email: Email,
  legalFirstName: name,
  legalLastName: name,
  legalPhone: z.optional(text(40)),
  createdAt: z.optional(Instant),
})

export const WalletBody = z.strictObject({ createdAt: z.optional(Instant) })

const step2 = z.strictObject({ dateOfBirth: Day, nationality: text(60, 1), countryOfResidence: text(60, 1) })
const documentKey = text(200, 1)
const step3 = z.strictObject({
  documentType: text(60, 1),
  frontDocumentPath: documentKey,
  backDocumentPath: z.optional(documentKey),
})
const step4 = z.strictObject({ selfiePath: documentKey })

/** Clocks may differ by minutes; a later submission would never be the latest one when the provider answers. */
const aheadMs = 5 * 60_000
const Past = Instant.check(z.refine((value) => Date.parse(value) <= Date.now() + aheadMs, 'must not be in the future'))

export const KycBody = z.strictObject({
  step2: z.optional(step2),
  step3: z.optional(step3),
  step4: z.optional(step4),
  submit: z.optional(z.boolean()),
  submittedAt: z.optional(Past),
})

/** What was decided on the platform that moves in; only an import may carry it. */
const ImportedDecision = z
  .strictObject({ result: z.enum(['approved', 'rejected']), reason: z.optional(text(1000, 1)), decidedAt: Instant })
  .check(
    z.refine((decision) => decision.result !== 'rejected' || Boolean(decision.reason), 'a rejection needs its reason'),
  )

const transaction = { amount: Amount, status: TransactionStatus, createdAt: Instant }
export const TransactionBody = z.strictObject({ type: TransactionType, ...transaction })
export const FractionBody = z.strictObject({
  projectName: text(200, 1),
  amount: Amount,
  tokenAddress: Address,
  receivedAt: Instant,
})

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** An order as the platform made it (PRODUCT section 4). Bank fields that a country does not have may be empty. */
export const OrderBody = z.strictObject({
  memberId: PlatformId,
  projectId: text(64, 1),
  projectName: text(200, 1),
  investmentAmount: z
    .string()
    .check(
      z.regex(
        /^(?=.*[1-9])\d{1,15}(\.\d{1,2})?$/,
        'must be a decimal string above 0, at most 15 digits before and 2 after the point',
      ),
    ),
  currency: z.string().check(z.refine((code) => currencies.has(code), 'must be a currency of ISO 4217 such as EUR')),
  expiresAt: Instant,
  bankName: text(200),
  accountHolder: text(200),
  accountNumber: text(64),
  iban: text(64),
  swift: text(64),
  paymentInstructions: text(2000),
  createdAt: z.optional(Instant),
})

/** What an order that moves in with its history has behind it. */
const orderHistory = {
  status: z.optional(OrderStatus),
  paidAt: z.optional(Instant),
  completedAt: z.optional(Instant),
  notes: z.optional(text(1000)),
}

export const maxAttempts = 1000
const attempt = z.int().check(z.minimum(1), z.maximum(maxAttempts))

/** One line of an import (PRODUCT section 4): the type, the ids of the matching call's path, and its body. */
export const importLines = {
  member: z.strictObject({ type: z.literal('member'), id: PlatformId, ...MemberBody.shape }),
  wallet: z.strictObject({ type: z.literal('wallet'), memberId: PlatformId, address: Address, ...WalletBody.shape }),
  kyc: z.strictObject({
    type: z.literal('kyc'),
    memberId: PlatformId,
    attempt,
    ...KycBody.shape,
    decision: z.optional(ImportedDecision),
  }),
  transaction: z.strictObject({
    type: z.literal('transaction'),
    id: PlatformId,
    memberId: PlatformId,
    kind: TransactionType,
    ...transaction,
  }),
  fraction: z.strictObject({
    type: z.literal('fraction'),
    id: PlatformId,
    memberId: PlatformId,
    ...FractionBody.shape,
  }),
  token: z.strictObject({
    type: z.literal('token'),
    kind: z.enum(tokenKinds, { error: `must be ${tokenKinds.join(' or ')}` }),
    contractAddress: Address,
    ...TokenBody.shape,
  }),
  order: z.strictObject({
    type: z.literal('order'),
    orderNumber: PlatformId,
    ...OrderBody.shape,
    ...orderHistory,
  }),
  chainTransaction: z.strictObject({
    type: z.literal('chainTransaction'),
    transactionHash: z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hexadecimal digits')),
    logIndex: z.int().check(z.minimum(0), z.maximum(2_147_483_647)),
    walletAddress: Address,
    transactionType: TransactionType,
    tokenAddress: Address,
    tokenSymbol: z.optional(text(longestSymbol, 1)),
    projectName: z.optional(text(200, 1)),
    amount: Amount,
    status: TransactionStatus,
    createdAt: Instant,
  }),
}
export type ImportLineType = keyof typeof importLines
export type ImportLine<T extends ImportLineType = ImportLineType> = { [K in T]: z.output<(typeof importLines)[K]> }[T]

export const ImportResult = z.object({
  accepted: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  /** Lines counted from 1; the first 1,000. */
  errors: z.array(z.object({ line: z.int(), message: z.string() })),
})
export type ImportResult = z.infer<typeof ImportResult>
