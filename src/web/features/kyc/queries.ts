import { pageSize } from '#contract/common.ts'
import { stepStatuses, submissionResults, verificationStatuses } from '#contract/kyc.ts'
import { kycReviewRoutes } from '#contract/kyc-reviews.ts'
import type { submittedSorts } from '#contract/sorts.ts'
import { buildQuery } from '#web/api.ts'

export interface ListState {
  search: string
  /** A value of the list's status filter, as it stands in the address bar; anything else is not a filter. */
  status: string
  sort: keyof typeof submittedSorts | undefined
  page: number
}

/** A page of a list, or only the exact total of a search that the list did not count to the end (product 4.5). */
type ListPart = 'page' | 'total'

const buildListQuery = (statuses: readonly string[], { search, status, sort, page }: ListState, wanted: ListPart) => ({
  search,
  status: statuses.find((known) => known === status),
  sort,
  ...(wanted === 'total' ? { page: 1, limit: 1, total: 'exact' as const } : { page, limit: pageSize }),
})

export const submissionsQuery = (
  { undecided, ...place }: ListState & { undecided: 'true' | undefined },
  wanted: ListPart,
) =>
  buildQuery(kycReviewRoutes.submissions, { query: { ...buildListQuery(submissionResults, place, wanted), undecided } })
export const verificationsQuery = (
  { anotherLook, waiting, ...place }: ListState & { anotherLook: 'true' | undefined; waiting: string | undefined },
  wanted: ListPart,
) => ({
  ...buildQuery(kycReviewRoutes.verifications, {
    query: { ...buildListQuery(verificationStatuses, place, wanted), anotherLook, waiting },
  }),
  // How long a case has waited changes with time, without an event.
  ...(waiting && { staleTime: 0 }),
})
/** Its total is the number of cases that were put aside for a colleague. */
export const anotherLooksQuery = () =>
  buildQuery(kycReviewRoutes.verifications, { query: { anotherLook: 'true', limit: 1 } })
export const step2Query = (place: ListState, wanted: ListPart) =>
  buildQuery(kycReviewRoutes.step2, { query: buildListQuery(stepStatuses, place, wanted) })
export const step3Query = (place: ListState, wanted: ListPart) =>
  buildQuery(kycReviewRoutes.step3, { query: buildListQuery(stepStatuses, place, wanted) })
export const step4Query = (place: ListState, wanted: ListPart) =>
  buildQuery(kycReviewRoutes.step4, { query: buildListQuery(stepStatuses, place, wanted) })

export const figuresQuery = () => buildQuery(kycReviewRoutes.figures)
