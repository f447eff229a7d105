import { kycReviewRoutes } from '#contract/kyc-reviews.ts'
import { buildQuery } from '#web/api.ts'

/** Its total is the number of cases that wait for a decision. The live stream refetches it. */
export const waitingCasesQuery = () =>
  buildQuery(kycReviewRoutes.verifications, { query: { status: 'pending', limit: 1 } })

/** The verifications of all members whose e-mail contains this one. */
export const verificationsQuery = (email: string) =>
  buildQuery(kycReviewRoutes.verifications, { query: { search: email.slice(0, 200), limit: 1000 } })
