import type { KycAction } from './kyc-moves.ts'
import type { Routes } from './route.ts'
import type { kycReviewSchemas } from './schemas/kyc-reviews.ts'

export const reviewActions = ['approve', 'reject'] as const satisfies KycAction[]
export type ReviewAction = (typeof reviewActions)[number]

/** How long an operator holds a case without renewing the lease. */
export const leaseMinutes = 10

/** Reasons that an operator can insert with one click, as the member reads them. */
export const rejectionReasons = [
  'The document is not readable. Please upload a sharp photo without glare.',
  'The document has expired. Please upload a valid one.',
  'A side of the document is missing. Please upload front and back.',
  'The name on the document differs from the one given.',
  'The date of birth on the document differs from the one given.',
  'The selfie does not show the person on the document.',
  'This type of document is not accepted. Please use a passport, an identity card or a residence permit.',
] as const

export const kycReviewRoutes: Routes<typeof kycReviewSchemas> = {
  verifications: {
    method: 'GET',
    path: '/api/kyc/verifications',
    access: 'kyc.view',
    readsMembers: true,
  },
  submissions: {
    method: 'GET',
    path: '/api/kyc/submission-history',
    access: 'kyc.view',
    readsMembers: true,
  },
  step2: {
    method: 'GET',
    path: '/api/kyc/step2-history',
    access: 'kyc.view',
    readsMembers: true,
  },
  step3: {
    method: 'GET',
    path: '/api/kyc/step3-history',
    access: 'kyc.view',
    readsMembers: true,
  },
  step4: {
    method: 'GET',
    path: '/api/kyc/step4-history',
    access: 'kyc.view',
    readsMembers: true,
  },
  figures: {
    method: 'GET',
    path: '/api/kyc/analytics',
    access: 'kyc.view',
  },
  review: {
    method: 'POST',
    path: '/api/kyc/verifications/:id/review',
    access: 'kyc.decide',
    versioned: true,
    approvals: ['approve_kyc', 'reject_kyc'],
  },
  claimNext: {
    method: 'POST',
    path: '/api/kyc/cases/claim-next',
    access: 'kyc.decide',
    repeatable: true,
    readsMembers: true,
  },
  claim: {
    method: 'POST',
    path: '/api/kyc/cases/:id/claim',
    access: 'kyc.decide',
    repeatable: true,
    readsMembers: true,
  },
  release: {
    method: 'POST',
    path: '/api/kyc/cases/:id/release',
    access: 'kyc.decide',
    repeatable: true,
  },
}
