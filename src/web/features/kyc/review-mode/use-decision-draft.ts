import { useState } from 'react'
import { reviewActions } from '#contract/kyc-reviews.ts'
import type { Verification } from '#contract/schemas/kyc-reviews.ts'
import { useWaitingActions } from '#web/approvals/approval-need.ts'
import { kycApprovals } from '#web/reviews/decision-looks.ts'
import { useSecondPress } from '#web/reviews/use-second-press.ts'
import { type CaseAction, isComplete, type DecisionTexts } from './decision-texts.tsx'
import type { CaseClaim } from './use-case-claim.ts'
import { useAnotherLook } from './use-another-look.ts'
import { useDecision } from './use-decision.ts'

/**
 * The decision on a case, from the choice of an action until it is sent. Approving takes a second press where a part of the case is missing
 * or was not on screen, as `gaps` says.
 */
export function useDecisionDraft(verification: Verification, gaps: readonly string[], caseClaim: CaseClaim) {
  const waiting = useWaitingActions('user', verification.userId)
  const { lossReason, isOpening, openAfterDecision, setLossReason } = caseClaim
  const [action, setAction] = useState<CaseAction | null>(null)
  const [returnFocusTo, setReturnFocusTo] = useState<CaseAction | null>(null)
  const [typed, setTyped] = useState<DecisionTexts>({ reason: '', notes: '', look: '' })
  const secondPress = useSecondPress(gaps.length > 0)
  const { decide, isPending, refusal, staleVersion } = useDecision({
    onDone: openAfterDecision,
    onConflict: setLossReason,
  })
  const look = useAnotherLook(caseClaim)
  const isBusy = isPending || isOpening || look.isPending
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
    gaps,
    secondPress,
    /** Whether the decision is being sent, or another case opened. */
    isBusy,
    /** Whether the case is still this operator's. */
    canDecide,
    isReady,
    /** Whether typed text would be lost. The texts of a lost case cannot be sent any more. */
    isEdited: () => canDecide && Object.values(typed).some((text: string) => text.trim() !== ''),
    /** The server's refusal of a decision that can still be made. */
    refusal: look.refusal ?? (isPending || isReloaded ? null : refusal),
    /** Whether the refused decision was made on an outdated version. Claiming the case again fixes that. */
    isStale,
    choose: (chosen: CaseAction) => {
      if (action !== null || !isReady) return
      if (chosen === 'look' || !waiting.has(kycApprovals[chosen])) setAction(chosen)
    },
    /** Puts a case that needs another look back into the queue of everyone. */
    endLook: () => isReady && look.end(verification.id),
    cancel: () => {
      setReturnFocusTo(action)
      setAction(null)
      secondPress.withdraw()
    },
    confirm: () => {
      if (action === null || !isReady || !isComplete(action, typed)) return
      if (action === 'look') return look.ask(verification, typed.look.trim())
      const adminNotes = typed.notes.trim() || null
      if (action === 'reject') return decide(verification, { action, adminNotes, rejectionReason: typed.reason.trim() })
      secondPress.press(() => decide(verification, { action, adminNotes, rejectionReason: null }))
    },
  }
}
export type DecisionDraft = ReturnType<typeof useDecisionDraft>
