import { Check, Undo2, X, type LucideIcon } from 'lucide-react'
import type { ApprovalAction } from '#contract/approvals.ts'
import type { KycAction } from '#contract/kyc-moves.ts'

export const decisionLooks: Record<KycAction, { icon: LucideIcon; tone: 'primary' | 'danger' }> = {
  approve: { icon: Check, tone: 'primary' },
  reject: { icon: X, tone: 'danger' },
  reset: { icon: Undo2, tone: 'primary' },
}

/** The action that a rule may let a second operator approve. */
export const kycApprovals = {
  approve: 'approve_kyc',
  reject: 'reject_kyc',
  reset: 'reset_kyc',
} as const satisfies Record<KycAction, ApprovalAction>

/** The consequence of a rejection whose reason the member reads. */
export const memberReadsReason = 'The member reads the reason and can submit a new attempt.'
