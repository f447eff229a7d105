import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { memberList } from '#contract/lists.ts'
import { kycActions } from '#contract/kyc-moves.ts'
import { maxAdminNotes, maxReason } from '#contract/members.ts'
import { listQuery, pageOf, PlatformId, text, Timestamp } from './common.ts'
import { KycStatus, Step2, Step3, Step4, Submission } from './kyc.ts'
import { ChainTransaction, Fraction, PlatformTransaction } from './transactions.ts'
import { Wallet } from './wallets.ts'

export const Member = z.object({
  id: z.string(),
  email: z.string(),
  legalFirstName: z.nullable(z.string()),
  legalLastName: z.nullable(z.string()),
  legalPhone: z.nullable(z.string()),
  membershipId: z.nullable(z.string()),
  kycStatus: z.nullable(KycStatus),
  kycBanned: z.boolean(),
  bannedReason: z.nullable(z.string()),
  kycCompleted: z.boolean(),
  kycCurrentStep: z.int(),
  kycDocumentType: z.nullable(z.string()),
  kycSubmissionCount: z.int(),
  kycFrontDocumentUrl: z.nullable(z.string()),
  kycBackDocumentUrl: z.nullable(z.string()),
  kycSelfieUrl: z.nullable(z.string()),
  /** Null unless the member was erased. */
  erasedAt: z.nullable(Timestamp),
  createdAt: Timestamp,
  version: z.int(),
})
export type Member = z.infer<typeof Member>

/** The last decision on a member's KYC, and the verification it belongs to where there is one. */
const KycVerification = z.object({
  rejectionReason: z.nullable(z.string()),
  adminNotes: z.nullable(z.string()),
  attemptNumber: z.nullable(z.int()),
  decidedBy: z.nullable(z.string()),
  decidedAt: z.nullable(Timestamp),
})

/** Decimal string, in `unit`: a currency or a token's symbol. */
export const Sum = z.object({ unit: z.string(), amount: z.string() })

export const MemberDetail = z.object({
  user: Member,
  kycVerification: z.nullable(KycVerification),
  step2History: z.array(Step2),
  step3History: z.array(Step3),
  step4History: z.array(Step4),
  submissionHistory: z.array(Submission),
  userWallets: z.array(Wallet),
  userTransactions: z.array(PlatformTransaction),
  blockchainTransactions: z.array(ChainTransaction),
  userFractions: z.array(Fraction),
  /** All fractions by token, the largest first. A token that is not registered has its address as its unit. */
  holdings: z.array(Sum),
  banInfo: z.nullable(z.object({ reason: z.string(), bannedAt: Timestamp, bannedBy: z.string() })),
  /** The whole counts; the arrays hold the newest 100 at most. */
  totals: z.object({
    userWallets: z.int(),
    userTransactions: z.int(),
    blockchainTransactions: z.int(),
    userFractions: z.int(),
    orders: z.int(),
  }),
})
export type MemberDetail = z.infer<typeof MemberDetail>

export const MembersQuery = z.object(listQuery(memberList))
export type MembersQuery = z.infer<typeof MembersQuery>

const Changed = z.object({ message: z.string(), user: Member })
const Id = z.object({ id: PlatformId })

/** An absent or blank reason is refused in the words of product 9.5, so the schema lets it through. */
const BanBody = z.strictObject({ reason: z.optional(z.nullable(text(maxReason))) })

/** `rejectionReason` is required for reject and ignored otherwise. */
export const KycDecision = z.strictObject({
  adminNotes: z.optional(z.nullable(text(maxAdminNotes))),
  rejectionReason: z.optional(z.nullable(text(maxReason))),
})
export type KycDecision = z.infer<typeof KycDecision>

export const memberSchemas = {
  list: { summary: 'Members, newest first', query: MembersQuery, reply: pageOf('users', Member) },
  detail: { summary: 'A member whole', params: Id, reply: MemberDetail },
  ban: {
    summary: 'Ban a member',
    params: Id,
    body: z.optional(BanBody),
    reply: Changed,
    refuses: ['already_banned', 'member_erased'],
  },
  unban: { summary: 'Lift a ban', params: Id, reply: Changed, refuses: ['not_banned', 'member_erased'] },
  decideKyc: {
    summary: "Approve, reject or reset a member's KYC",
    params: z.object({ id: PlatformId, action: z.enum(kycActions) }),
    body: z.optional(KycDecision),
    reply: Changed,
    refuses: ['member_erased', 'member_approved'],
  },
} satisfies Record<string, RouteSchemas>
