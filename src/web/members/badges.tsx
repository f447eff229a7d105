import {
  Ban,
  Check,
  CircleCheck,
  Circle,
  CircleDot,
  CircleX,
  Clock,
  Eye,
  PencilLine,
  Send,
  Undo2,
  type LucideIcon,
  UserX,
} from 'lucide-react'
import { kycStatusLabels, kycWords, type KycStatus, type stepStatuses, type submissionResults } from '#contract/kyc.ts'
import type { TransactionStatus } from '#contract/transactions.ts'
import type { Member } from '#contract/schemas/members.ts'
import type { ListedSubmission } from '#contract/schemas/kyc-reviews.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { MissingValue } from '#web/ui/section.tsx'

interface BadgeLook {
  tone: Tone
  icon: LucideIcon
  label: string
}

const waiting = { tone: 'warning', icon: Clock, label: 'Pending' } as const
const refused = { tone: 'danger', icon: CircleX, label: 'Rejected' } as const
const inReview = { tone: 'info', icon: Eye, label: 'Under Review' } as const
const sent = { tone: 'info', icon: Send, label: 'Submitted' } as const
const accepted = { tone: 'success', icon: CircleCheck, label: kycStatusLabels.approved } as const

const kycLooks: Record<KycStatus, BadgeLook> = {
  approved: accepted,
  under_review: inReview,
  pending: waiting,
  submitted: sent,
  rejected: refused,
}
const stepLooks: Record<(typeof stepStatuses)[number], BadgeLook> = {
  draft: { tone: 'neutral', icon: PencilLine, label: 'Draft' },
  submitted: sent,
  approved: accepted,
  rejected: refused,
  reset: { tone: 'neutral', icon: Undo2, label: 'Reset' },
}
const resultLooks: Record<(typeof submissionResults)[number], BadgeLook> = {
  under_review: inReview,
  approved: accepted,
  rejected: refused,
  pending: waiting,
}
const transactionLooks: Record<TransactionStatus, BadgeLook> = {
  completed: { tone: 'success', icon: Check, label: 'Completed' },
  pending: waiting,
  failed: { tone: 'danger', icon: CircleX, label: 'Failed' },
}

const renderBadge = ({ tone, icon, label }: BadgeLook) => (
  <Badge tone={tone} icon={icon}>
    {label}
  </Badge>
)

const notStarted = { tone: 'neutral', icon: Circle, label: kycWords(null) } as const

export const KycBadge = ({ status }: { status: KycStatus | null }) =>
  renderBadge(status ? kycLooks[status] : notStarted)
export const StepBadge = ({ status }: { status: keyof typeof stepLooks }) => renderBadge(stepLooks[status])
export const ResultBadge = ({ result }: { result: keyof typeof resultLooks }) => renderBadge(resultLooks[result])
export const TransactionBadge = ({ status }: { status: TransactionStatus }) => renderBadge(transactionLooks[status])

/** Pass `reason` where it is not shown beside the badge. It then appears on hover. */
export const BannedBadge = ({ reason }: { reason?: string | null }) => (
  <span title={reason ?? undefined} className="inline-flex">
    <Badge tone="danger" icon={Ban}>
      Banned
    </Badge>
  </span>
)

/** What was stored of the member is gone (product 7.13). */
export const ErasedBadge = () => (
  <Badge plain icon={UserX}>
    Erased
  </Badge>
)

/** Product 5.4, header of the member's page. */
export const CompletedBadge = ({ member }: { member: Member }) =>
  renderBadge({
    ...(member.kycCompleted ? accepted : waiting),
    label: member.kycCompleted ? 'KYC Completed' : 'KYC Pending',
  })

/** Banned with its reason, beside it or beneath, or Active: only what needs a look has a ground. */
export function BanState({ member }: { member: Member }) {
  if (member.erasedAt && !member.kycBanned) return <ErasedBadge />
  if (!member.kycBanned) {
    return (
      <Badge plain tone="success" icon={CircleDot}>
        Active
      </Badge>
    )
  }
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5" title={member.bannedReason ?? undefined}>
      <BannedBadge />
      {member.bannedReason && (
        <bdi className="min-w-0 flex-[1_1_6rem] truncate text-left text-12 text-quiet blocks:hidden">
          {member.bannedReason}
        </bdi>
      )}
    </span>
  )
}

/** Whether a submission was decided by hand or automatically. */
export function ProcessingType({ submission }: { submission: Pick<ListedSubmission, 'result' | 'autoProcessed'> }) {
  if (submission.result === 'under_review') return <MissingValue>Not yet</MissingValue>
  return submission.autoProcessed ? 'Auto' : 'Manual'
}
