import type { stepStatuses, submissionResults, verificationStatuses } from '#contract/kyc.ts'

type Standing = (typeof stepStatuses | typeof submissionResults | typeof verificationStatuses)[number]

/** How the states read in filters, in the order in which the filters offer them. */
export const standings: Record<Standing, string> = {
  draft: 'Draft',
  submitted: 'Submitted',
  under_review: 'Under Review',
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
  reset: 'Reset',
}

/** The status filter of a list with these states. */
export const filterOf = (values: readonly Standing[]) => values.map((value) => ({ value, label: standings[value] }))

/** `national_id_card` → `National id card`; what is no machine word stays as the platform wrote it. */
export const asWords = (value: string): string =>
  /^[a-z]+([_-][a-z]+)*$/.test(value) ? value.charAt(0).toUpperCase() + value.slice(1).replaceAll(/[_-]/g, ' ') : value
