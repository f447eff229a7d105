import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { kycStepList, submissionList, verificationList } from '#contract/lists.ts'
import { maxLookNote, reviewActions } from '#contract/kyc-reviews.ts'
import { documentKinds, providerResults, verificationStatuses } from '#contract/kyc.ts'
import { linkFacts } from '#contract/kyc-links.ts'
import { maxAdminNotes, maxReason } from '#contract/members.ts'
import { filled, listQuery, pageOf, PlatformId, RowId, text, Timestamp } from './common.ts'
import { KycStatus, MemberRef, SentParts, Step2, Step3, Step4, Submission } from './kyc.ts'
import { Member } from './members.ts'

const DocumentKind = z.enum(documentKinds)

/** Another member, and their outcome. */
const LinkedMember = z.object({
  member: MemberRef,
  kycStatus: z.nullable(KycStatus),
  /** The last decision on their KYC; its reason where they are rejected. */
  decidedAt: z.nullable(Timestamp),
  rejectionReason: z.nullable(z.string()),
  bannedAt: z.nullable(Timestamp),
  /** Which pictures are the same; `isSame` where they are one file, else they look the same. Null for any other fact. */
  picture: z.nullable(z.object({ own: DocumentKind, other: DocumentKind, isSame: z.boolean() })),
})
export type LinkedMember = z.infer<typeof LinkedMember>

/** One fact, with the members whom it holds of: who was banned or rejected first. `total` counts up to 100 of them. */
export const MemberLink = z.object({ fact: z.enum(linkFacts), members: z.array(LinkedMember), total: z.int() })
export type MemberLink = z.infer<typeof MemberLink>

const providerResultFields = {
  /** 0 to 100; null reads "Not scored". */
  kycScore: z.nullable(z.int()),
  /** What the KYC provider said last of this attempt, no matter who decides; null while it has said nothing. */
  providerResult: z.nullable(z.enum(providerResults)),
  providerReason: z.nullable(z.string()),
  providerResultAt: z.nullable(Timestamp),
}

/** What a submitted attempt is judged on. */
export const Verification = z.object({
  id: z.string(),
  userId: z.string(),
  user: MemberRef,
  attemptNumber: z.int(),
  status: z.enum(verificationStatuses),
  ...providerResultFields,
  documentType: z.nullable(z.string()),
  nationality: z.nullable(z.string()),
  submittedAt: Timestamp,
  rejectionReason: z.nullable(z.string()),
  adminNotes: z.nullable(z.string()),
  decidedBy: z.nullable(z.string()),
  decidedAt: z.nullable(Timestamp),
  /** The operator who has the case open in review mode, while their lease lasts. */
  claimedBy: z.nullable(z.string()),
  /** Who has put the waiting case aside for a colleague, when and why. */
  anotherLook: z.nullable(z.object({ by: z.string(), at: Timestamp, note: z.string() })),
  /** What was sent of the waiting attempt; null once it is decided. */
  sent: z.nullable(SentParts),
  version: z.int(),
})
export type Verification = z.infer<typeof Verification>

/** A row of the submissions list. `canApprove`: under review, the latest attempt of a member who is not approved. */
export const ListedSubmission = z.object({
  ...Submission.shape,
  canApprove: z.boolean(),
  /** The member's version, for `If-Match` of a decision on the member. */
  userVersion: z.int(),
  /** The attempt's verification while it waits for a decision. */
  verificationId: z.nullable(z.string()),
  /** What was sent of the attempt while it is under review. */
  sent: z.nullable(SentParts),
  providerOpinion: z.nullable(z.object(providerResultFields)),
})
export type ListedSubmission = z.infer<typeof ListedSubmission>

export const ListedStep2 = z.object({ ...Step2.shape, userId: z.string() })
export type ListedStep2 = z.infer<typeof ListedStep2>
export const ListedStep3 = z.object({ ...Step3.shape, userId: z.string(), user: MemberRef })
export type ListedStep3 = z.infer<typeof ListedStep3>
export const ListedStep4 = z.object({ ...Step4.shape, userId: z.string(), user: MemberRef })
export type ListedStep4 = z.infer<typeof ListedStep4>

export const VerificationsQuery = z.object(listQuery(verificationList))
export type VerificationsQuery = z.infer<typeof VerificationsQuery>
export const SubmissionsQuery = z.object(listQuery(submissionList))
export type SubmissionsQuery = z.infer<typeof SubmissionsQuery>
export const StepsQuery = z.object(listQuery(kycStepList))
export type StepsQuery = z.infer<typeof StepsQuery>

/** The four cards (product 5.2). `manual` and `auto` are decided submissions by who processed them. */
export const KycFigures = z.object({
  totalSubmissions: z.int(),
  underReview: z.int(),
  approved: z.int(),
  manual: z.int(),
  auto: z.int(),
})
export type KycFigures = z.infer<typeof KycFigures>

/** `rejectionReason` is required for reject, else ignored; its absence is refused in the words of product 9.5. */
export const ReviewBody = z.strictObject({
  action: z.enum(reviewActions, { error: 'must be approve or reject' }),
  adminNotes: z.optional(z.nullable(text(maxAdminNotes))),
  rejectionReason: z.optional(z.nullable(text(maxReason))),
})
export type ReviewBody = z.infer<typeof ReviewBody>

const EarlierAttempt = z.object({
  attemptNumber: z.int(),
  submittedAt: Timestamp,
  status: z.enum(verificationStatuses),
  rejectionReason: z.nullable(z.string()),
  adminNotes: z.nullable(z.string()),
  decidedBy: z.nullable(z.string()),
  decidedAt: z.nullable(Timestamp),
})

/** Everything an operator decides one waiting case on. */
export const ReviewCase = z.object({
  verification: Verification,
  user: Member,
  /** Names of another script in Latin letters, as the document may have them; null for a name that is in them. */
  latinName: z.object({ first: z.nullable(z.string()), last: z.nullable(z.string()) }),
  step2: z.nullable(Step2),
  step3: z.nullable(Step3),
  step4: z.nullable(Step4),
  /** Newest first. */
  earlierAttempts: z.array(EarlierAttempt),
  /** Until when it belongs to the operator who has it open. Null where nobody has. */
  claimedUntil: z.nullable(Timestamp),
})
export type ReviewCase = z.infer<typeof ReviewCase>

/** How many cases wait, and the place of the opened one among them from 1, the oldest first. */
const queue = { waiting: z.int(), position: z.nullable(z.int()) }
const OpenedCase = z.object({ case: ReviewCase, ...queue })
/** `case` is null when nothing waits that nobody else holds, and that the operator has not put aside. */
const NextCase = z.object({ case: z.nullable(ReviewCase), ...queue })

const Id = z.object({ id: z.string() })
const LookedAt = z.object({ message: z.string(), verification: Verification })

export const kycReviewSchemas = {
  verifications: {
    summary: 'Verifications, newest first',
    query: VerificationsQuery,
    reply: pageOf('verifications', Verification),
  },
  submissions: {
    summary: 'Submitted attempts of all members, newest first',
    query: SubmissionsQuery,
    reply: pageOf('history', ListedSubmission),
  },
  step2: {
    summary: 'Personal data given at step 2, newest first',
    query: StepsQuery,
    reply: pageOf('history', ListedStep2),
  },
  step3: {
    summary: 'Identity documents uploaded at step 3, newest first',
    query: StepsQuery,
    reply: pageOf('history', ListedStep3),
  },
  step4: {
    summary: 'Selfies uploaded at step 4, newest first',
    query: StepsQuery,
    reply: pageOf('history', ListedStep4),
  },
  figures: { summary: 'Counts of submissions by result and processing', reply: KycFigures },
  review: {
    summary: 'Approve or reject a pending verification',
    params: Id,
    body: ReviewBody,
    reply: z.object({ message: z.string(), verification: Verification, user: Member }),
    refuses: ['attempt_decided', 'attempt_superseded', 'member_approved'],
  },
  claimNext: {
    summary: 'Take the oldest waiting case that no other operator holds; releases the one held before',
    // `after`: the verification that is passed over; the next older-first one is taken, then from the oldest again.
    // `before`: the nearest one before this verification is taken, which wins over `after`.
    body: z.optional(z.strictObject({ after: z.optional(RowId), before: z.optional(RowId) })),
    reply: NextCase,
  },
  detail: {
    summary: 'Look at one waiting case without taking it',
    params: Id,
    reply: OpenedCase,
    refuses: ['attempt_decided', 'attempt_superseded'],
  },
  claim: {
    summary: 'Take one waiting case, or prolong the lease on it',
    params: Id,
    reply: OpenedCase,
    refuses: ['attempt_decided', 'attempt_superseded', 'case_claimed'],
  },
  askAnotherLook: {
    summary: 'Put a waiting case aside for a colleague, with a note, and let go of it',
    params: Id,
    body: z.strictObject({ note: filled(maxLookNote) }),
    reply: LookedAt,
    refuses: ['attempt_decided', 'attempt_superseded', 'case_claimed'],
  },
  endAnotherLook: {
    summary: 'Put a case that needs another look back into the queue',
    params: Id,
    reply: LookedAt,
    refuses: ['attempt_decided', 'attempt_superseded', 'case_claimed'],
  },
  links: {
    summary: 'What a member has in common with other members, as facts',
    params: z.object({ id: PlatformId }),
    reply: z.object({ links: z.array(MemberLink) }),
  },
  release: { summary: 'Let go of a case', params: Id },
} satisfies Record<string, RouteSchemas>
