import { kycReviewRoutes } from '#contract/kyc-reviews.ts'
import { buildQuery } from '#web/api.ts'

/** Its total is the number of cases that were put aside for a colleague. */
export const anotherLooksQuery = () =>
  buildQuery(kycReviewRoutes.verifications, { query: { anotherLook: 'true', limit: 1, total: 'exact' } })
export const figuresQuery = () => buildQuery(kycReviewRoutes.figures)
