import { Note } from '#web/ui/note.tsx'
import type { ApprovalNeed, TargetNeed } from './approval-need.ts'
import { OpenApprovals } from './open-approvals.tsx'

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
