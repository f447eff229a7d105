import { Check, Undo2, X, type LucideIcon } from 'lucide-react'
import type { KycAction } from '#contract/kyc-moves.ts'

export const decisionLooks: Record<KycAction, { icon: LucideIcon; tone: 'primary' | 'danger' }> = {
  approve: { icon: Check, tone: 'primary' },
  reject: { icon: X, tone: 'danger' },
  reset: { icon: Undo2, tone: 'primary' },
}

/** The consequence of a rejection whose reason the member reads. */
export const memberReadsReason = 'The member reads the reason and can submit a new attempt.'
