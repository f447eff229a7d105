import { useMemo, useState } from 'react'
import { submissionResults } from '#contract/kyc.ts'
import type { ListedSubmission } from '#contract/schemas/kyc-reviews.ts'
import { useChoice } from '#web/table/choice-filter.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { usePrefetchedRules } from '#web/approvals/approval-need.ts'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { KycList } from './kyc-list.tsx'
import { submissionsQuery } from './queries.ts'
import { fromSubmission } from './review-subject.ts'
import { submissionColumns } from './submission-columns.tsx'
import { listOptions } from './state-labels.ts'

const ReviewDialog = lazy(() => import('./review-dialog.tsx'))

const statuses = listOptions(submissionResults)

/** Every submitted attempt; those under review can be approved (product 5.9, 7.1). */
export function SubmissionsTab() {
  // As it stood in the row that was pressed: a decision that comes in meanwhile is a conflict, not a surprise.
  const [approving, setApproving] = useState<ListedSubmission | null>(null)
  const close = () => setApproving(null)
  usePrefetch(true, ReviewDialog)
  usePrefetchedRules()
  const columns = useMemo(() => submissionColumns(setApproving), [])
  const undecided = useChoice('undecided', ['true'])
  return (
    <>
      <KycList
        label="KYC submissions"
        columns={columns}
        query={(place, wanted) => submissionsQuery({ ...place, undecided }, wanted)}
        filters={undecided && <FilterChip label="Neither approved nor rejected" parameter="undecided" />}
        exportFilter={{ undecided }}
        rowsOf={({ history }): ListedSubmission[] => history}
        statuses={statuses}
        exportName="submissions"
      />
      <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={close}>
        {approving && <ReviewDialog action="approve" subject={fromSubmission(approving)} onClose={close} />}
      </LazyBoundary>
    </>
  )
}
