import { useMemo, useState } from 'react'
import { verificationStatuses } from '#contract/kyc.ts'
import type { ReviewAction } from '#contract/kyc-reviews.ts'
import type { Verification } from '#contract/schemas/kyc-reviews.ts'
import { lazy, Lazily } from '#web/ui/lazily.tsx'
import { useFetchAhead } from '#web/ui/use-fetch-ahead.ts'
import { TypedAhead } from '#web/ui/typed-ahead.tsx'
import { KycList } from './kyc-list.tsx'
import { verificationsQuery } from './queries.ts'
import { ofVerification } from './reviewed.ts'
import { verificationColumns } from './verification-columns.tsx'
import { filterOf } from './words.ts'

const ReviewDialog = lazy(() => import('./review-dialog.tsx'))

const statuses = filterOf(verificationStatuses)

/** What attempts are judged on; pending ones can be reviewed, approved or rejected (product 5.9, 7.1). */
export function VerificationsTab() {
  // As it stood in the row that was pressed: a decision that comes in meanwhile is a conflict, not a surprise.
  const [deciding, setDeciding] = useState<{ action: ReviewAction; verification: Verification } | null>(null)
  const close = () => setDeciding(null)
  useFetchAhead(true, ReviewDialog)
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
      <Lazily fallback={<TypedAhead />} onFailure={close}>
        {deciding && (
          <ReviewDialog action={deciding.action} reviewed={ofVerification(deciding.verification)} onClose={close} />
        )}
      </Lazily>
    </>
  )
}
