import { useMemo, useState } from 'react'
import { verificationStatuses } from '#contract/kyc.ts'
import type { ReviewAction } from '#contract/kyc-reviews.ts'
import type { Verification } from '#contract/schemas/kyc-reviews.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { usePrefetchedRules } from '#web/approvals/approval-need.ts'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { KycList } from './kyc-list.tsx'
import { verificationsQuery } from './queries.ts'
import { fromVerification } from './review-subject.ts'
import { verificationColumns } from './verification-columns.tsx'
import { listOptions } from './state-labels.ts'

const ReviewDialog = lazy(() => import('./review-dialog.tsx'))

const statuses = listOptions(verificationStatuses)

/** What attempts are judged on; pending ones can be reviewed, approved or rejected (product 5.9, 7.1). */
export function VerificationsTab() {
  // As it stood in the row that was pressed: a decision that comes in meanwhile is a conflict, not a surprise.
  const [deciding, setDeciding] = useState<{ action: ReviewAction; verification: Verification } | null>(null)
  const close = () => setDeciding(null)
  usePrefetch(true, ReviewDialog)
  usePrefetchedRules()
  const columns = useMemo(
    () => verificationColumns((action, verification) => setDeciding({ action, verification })),
    [],
  )
  return (
    <>
      <KycList
        label="Verifications"
        columns={columns}
        query={verificationsQuery}
        rowsOf={({ verifications }): Verification[] => verifications}
        statuses={statuses}
        exportName="verifications"
      />
      <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={close}>
        {deciding && (
          <ReviewDialog action={deciding.action} subject={fromVerification(deciding.verification)} onClose={close} />
        )}
      </LazyBoundary>
    </>
  )
}
