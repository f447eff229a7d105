import { useState } from 'react'
import { type ReviewAction, reviewActions } from '#contract/kyc-reviews.ts'
import type { Verification } from '#contract/schemas/kyc-reviews.ts'
import { useWaitingActions } from '#web/approvals/approval-need.ts'
import { kycApprovals } from '#web/reviews/decision-looks.ts'
import { isComplete, type DecisionTexts } from './decision-texts.tsx'
import type { CaseClaim } from './use-case-claim.ts'
import { useDecision } from './use-decision.ts'
import { useWarning } from './use-warning.ts'

/**
 * The decision on a case, from the choice of an action until it is sent. `unseen` names documents that were not on
 * screen. Approving then takes a second press.
 */
export function useDecisionDraft(verification: Verification, unseen: string | null, caseClaim: CaseClaim) {
  const waiting = useWaitingActions('user', verification.userId)
  const { lossReason, isOpening, openAfterDecision, setLossReason } = caseClaim
  const [action, setAction] = useState<ReviewAction | null>(null)
  const [returnFocusTo, setReturnFocusTo] = useState<ReviewAction | null>(null)
  const [typed, setTyped] = useState<DecisionTexts>({ reason: '', notes: '' })
  const { warning, warn, withdraw } = useWarning()
  const { decide, isPending, refusal, staleVersion } = useDecision({
    onDone: openAfterDecision,
    onConflict: setLossReason,
  })
  const isBusy = isPending || isOpening
  const canDecide = lossReason === null
  const isReady = canDecide && !isBusy
  const isStale = staleVersion !== undefined
  const isReloaded = isStale && staleVersion !== verification.version
  return {
    /** The action whose form is open. */
    action,
    /** What can be chosen: what waits for an approval is not offered again. */
    offered: reviewActions.filter((each) => !waiting.has(kycApprovals[each])),
    /** The action whose form was just closed. */
    returnFocusTo,
    typed,
    setTyped,
    unseen,
    warning,
    /** Whether the decision is being sent, or another case opened. */
    isBusy,
    /** Whether the case is still this operator's. */
    canDecide,
    isReady,
    /** Whether typed text would be lost. The texts of a lost case cannot be sent any more. */
    isEdited: () => canDecide && (typed.reason.trim() !== '' || typed.notes.trim() !== ''),
    /** The server's refusal of a decision that can still be made. */
    refusal: isPending || isReloaded ? null : refusal,
    /** Whether the refused decision was made on an outdated version. Claiming the case again fixes that. */
    isStale,
    choose: (chosen: ReviewAction) => {
      if (action === null && isReady && !waiting.has(kycApprovals[chosen])) setAction(chosen)
    },
    cancel: () => {
      setReturnFocusTo(action)
      setAction(null)
      withdraw()
    },
    confirm: () => {
      if (action === null || !isReady || !isComplete(action, typed)) return
      if (action === 'approve' && unseen !== null && warning === 'none') return warn()
      const adminNotes = typed.notes.trim() || null
      const rejectionReason = action === 'reject' ? typed.reason.trim() : null
      decide(verification, { action, adminNotes, rejectionReason })
    },
  }
}
export type DecisionDraft = ReturnType<typeof useDecisionDraft>
