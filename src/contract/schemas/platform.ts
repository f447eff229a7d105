import * as z from 'zod/mini'
import { isCurrency } from '#contract/currencies.ts'
import { maxAttempts } from '#contract/platform.ts'
import { tokenKinds } from '#contract/token-kinds.ts'
import { longestSymbol } from '#contract/tokens.ts'
import { hidden } from '#contract/visible.ts'
import { Address, Amount, clearable, filled, Instant, Past, PastDay, PlatformId, text } from './common.ts'
import { ErrorCode } from './errors.ts'
import { OrderStatus } from './orders.ts'
import { TokenBody } from './tokens.ts'
import { TransactionStatus, TransactionType } from './transactions.ts'

const emailProblem = 'must be an e-mail address'

/** RFC 5321's longest address. */
const Email = z.string().check(
  z.maxLength(254, 'must have at most 254 characters'),
  z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, { error: emailProblem, abort: true }),
  // Characters that nobody sees would make twins of an address. Cs: halves of a surrogate pair, which no database
  // keeps. Not in the pattern: not every engine knows such classes.
  z.refine((email) => !hidden.test(email), emailProblem),
)
const name = clearable(100)

export const MemberBody = z.strictObject({
  email: Email,
  legalFirstName: name,
  legalLastName: name,
  legalPhone: clearable(40),
  createdAt: z.optional(Past),
})

export const WalletBody = z.strictObject({ createdAt: z.optional(Past) })

const step2 = z.strictObject({ dateOfBirth: PastDay, nationality: filled(60), countryOfResidence: filled(60) })
const documentKey = text(200, 1)
const step3 = z.strictObject({
  documentType: filled(60),
  frontDocumentPath: documentKey,
  backDocumentPath: z.optional(z.nullable(documentKey)),
})
const step4 = z.strictObject({ selfiePath: documentKey })

export const KycBody = z.strictObject({
  step2: z.optional(step2),
  step3: z.optional(step3),
  step4: z.optional(step4),
  submit: z.optional(z.boolean()),
  // A later one would never be the latest when the provider answers.
  submittedAt: z.optional(Past),
})

/** What was decided on the platform that moves in; only an import may carry it. */
const ImportedDecision = z
  .strictObject({ result: z.enum(['approved', 'rejected']), reason: z.optional(filled(1000)), decidedAt: Past })
  .check(
    z.refine((decision) => decision.result !== 'rejected' || Boolean(decision.reason), 'a rejection needs its reason'),
  )

const transaction = { amount: Amount, status: TransactionStatus, createdAt: Past }
export const TransactionBody = z.strictObject({ type: TransactionType, ...transaction })
export const FractionBody = z.strictObject({
  projectName: filled(200),
  amount: Amount,
  tokenAddress: Address,
  receivedAt: Past,
})

const orderAmountProblem = 'must be a decimal string above 0, at most 15 digits before and 3 after the point'

/** An order as the platform made it (product 10.2). Bank fields that a country does not have may be empty. */
export const OrderBody = z.strictObject({
  memberId: PlatformId,
  projectId: filled(64),
  projectName: filled(200),
  investmentAmount: z.string().check(
    z.regex(/^\d{1,15}(\.\d{1,3})?$/, { error: orderAmountProblem, abort: true }),
    z.refine((amount) => /[1-9]/.test(amount), orderAmountProblem),
  ),
  currency: z.string().check(z.refine(isCurrency, 'must be a currency of ISO 4217 such as EUR')),
  expiresAt: Instant,
  bankName: text(200),
  accountHolder: text(200),
  accountNumber: text(64),
  iban: text(64),
  swift: text(64),
  paymentInstructions: text(2000),
  createdAt: z.optional(Past),
})

/** What an order that moves in with its history has behind it. */
const orderHistory = {
  status: z.optional(OrderStatus),
  paidAt: z.optional(Past),
  completedAt: z.optional(Past),
  notes: z.optional(text(1000)),
}

const attempt = z.int().check(z.minimum(1), z.maximum(maxAttempts))

/** One line of an import (product 10.3): the type, the ids of the matching call's path, and its body. */
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
  order: z.strictObject({ type: z.literal('order'), orderNumber: PlatformId, ...OrderBody.shape, ...orderHistory }),
  chainTransaction: z.strictObject({
    type: z.literal('chainTransaction'),
    transactionHash: z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hexadecimal digits')),
    logIndex: z.int().check(z.minimum(0), z.maximum(2_147_483_647)),
    walletAddress: Address,
    transactionType: TransactionType,
    tokenAddress: Address,
    tokenSymbol: z.optional(text(longestSymbol, 1)),
    projectName: z.optional(filled(200)),
    amount: Amount,
    status: TransactionStatus,
    createdAt: Past,
  }),
}
export type ImportLineType = keyof typeof importLines
export type ImportLine<T extends ImportLineType = ImportLineType> = { [K in T]: z.output<(typeof importLines)[K]> }[T]

/** Why a line was refused: what the matching call would have answered. */
export const ImportRefusal = z.object({
  line: z.int(),
  // A batch that is continued may hold refusals that were stored before they had codes.
  code: z._default(ErrorCode, 'invalid'),
  message: z.string(),
})
export type ImportRefusal = z.infer<typeof ImportRefusal>

export const ImportResult = z.object({
  accepted: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  /** Lines counted from 1; the first 1,000. */
  errors: z.array(ImportRefusal),
})
export type ImportResult = z.infer<typeof ImportResult>
