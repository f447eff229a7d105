import { pageSize } from '#contract/common.ts'
import { stepStatuses, submissionResults, verificationStatuses } from '#contract/kyc.ts'
import { kycReviewRoutes } from '#contract/kyc-reviews.ts'
import { queryOf } from '#web/api.ts'

export interface Place {
  search: string
  /** A value of the list's status filter, as it stands in the address bar; anything else is no filter. */
  status: string
  page: number
}

/** A page of a list, or only the exact total of a search that was answered before it was counted (product 4.5). */
type Wanted = 'page' | 'total'

const queryFor = (statuses: readonly string[], { search, status, page }: Place, wanted: Wanted) => ({
  search,
  status: statuses.find((known) => known === status),
  ...(wanted === 'total' ? { page: 1, limit: 1, total: 'exact' as const } : { page, limit: pageSize }),
})

export const submissionsQuery = ({ undecided, ...place }: Place & { undecided: 'true' | undefined }, wanted: Wanted) =>
  queryOf(kycReviewRoutes.submissions, { query: { ...queryFor(submissionResults, place, wanted), undecided } })
export const verificationsQuery = (place: Place, wanted: Wanted) =>
  queryOf(kycReviewRoutes.verifications, { query: queryFor(verificationStatuses, place, wanted) })
export const step2Query = (place: Place, wanted: Wanted) =>
  queryOf(kycReviewRoutes.step2, { query: queryFor(stepStatuses, place, wanted) })
export const step3Query = (place: Place, wanted: Wanted) =>
  queryOf(kycReviewRoutes.step3, { query: queryFor(stepStatuses, place, wanted) })
export const step4Query = (place: Place, wanted: Wanted) =>
  queryOf(kycReviewRoutes.step4, { query: queryFor(stepStatuses, place, wanted) })

export const figuresQuery = () => queryOf(kycReviewRoutes.figures)
