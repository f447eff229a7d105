import { listKeys } from './states.ts'

/** Product 7.1. */
/** The texts of the badges. */
export const kycStatusLabels = {
  pending: 'Pending',
  submitted: 'Submitted',
  under_review: 'Under Review',
  approved: 'Verified',
  rejected: 'Rejected',
}
export const kycStatuses = listKeys(kycStatusLabels)
export type KycStatus = (typeof kycStatuses)[number]

/** The KYC status of a member. A member who never began has none. */
export const kycWords = (status: KycStatus | null): string => (status ? kycStatusLabels[status] : 'Not started')

/** Members that wait for an operator's decision (product 5.2). */
export const awaitingReview = ['submitted', 'under_review'] as const satisfies KycStatus[]

/** Members who submitted and are neither approved nor rejected: "pending" in the approval rates. */
export const undecided = ['submitted', 'under_review', 'pending'] as const satisfies KycStatus[]

export const kycSteps = ['Profile Setup', 'Personal Info', 'Document Upload', 'Selfie Verification'] as const

/** The statuses of an attempt's steps, and of the attempt. */
export const stepStatuses = ['draft', 'submitted', 'approved', 'rejected', 'reset'] as const

/** Results of the submission history: `pending` after a reset. */
export const submissionResults = ['under_review', 'approved', 'rejected', 'pending'] as const

/** `reset`: the attempt was reset before anyone decided it, so it cannot be reviewed any more. */
export const verificationStatuses = ['pending', 'approved', 'rejected', 'reset'] as const

/** The possible results of the KYC provider (product 11.2). */
export const providerResults = ['approved', 'rejected', 'under_review'] as const

export const documentKinds = ['front', 'back', 'selfie'] as const
export type DocumentKind = (typeof documentKinds)[number]
