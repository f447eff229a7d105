import type { QueryClient } from '@tanstack/react-query'
import { canDecideKyc } from '#contract/kyc-moves.ts'
import { kycStatusLabels } from '#contract/kyc.ts'
import { kycReviewRoutes, type ReviewAction } from '#contract/kyc-reviews.ts'
import type { ListedSubmission, Verification } from '#contract/schemas/kyc-reviews.ts'
import { userRoutes } from '#contract/users.ts'
import { call, queryOf } from '#web/api.ts'
import { verificationsOf } from '#web/reviews/queries.ts'
import type { Member } from './cells.tsx'
import type { ProviderWord } from './provider-note.tsx'
import { standings } from './words.ts'

/** What the review dialog decides: a pending verification, or the member whose submission is under review. */
export interface Reviewed {
  kind: 'verification' | 'submission'
  id: string
  user: Member
  /** Of the verification, or of the member: whatever the decision is sent to. */
  version: number
  canDecide: boolean
  /** Where it stands, in words: "Rejected". */
  standing: string
  /** The operator who has it open in review mode. */
  claimedBy: string | null
  providerWord: ProviderWord | null
}

export const ofVerification = (verification: Verification): Reviewed => ({
  kind: 'verification',
  id: verification.id,
  user: verification.user,
  version: verification.version,
  canDecide: verification.status === 'pending',
  standing: standings[verification.status],
  claimedBy: verification.claimedBy,
  providerWord: verification,
})

export const ofSubmission = (submission: ListedSubmission): Reviewed => ({
  kind: 'submission',
  id: submission.id,
  user: submission.user,
  version: submission.userVersion,
  canDecide: submission.canApprove,
  standing: standings[submission.result],
  claimedBy: null,
  providerWord: submission.providerWord,
})

interface Decision {
  action: ReviewAction
  adminNotes: string | null
  rejectionReason?: string
}

/** A verification by its own call, a submission by its member's. */
export const sendDecision = ({ kind, id, user, version }: Reviewed, { action, ...body }: Decision) =>
  kind === 'verification'
    ? call(kycReviewRoutes.review, { params: { id }, body: { action, ...body }, ifMatch: version })
    : call(userRoutes.decideKyc, { params: { id: user.id, action }, body, ifMatch: version })

/** It as it is now, after a conflict. Throws when it is not there any more. */
export const fetchReviewed = (reviewed: Reviewed, client: QueryClient) =>
  reviewed.kind === 'verification' ? freshVerification(reviewed, client) : freshSubmission(reviewed, client)

async function freshVerification({ id, user }: Reviewed, client: QueryClient) {
  const { verifications } = await client.fetchQuery({ ...verificationsOf(user.email), staleTime: 0 })
  const found = verifications.find((verification) => verification.id === id)
  if (!found) throw new Error(`verification ${id} is gone`)
  return ofVerification(found)
}

/** Approvable as the list says: under review, the latest attempt, and the member not approved. */
async function freshSubmission(reviewed: Reviewed, client: QueryClient): Promise<Reviewed> {
  const detail = queryOf(userRoutes.detail, { params: { id: reviewed.user.id } })
  const { user, submissionHistory } = await client.fetchQuery({ ...detail, staleTime: 0 })
  const latest = submissionHistory.toSorted((a, b) => b.attemptNumber - a.attemptNumber)[0]
  const isOpen = latest?.id === reviewed.id && latest.result === 'under_review'
  const canDecide = isOpen && canDecideKyc(user.kycStatus)
  const standing = user.kycStatus ? kycStatusLabels[user.kycStatus] : reviewed.standing
  return { ...reviewed, user, version: user.version, canDecide, standing }
}
