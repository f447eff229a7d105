import { kycStatusLabels, type stepStatuses, type submissionResults, type verificationStatuses } from '#contract/kyc.ts'

type Standing = (typeof stepStatuses | typeof submissionResults | typeof verificationStatuses)[number]

/** How the states read in filters, in the order in which the filters offer them. */
export const standings: Record<Standing, string> = {
  draft: 'Draft',
  submitted: 'Submitted',
  under_review: 'Under Review',
  pending: 'Pending',
  approved: kycStatusLabels.approved,
  rejected: 'Rejected',
  reset: 'Reset',
}

/** The status filter of a list with these states. */
export const filterOf = (values: readonly Standing[]) => values.map((value) => ({ value, label: standings[value] }))
