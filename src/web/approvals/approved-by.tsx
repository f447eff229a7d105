import { useQuery } from '@tanstack/react-query'
import type { ApprovalTarget } from '#contract/approvals.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { findApproval, type ShownChange, targetApprovalsQuery } from './approval-need.ts'

interface ApprovedByProps {
  type: ApprovalTarget
  id: string
  change: ShownChange
}

/** Who approved a change, after who made it, with a link to the request. Nothing where it needed no approval. */
export function ApprovedBy({ type, id, change }: ApprovedByProps) {
  const { data } = useQuery(targetApprovalsQuery(type, id))
  const approval = findApproval(data?.approvals ?? [], change)
  return (
    approval && (
      <>
        , approved by <bdi>{approval.decidedBy}</bdi> (
        <Link {...paths.approval(approval.id)} className="underline underline-offset-3">
          request
        </Link>
        )
      </>
    )
  )
}
