import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { kycMove } from '#contract/kyc-moves.ts'
import { kycReviewRoutes, reviewActions } from '#contract/kyc-reviews.ts'
import type { ReviewBody, Verification } from '#contract/schemas/kyc-reviews.ts'
import { ApiError, call, describeChangeRefusal, describeError } from '#web/api.ts'
import { useWaitingActions } from '#web/approvals/approval-need.ts'
import { showFailure } from '#web/changes/change-toasts.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { refetchMembers } from '#web/members/refetch.ts'
import { renderKycOutcome, renderMemberName } from '#web/members/toast-lines.tsx'
import { kycApprovals } from '#web/reviews/decision-looks.ts'
import { useSecondPress } from '#web/reviews/use-second-press.ts'
import { toast } from '#web/ui/toast.ts'
import { type CaseAction, type DecisionTexts, isComplete } from './decision-texts.tsx'
import { describeMarks, type FieldMarks, type MarkableField, replaceMarks } from './field-marks.ts'
import type { CaseClaim } from './use-case-claim.ts'

const send = ({ id, note }: { id: string; note: string | null }) =>
  note === null
    ? call(kycReviewRoutes.endAnotherLook, { params: { id } })
    : call(kycReviewRoutes.askAnotherLook, { params: { id }, body: { note } })

const failure = 'Failed to mark the case for another look'

/** Puts a case aside for a colleague, and back into the queue. The next case opens after the first. */
function useAnotherLook({ openAfterDecision, openCase, prolong }: CaseClaim) {
  const client = useQueryClient()
  const refetch = () => void client.invalidateQueries({ queryKey: [kycReviewRoutes.verifications.path] })
  // The undo outlives the case, so it is not a mutation of this screen.
  const undo = (id: string) =>
    send({ id, note: null }).then(
      () => {
        toast({ title: 'Back in the queue' })
        refetch()
        openCase(id)
      },
      (error: unknown) => showFailure(error, failure),
    )
  const mutation = useSingleMutation({
    mutationFn: send,
    onSuccess: ({ message, verification }, { id, note }) => {
      refetch()
      const isAsked = note !== null
      const action = isAsked && { action: { label: 'Undo', run: () => void undo(id) } }
      toast({ tone: 'success', title: message, description: renderMemberName(verification), ...action })
      if (isAsked) openAfterDecision()
      else prolong()
    },
    onSent: refetch,
    failure,
  })
  return {
    isPending: mutation.isPending,
    refusal: mutation.error && !mutation.isPending ? describeChangeRefusal(mutation.error) : null,
    ask: ({ id }: Verification, note: string) => mutation.mutate({ id, note }),
    end: (id: string) => mutation.mutate({ id, note: null }),
  }
}

/** What the operator typed and marked. The reason begins with the sentence of the marks, which is a doubt too. */
function useEntries(gaps: readonly string[]) {
  const [typed, setTyped] = useState<DecisionTexts>({ reason: '', notes: '', look: '' })
  const [marks, setMarks] = useState<FieldMarks>(new Set())
  const doubts = [describeMarks(marks), ...gaps].filter(Boolean)
  const secondPress = useSecondPress(doubts.length > 0)
  return {
    typed,
    setTyped,
    /** The fields that differ from the document. */
    marks,
    /** What asks for a second press, in sentences. */
    doubts,
    secondPress,
    /** Marks a field, or takes the mark away. The second press is asked for again. */
    toggleMark: (field: MarkableField) => {
      const next = new Set(marks)
      if (!next.delete(field)) next.add(field)
      setMarks(next)
      setTyped({ ...typed, reason: replaceMarks(typed.reason, marks, next) })
      secondPress.withdraw()
    },
    /** Whether there is text beside that sentence. */
    isTyped: () =>
      [typed.notes, typed.look, replaceMarks(typed.reason, marks, new Set())].some((text) => text.trim() !== ''),
  }
}

/**
 * The decision on a case, from the choice of an action until it is sent. Approving takes a second press where a part of
 * the case is missing or was not on screen, as `gaps` says, or where a field is marked as different from the document.
 */
export function useDecisionDraft(verification: Verification, gaps: readonly string[], caseClaim: CaseClaim) {
  const waiting = useWaitingActions('user', verification.userId)
  const { lossReason, isOpening, openAfterDecision, setLossReason } = caseClaim
  const [action, setAction] = useState<CaseAction | null>(null)
  const [returnFocusTo, setReturnFocusTo] = useState<CaseAction | null>(null)
  const { isTyped, toggleMark, ...entries } = useEntries(gaps)
  const { typed, secondPress } = entries
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
    ...entries,
    toggleMark: (field: MarkableField) => isReady && toggleMark(field),
    /** Whether the decision is being sent, or another case opened. */
    isBusy,
    /** Whether the case is still this operator's. */
    canDecide,
    isReady,
    /** Whether typed text would be lost. The texts of a lost case cannot be sent any more. */
    isEdited: () => canDecide && isTyped(),
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

interface DecisionHandlers {
  onDone: () => void
  /** Another operator was first. The message says who and when. */
  onConflict: (message: string) => void
}

/** Sends the decision on a case with the version that was shown (product 8.4). */
function useDecision({ onDone, onConflict }: DecisionHandlers) {
  const client = useQueryClient()
  const decision = useSingleMutation({
    mutationFn: ({ of: { id, version }, body }: { of: Verification; body: ReviewBody }) =>
      call(kycReviewRoutes.review, { params: { id }, body, ifMatch: version }),
    onSuccess: (reply, { body }) => {
      toast({ tone: 'success', title: kycMove(body.action).done, description: renderKycOutcome(reply) })
      void refetchMembers(client)
      onDone()
    },
    onSent: onDone,
    failure: 'Failed to process KYC review',
    onError: (error) => isDecided(error) && onConflict(describeError(error)),
  })
  return {
    decide: (of: Verification, body: ReviewBody) => decision.mutate({ of, body }),
    isPending: decision.isPending,
    refusal: decision.error && !isDecided(decision.error) ? describeChangeRefusal(decision.error) : null,
    /** The version that was refused as outdated. Claiming the case again fixes that. */
    staleVersion: readErrorCode(decision.error) === 'stale' ? decision.variables?.of.version : undefined,
  }
}

/** Whether the operator can no longer decide the case: a 409 that is not an outdated version. */
const isDecided = (error: unknown) =>
  error instanceof ApiError && error.status === 409 && readErrorCode(error) !== 'stale'

const readErrorCode = (error: unknown) => (error instanceof ApiError ? error.reply?.code : undefined)
