/** Product 7.1. */
export const kycStatuses = ['pending', 'submitted', 'under_review', 'approved', 'rejected'] as const
export type KycStatus = (typeof kycStatuses)[number]

/** The texts of the badges. */
export const kycStatusLabels: Record<KycStatus, string> = {
  approved: 'Verified',
  under_review: 'Under Review',
  pending: 'Pending',
  submitted: 'Submitted',
  rejected: 'Rejected',
}

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
