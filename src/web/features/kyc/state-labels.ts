import { kycStatusLabels, type stepStatuses, type submissionResults, type verificationStatuses } from '#contract/kyc.ts'

type ReviewState = (typeof stepStatuses | typeof submissionResults | typeof verificationStatuses)[number]

/** The labels of the states, in the order of the filters. */
export const stateLabels: Record<ReviewState, string> = {
  draft: 'Draft',
  submitted: 'Submitted',
  under_review: 'Under Review',
  pending: 'Pending',
  approved: kycStatusLabels.approved,
  rejected: 'Rejected',
  reset: 'Reset',
}

/** The status filter's options for these states. */
export const listOptions = (values: readonly ReviewState[]) =>
  values.map((value) => ({ value, label: stateLabels[value] }))
