import { useQuery } from '@tanstack/react-query'
import { approvalDesigns, type ApprovalTarget } from '#contract/approvals.ts'
import { Note } from '#web/ui/note.tsx'
import { describeError } from '#web/api.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { Instant } from '#web/ui/instant.tsx'
import { type ApprovalNeed, type TargetNeed, targetApprovalsQuery } from './approval-need.ts'

/** Says in a dialog that what it confirms becomes a request. Nothing where it is done at once. */
export const ApprovalNote = ({ need: { reason }, className = 'mb-4' }: { need: ApprovalNeed; className?: string }) =>
  reason !== null && (
    <Note role="note" className={className}>
      {reason}
    </Note>
  )

/** As `ApprovalNote`, after what waits for an approval on the same thing already. */
export const TargetNote = ({ need }: { need: TargetNeed }) => (
  <>
    <OpenApprovals {...need.target} />
    <ApprovalNote need={need} />
  </>
)

interface OpenApprovalsProps {
  type: ApprovalTarget
  id: string
}

/** Says on the page of a thing what waits for an approval there, with a link to it. Nothing where nothing waits. */
export function OpenApprovals({ type, id }: OpenApprovalsProps) {
  const { data, error } = useQuery(targetApprovalsQuery(type, id))
  if (error && !data)
    return (
      <Note tone="warning" className="mb-4">
        Whether something waits for an approval here could not be loaded: {describeError(error)}
      </Note>
    )
  const open = data?.approvals.filter(({ state }) => state === 'open')
  return open?.map(({ id: approvalId, action, requestedBy, requestedAt }) => (
    <Note key={approvalId} role="note" className="mb-4">
      Waits for an approval: {approvalDesigns[action].label}. Requested by <bdi>{requestedBy}</bdi> on{' '}
      <Instant value={requestedAt} />.{' '}
      <Link {...paths.approval(approvalId)} className="font-medium underline underline-offset-3">
        View request
      </Link>
    </Note>
  ))
}
