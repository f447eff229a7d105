/** Product 7.1. */
export const kycStatuses = ['pending', 'submitted', 'under_review', 'approved', 'rejected'] as const
export type KycStatus = (typeof kycStatuses)[number]

/** How the badges read. */
export const kycStatusLabels: Record<KycStatus, string> = {
  approved: 'Verified',
  under_review: 'Under Review',
  pending: 'Pending',
  submitted: 'Submitted',
  rejected: 'Rejected',
}

/** Where a member's KYC stands; one who never began stands at no state. */
export const kycWords = (status: KycStatus | null): string => (status ? kycStatusLabels[status] : 'Not started')

/** Members that wait for an operator's decision (product 5.2). */
export const awaitingReview = ['submitted', 'under_review'] as const satisfies KycStatus[]

/** Of the members who ever submitted, those neither approved nor rejected: "pending" among the approval rates. */
export const undecided = ['submitted', 'under_review', 'pending'] as const satisfies KycStatus[]

export const kycSteps = ['Profile Setup', 'Personal Info', 'Document Upload', 'Selfie Verification'] as const

/** What a step of an attempt, and the attempt itself, can stand at. */
export const stepStatuses = ['draft', 'submitted', 'approved', 'rejected', 'reset'] as const

/** Results of the submission history: `pending` after a reset. */
export const submissionResults = ['under_review', 'approved', 'rejected', 'pending'] as const

/** `reset`: its attempt was reset before anyone judged it, so it can't be reviewed any more. */
export const verificationStatuses = ['pending', 'approved', 'rejected', 'reset'] as const

/** What the KYC provider can answer (product 11.2). */
export const providerResults = ['approved', 'rejected', 'under_review'] as const

export const documentKinds = ['front', 'back', 'selfie'] as const
export type DocumentKind = (typeof documentKinds)[number]
