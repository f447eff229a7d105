import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { FileX } from 'lucide-react'
import { useEffect } from 'react'
import { approvalDesigns, approvalRoutes } from '#contract/approvals.ts'
import type { Approval } from '#contract/schemas/approvals.ts'
import { call } from '#web/api.ts'
import { DetailPage } from '#web/detail-page.tsx'
import { usePageTitle } from '#web/lib/page.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { ApprovalDetails } from './approval-details.tsx'
import { ApprovalHeader } from './approval-header.tsx'
import { approvalQuery, isUnknownApproval } from './queries.ts'

const parent = { label: 'Approvals', to: '/approvals' }
const backLink = <Link {...paths.approvals()}>Back to Approvals</Link>

/** One request for approval (product 5.16). */
export default function ApprovalPage() {
  const { id } = useParams({ from: '/approvals/$id' })
  const query = useQuery(approvalQuery(id))
  return (
    <DetailPage
      entity="request"
      query={query}
      unknown={isUnknownApproval(query.error) && <UnknownApproval />}
      back={backLink}
      skeleton={<ApprovalSkeleton />}
    >
      {({ approval }, refresh) => <ApprovalView key={id} approval={approval} refresh={refresh} />}
    </DetailPage>
  )
}

function ApprovalView({ approval, refresh }: { approval: Approval; refresh: () => Promise<boolean> }) {
  usePageTitle({ title: approvalDesigns[approval.action].label, parent })
  useSeen(approval)
  return (
    <>
      <ApprovalHeader approval={approval} refresh={refresh} />
      <ApprovalDetails approval={approval} />
    </>
  )
}

/** Who opens an own request that has ended, or has it open when it ends, has seen it: it is no longer a notice. */
function useSeen({ id, isOwn, isSeen }: Approval) {
  const mustTell = isOwn && !isSeen
  useEffect(() => {
    if (!mustTell) return
    // Where it fails, the notice stays and the next look says it again.
    void call(approvalRoutes.see, { params: { id }, isPassive: true }).catch(() => {})
  }, [id, mustTell])
}

function UnknownApproval() {
  usePageTitle({ title: 'Request Not Found', parent })
  return (
    <EmptyState icon={FileX} title="Request Not Found">
      There is no such request, or it is about something that your role does not show.
    </EmptyState>
  )
}

const ApprovalSkeleton = () => (
  <div>
    <output className="sr-only">Loading...</output>
    <div aria-hidden className="grid gap-4">
      <div className="mb-1 flex items-center justify-between gap-4 max-md:flex-wrap">
        <Skeleton className="h-11 w-80 max-w-full" />
        <Skeleton className="h-(--control) w-72 max-w-full" />
      </div>
      <div className="grid gap-4 wide:grid-cols-[7fr_5fr] wide:items-start">
        <Skeleton className="h-47 rounded-l" />
        <Skeleton className="h-51 rounded-l" />
      </div>
    </div>
  </div>
)
