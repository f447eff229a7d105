import { kycReviewRoutes } from '#contract/kyc-reviews.ts'
import { queryOf } from '#web/api.ts'

/** How many cases wait for a decision: its total. The live stream asks for it again. */
export const waitingQuery = () => queryOf(kycReviewRoutes.verifications, { query: { status: 'pending', limit: 1 } })
