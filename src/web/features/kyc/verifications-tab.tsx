import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Glasses } from 'lucide-react'
import { useMemo, useState } from 'react'
import { kycReviewRoutes, parseWait, type ReviewAction } from '#contract/kyc-reviews.ts'
import { verificationList } from '#contract/lists.ts'
import type { Verification } from '#contract/schemas/kyc-reviews.ts'
import { displayName } from '#contract/members.ts'
import { describeWait } from '#web/reviews/describe-wait.ts'
import { useList } from '#web/table/use-list.ts'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { defineBulkList } from '#web/bulk/bulk-selection.tsx'
import { usePrefetchedRules } from '#web/approvals/approval-need.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths, waitingLooks } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { KycList } from './kyc-list.tsx'
import { anotherLooksQuery } from './queries.ts'
import { fromVerification } from './review-subject.ts'
import { verificationColumns } from './verification-columns.tsx'

const ReviewDialog = lazy(() => import('./review-dialog.tsx'))

const bulk = defineBulkList<Verification>({
  actions: ['approve_cases', 'reject_cases', 'reset_cases'],
  nameOf: ({ user }) => displayName(user),
  exportName: 'verifications',
})

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
  const { waiting: waits }: { waiting?: unknown } = useSearch({ strict: false })
  const list = useList(verificationList, kycReviewRoutes.verifications, {
    // How long a case has waited changes with time, without an event.
    ...(waits !== undefined && { staleTime: 0 }),
  })
  const { anotherLook, waiting } = list.values
  return (
    <>
      <KycList
        label="Verifications"
        columns={columns}
        list={list}
        rows={list.query.data?.verifications}
        chips={
          <>
            <AnotherLookFilter isOn={anotherLook !== undefined} />
            {waiting && <FilterChip label={describeWait(parseWait(waiting))} parameter="waiting" />}
          </>
        }
        bulk={bulk}
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

/** Narrows the list to cases that were put aside for a colleague. There while there are some, with their number. */
function AnotherLookFilter({ isOn }: { isOn: boolean }) {
  const count = useQuery(anotherLooksQuery()).data?.total ?? 0
  if (isOn) return <FilterChip label="Another Look" parameter="anotherLook" />
  if (count === 0) return null
  return (
    <Button asChild>
      <Link {...paths.kyc(waitingLooks)}>
        <Glasses aria-hidden />
        Another Look
        <span className="font-regular text-quiet tabular-nums">{formatCount(count)}</span>
      </Link>
    </Button>
  )
}
