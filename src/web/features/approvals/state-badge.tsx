import { Ban, Check, CircleSlash, Clock, Hourglass, Undo2, type LucideIcon } from 'lucide-react'
import { approvalStateLabels, type ApprovalState } from '#contract/approvals.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'

const looks: Record<ApprovalState, { tone: Tone; icon: LucideIcon }> = {
  open: { tone: 'warning', icon: Clock },
  approved: { tone: 'success', icon: Check },
  declined: { tone: 'danger', icon: Ban },
  withdrawn: { tone: 'neutral', icon: Undo2 },
  expired: { tone: 'neutral', icon: Hourglass },
  failed: { tone: 'danger', icon: CircleSlash },
}

export const StateBadge = ({ state }: { state: ApprovalState }) => (
  <Badge {...looks[state]}>{approvalStateLabels[state]}</Badge>
)
