import { kycStatusLabels, stepStatuses, submissionResults, verificationStatuses } from './kyc.ts'
import type { KycAction } from './kyc-moves.ts'
import type { Routes } from './route.ts'
import type { kycReviewSchemas } from './schemas/kyc-reviews.ts'

export const reviewActions = ['approve', 'reject'] as const satisfies KycAction[]
export type ReviewAction = (typeof reviewActions)[number]

/** How long an operator holds a case without renewing the lease. */
export const leaseMinutes = 10

/** The length of the note to a colleague who is to look at a case. */
export const maxLookNote = 1000

/** How many hours a case has waited: `from` or more, and less than `to`. */
export interface Wait {
  from: number
  to: number | null
}

/** The waits that the dashboard counts: under 1 day, 1 to 2, 2 to 5, 5 or more. */
export const kycWaits: readonly Wait[] = [
  { from: 0, to: 24 },
  { from: 24, to: 48 },
  { from: 48, to: 120 },
  { from: 120, to: null },
]

/** A wait as the filter has it: `24-48`, `120-`. */
export const formatWait = ({ from, to }: Wait): string => `${from}-${to ?? ''}`
export function parseWait(text: string): Wait {
  const [from, to] = text.split('-')
  return { from: Number(from), to: to ? Number(to) : null }
}

export type ReviewState = (typeof stepStatuses | typeof submissionResults | typeof verificationStatuses)[number]

/** What the states of attempts and their steps are called. */
export const stateLabels: Record<ReviewState, string> = {
  draft: 'Draft',
  submitted: 'Submitted',
  under_review: 'Under Review',
  pending: 'Pending',
  approved: kycStatusLabels.approved,
  rejected: 'Rejected',
  reset: 'Reset',
}

export const kycReviewRoutes: Routes<typeof kycReviewSchemas> = {
  verifications: { method: 'GET', path: '/api/kyc/verifications', access: 'kyc.view', readsMembers: true },
  submissions: { method: 'GET', path: '/api/kyc/submission-history', access: 'kyc.view', readsMembers: true },
  step2: { method: 'GET', path: '/api/kyc/step2-history', access: 'kyc.view', readsMembers: true },
  step3: { method: 'GET', path: '/api/kyc/step3-history', access: 'kyc.view', readsMembers: true },
  step4: { method: 'GET', path: '/api/kyc/step4-history', access: 'kyc.view', readsMembers: true },
  figures: { method: 'GET', path: '/api/kyc/analytics', access: 'kyc.view' },
  review: {
    method: 'POST',
    path: '/api/kyc/verifications/:id/review',
    access: 'kyc.decide',
    versioned: true,
    stepUpKind: 'kyc',
    approvals: ['approve_kyc', 'reject_kyc'],
  },
  claimNext: {
    method: 'POST',
    path: '/api/kyc/cases/claim-next',
    access: 'kyc.decide',
    repeatable: true,
    readsMembers: true,
  },
  detail: { method: 'GET', path: '/api/kyc/cases/:id', access: 'kyc.view', readsMembers: true },
  claim: {
    method: 'POST',
    path: '/api/kyc/cases/:id/claim',
    access: 'kyc.decide',
    repeatable: true,
    readsMembers: true,
  },
  askAnotherLook: { method: 'POST', path: '/api/kyc/cases/:id/another-look', access: 'kyc.decide', repeatable: true },
  endAnotherLook: { method: 'DELETE', path: '/api/kyc/cases/:id/another-look', access: 'kyc.decide', repeatable: true },
  links: { method: 'GET', path: '/api/users/:id/links', access: 'kyc.view', readsMembers: true },
  release: { method: 'POST', path: '/api/kyc/cases/:id/release', access: 'kyc.decide', repeatable: true },
}
