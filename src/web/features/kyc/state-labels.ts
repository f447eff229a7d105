import { kycStatusLabels, type stepStatuses, type submissionResults, type verificationStatuses } from '#contract/kyc.ts'

type ReviewState = (typeof stepStatuses | typeof submissionResults | typeof verificationStatuses)[number]

/** How the states read in filters, in the order in which the filters offer them. */
export const stateLabels: Record<ReviewState, string> = {
  draft: 'Draft',
  submitted: 'Submitted',
  under_review: 'Under Review',
  pending: 'Pending',
  approved: kycStatusLabels.approved,
  rejected: 'Rejected',
  reset: 'Reset',
}

/** The status filter of a list with these states. */
export const listOptions = (values: readonly ReviewState[]) =>
  values.map((value) => ({ value, label: stateLabels[value] }))
