import { useMemo, useState } from 'react'
import { submissionResults } from '#contract/kyc.ts'
import type { ListedSubmission } from '#contract/schemas/kyc-reviews.ts'
import { useChoice } from '#web/table/choice-filter.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { lazy, Lazily } from '#web/ui/lazily.tsx'
import { useFetchAhead } from '#web/ui/use-fetch-ahead.ts'
import { TypedAhead } from '#web/ui/typed-ahead.tsx'
import { KycList } from './kyc-list.tsx'
import { submissionsQuery } from './queries.ts'
import { ofSubmission } from './reviewed.ts'
import { submissionColumns } from './submission-columns.tsx'
import { filterOf } from './words.ts'

const ReviewDialog = lazy(() => import('./review-dialog.tsx'))

const statuses = filterOf(submissionResults)

/** Every submitted attempt; those under review can be approved (product 5.9, 7.1). */
export function SubmissionsTab() {
  // As it stood in the row that was pressed: a decision that comes in meanwhile is a conflict, not a surprise.
  const [approving, setApproving] = useState<ListedSubmission | null>(null)
  const close = () => setApproving(null)
  useFetchAhead(true, ReviewDialog)
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
      <Lazily fallback={<TypedAhead />} onFailure={close}>
        {approving && <ReviewDialog action="approve" reviewed={ofSubmission(approving)} onClose={close} />}
      </Lazily>
    </>
  )
}
