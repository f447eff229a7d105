import type { QueryClient } from '@tanstack/react-query'
import { canDecideKyc } from '#contract/kyc-moves.ts'
import type { SentParts } from '#contract/kyc-parts.ts'
import { kycStatusLabels } from '#contract/kyc.ts'
import type { MemberRef } from '#contract/schemas/kyc.ts'
import { kycReviewRoutes, type ReviewAction, stateLabels } from '#contract/kyc-reviews.ts'
import type { ListedSubmission, Verification } from '#contract/schemas/kyc-reviews.ts'
import { memberRoutes } from '#contract/members.ts'
import { call, buildQuery } from '#web/api.ts'
import { verificationsQuery } from '#web/reviews/queries.ts'
import type { ProviderOpinion } from './provider-note.tsx'

/** The subject of the review dialog: a pending verification, or a member's submission under review. */
export interface ReviewSubject {
  kind: 'verification' | 'submission'
  id: string
  member: MemberRef
  /** The version of the verification or member that the decision is sent to. */
  version: number
  canDecide: boolean
  /** The state in words: "Rejected". */
  statusText: string
  /** The operator who has it open in review mode. */
  claimedBy: string | null
  providerOpinion: ProviderOpinion | null
  /** Does not change once the attempt is submitted. Null for one that is decided. */
  sent: SentParts | null
}

export const fromVerification = (verification: Verification): ReviewSubject => ({
  kind: 'verification',
  id: verification.id,
  member: verification.user,
  version: verification.version,
  canDecide: verification.status === 'pending',
  statusText: stateLabels[verification.status],
  claimedBy: verification.claimedBy,
  providerOpinion: verification,
  sent: verification.sent,
})

export const fromSubmission = (submission: ListedSubmission): ReviewSubject => ({
  kind: 'submission',
  id: submission.id,
  member: submission.user,
  version: submission.userVersion,
  canDecide: submission.canApprove,
  statusText: stateLabels[submission.result],
  claimedBy: null,
  providerOpinion: submission.providerOpinion,
  sent: submission.sent,
})

interface Decision {
  action: ReviewAction
  adminNotes: string | null
  rejectionReason?: string
}

/** Decides a verification by its own call and a submission by its member's call. */
export const sendDecision = ({ kind, id, member, version }: ReviewSubject, { action, ...body }: Decision) =>
  kind === 'verification'
    ? call(kycReviewRoutes.review, { params: { id }, body: { action, ...body }, ifMatch: version })
    : call(memberRoutes.decideKyc, { params: { id: member.id, action }, body, ifMatch: version })

/** Fetches the present state after a conflict. Throws when the subject no longer exists. */
export const fetchSubject = (reviewed: ReviewSubject, client: QueryClient) =>
  reviewed.kind === 'verification' ? fetchVerification(reviewed, client) : fetchSubmission(reviewed, client)

async function fetchVerification({ id, member, sent }: ReviewSubject, client: QueryClient) {
  const { verifications } = await client.fetchQuery({ ...verificationsQuery(member.email), staleTime: 0 })
  const found = verifications.find((verification) => verification.id === id)
  if (!found) throw new Error(`verification ${id} is gone`)
  return { ...fromVerification(found), sent }
}

/** It can be decided as in the list: the latest attempt, under review, of a member who is not approved. */
async function fetchSubmission(reviewed: ReviewSubject, client: QueryClient): Promise<ReviewSubject> {
  const detail = buildQuery(memberRoutes.detail, { params: { id: reviewed.member.id } })
  const { user, submissionHistory } = await client.fetchQuery({ ...detail, staleTime: 0 })
  const latest = submissionHistory.toSorted((a, b) => b.attemptNumber - a.attemptNumber)[0]
  const isOpen = latest?.id === reviewed.id && latest.result === 'under_review'
  const canDecide = isOpen && canDecideKyc(user.kycStatus)
  const statusText = user.kycStatus ? kycStatusLabels[user.kycStatus] : reviewed.statusText
  return { ...reviewed, member: user, version: user.version, canDecide, statusText }
}
