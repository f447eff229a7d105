import { useMemo, useState } from 'react'
import { submissionResults } from '#contract/kyc.ts'
import type { ListedSubmission } from '#contract/kyc-reviews.ts'
import { lazy, Lazily } from '#web/ui/lazily.tsx'
import { KycList } from './kyc-list.tsx'
import { submissionsQuery } from './queries.ts'
import { ofSubmission } from './reviewed.ts'
import { submissionColumns } from './submission-columns.tsx'
import { filterOf } from './words.ts'

const ReviewDialog = lazy(() => import('./review-dialog.tsx'))

const statuses = filterOf(submissionResults)

/** Every submitted attempt; those under review can be approved (SPEC sections 2 and 4). */
export function SubmissionsTab() {
  // As it stood in the row that was pressed: a decision that comes in meanwhile is a conflict, not a surprise.
  const [approving, setApproving] = useState<ListedSubmission | null>(null)
  const close = () => setApproving(null)
  const columns = useMemo(() => submissionColumns(setApproving), [])
  return (
    <>
      <KycList
        label="KYC submissions"
        columns={columns}
        query={submissionsQuery}
        rowsOf={({ history }): ListedSubmission[] => history}
        statuses={statuses}
        exportName="submissions"
      />
      <Lazily fallback={null} onFailure={close}>
        {approving && <ReviewDialog action="approve" reviewed={ofSubmission(approving)} onClose={close} />}
      </Lazily>
    </>
  )
}
