import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { useMemo, useState } from 'react'
import { kycReviewRoutes } from '#contract/kyc-reviews.ts'
import { kycStepList, submissionList } from '#contract/lists.ts'
import type { ListedSubmission } from '#contract/schemas/kyc-reviews.ts'
import { usePrefetchedRules } from '#web/approvals/approval-need.ts'
import { useDocumentViewer } from '#web/documents/use-document-viewer.tsx'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { kycTabs } from '#web/paths.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { waitingCasesQuery } from '#web/reviews/queries.ts'
import { useCan } from '#web/use-can.ts'
import { useList } from '#web/table/use-list.ts'
import { useTab } from '#web/table/use-tab.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { Figures } from './figures.tsx'
import { KycList } from './kyc-list.tsx'
import { linkToReview } from './review-link.ts'
import { fromSubmission } from './review-subject.ts'
import { step2Columns, step3Columns, step4Columns } from './step-columns.tsx'
import { submissionColumns } from './submission-columns.tsx'
import { VerificationsTab } from './verifications-tab.tsx'

const ReviewDialog = lazy(() => import('./review-dialog.tsx'))

/** Every submitted attempt; those under review can be approved (product 5.9, 7.1). */
function SubmissionsTab() {
  // As it stood in the row that was pressed: a decision that comes in meanwhile is a conflict, not a surprise.
  const [approving, setApproving] = useState<ListedSubmission | null>(null)
  const close = () => setApproving(null)
  usePrefetch(true, ReviewDialog)
  usePrefetchedRules()
  const columns = useMemo(() => submissionColumns(setApproving), [])
  const list = useList(submissionList, kycReviewRoutes.submissions)
  return (
    <>
      <KycList
        label="KYC submissions"
        columns={columns}
        list={list}
        rows={list.query.data?.history}
        exportName="submissions"
      />
      <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={close}>
        {approving && <ReviewDialog action="approve" subject={fromSubmission(approving)} onClose={close} />}
      </LazyBoundary>
    </>
  )
}

const empty = 'No history found'

/** Personal data of every attempt (product 5.9, Step 2 History). */
function Step2Tab() {
  const list = useList(kycStepList, kycReviewRoutes.step2)
  const rows = list.query.data?.history
  return <KycList label="Step 2 history" columns={step2Columns} exportName="step2" {...{ list, rows, empty }} />
}

/** Identity documents of every attempt, with links to front and back (product 5.9, Step 3 History). */
function Step3Tab() {
  const { view, viewer } = useDocumentViewer()
  const columns = useMemo(() => step3Columns(view), [view])
  const list = useList(kycStepList, kycReviewRoutes.step3)
  const rows = list.query.data?.history
  return (
    <>
      <KycList label="Step 3 history" exportName="step3" {...{ columns, list, rows, empty }} />
      {viewer}
    </>
  )
}

/** Selfies of every attempt (product 5.9, Step 4 History). */
function Step4Tab() {
  const { view, viewer } = useDocumentViewer()
  const columns = useMemo(() => step4Columns(view), [view])
  const list = useList(kycStepList, kycReviewRoutes.step4)
  const rows = list.query.data?.history
  return (
    <>
      <KycList label="Step 4 history" exportName="step4" {...{ columns, list, rows, empty }} />
      {viewer}
    </>
  )
}

const ReviewMode = lazy(() => import('./review-mode/review-mode.tsx'))

const tabs = [
  { value: 'submissions' as const, label: 'KYC Submissions', panel: <SubmissionsTab /> },
  { value: 'verifications' as const, label: 'Verifications', panel: <VerificationsTab /> },
  { value: 'step2' as const, label: 'Step 2 History', panel: <Step2Tab /> },
  { value: 'step3' as const, label: 'Step 3 History', panel: <Step3Tab /> },
  { value: 'step4' as const, label: 'Step 4 History', panel: <Step4Tab /> },
]

/** KYC Management (product 5.9): its lists, or in their place review mode on one case. */
export default function KycPage() {
  const { review }: { review?: string } = useSearch({ strict: false })
  const mayDecide = useCan('kyc.decide')
  if (review === undefined || !mayDecide) return <Lists />
  return (
    <LazyBoundary fallback={null} failure={ReviewFailure}>
      <ReviewMode review={review} />
    </LazyBoundary>
  )
}

const ReviewFailure = ({ onRetry }: { onRetry: () => void }) => (
  <ErrorState
    size="page"
    title="Review mode could not be loaded"
    message="Check the connection, then try again or reload the console."
    onRetry={onRetry}
  />
)

function Lists() {
  const [tab, choose] = useTab(kycTabs)
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(24rem,1fr)] page-scrolls:block print:block">
      <Figures />
      <Tabs
        label="KYC lists"
        tabs={tabs}
        value={tab}
        onChange={choose}
        fill
        end={
          <PermissionGate permission="kyc.decide">
            <StartReview />
          </PermissionGate>
        }
      />
    </div>
  )
}

/** Opens review mode on the case that has waited longest. */
function StartReview() {
  const waiting = useQuery(waitingCasesQuery()).data?.total
  return (
    <Button
      asChild
      variant={waiting === 0 ? 'default' : 'primary'}
      className="ml-auto max-md:mb-2 max-md:w-full"
      size="small"
    >
      <Link {...linkToReview('next')}>
        <Play aria-hidden />
        Start Review
        {waiting !== undefined && (
          <span className="font-regular tabular-nums">{waiting > 0 ? formatCount(waiting) : 'none'} waiting</span>
        )}
      </Link>
    </Button>
  )
}
