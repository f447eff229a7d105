import { kycReviewRoutes } from '#contract/kyc-reviews.ts'
import { buildQuery } from '#web/api.ts'

/** How many cases wait for a decision: its total. The live stream asks for it again. */
export const waitingCasesQuery = () =>
  buildQuery(kycReviewRoutes.verifications, { query: { status: 'pending', limit: 1 } })

/** The verifications of the member with this e-mail, and of any whose e-mail holds it. */
export const verificationsQuery = (email: string) =>
  buildQuery(kycReviewRoutes.verifications, { query: { search: email.slice(0, 200), limit: 1000 } })
