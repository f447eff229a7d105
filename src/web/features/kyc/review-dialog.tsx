import { Check, X } from 'lucide-react'
import { useState } from 'react'
import type { ReviewAction } from '#contract/kyc-reviews.ts'
import { displayName, maxReason, rejectionReasonRequired } from '#contract/users.ts'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { lengthOf } from '#web/lib/length.ts'
import { refetchMembers } from '#web/members/refetch.ts'
import { ReasonChips } from '#web/reviews/reason-chips.tsx'
import { Field } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { Note } from '#web/ui/note.tsx'
import { fetchReviewed, sendDecision, type Reviewed } from './reviewed.ts'

const texts = {
  approve: {
    verb: 'Approve',
    consequence:
      'KYC counts as completed, and a membership id is assigned for good. An approval can’t be taken back here.',
    icon: Check,
    tone: 'primary',
    done: 'KYC Approved Successfully',
  },
  reject: {
    verb: 'Reject',
    consequence: 'KYC becomes Rejected. The member reads the reason and can submit a new attempt.',
    icon: X,
    tone: 'danger',
    done: 'KYC Status Updated',
  },
} as const

/** What the contract takes as admin notes. */
const longestNotes = 4000

interface ReviewDialogProps {
  action: ReviewAction
  reviewed: Reviewed
  onClose: () => void
}

/** Approves or rejects (SPEC sections 2 and 5). */
export default function ReviewDialog({ action, reviewed, onClose }: ReviewDialogProps) {
  const { verb, consequence, icon, tone, done } = texts[action]
  const isReject = action === 'reject'
  const [reason, setReason] = useState('')
  const [notes, setNotes] = useState('')
  const [wasTouched, setTouched] = useState(false)
  const isMissing = isReject && reason.trim() === ''
  const reasonLength = lengthOf(reason, maxReason)
  const notesLength = lengthOf(notes, longestNotes)
  const { current, apply, isPending, refusal, conflict } = useChange({
    entity: reviewed,
    send: (entity) =>
      sendDecision(entity, {
        action,
        adminNotes: notes.trim() || null,
        ...(isReject && { rejectionReason: reason.trim() }),
      }),
    fetchFresh: fetchReviewed,
    refetch: refetchMembers,
    success: done,
    failure: 'Failed to process KYC review',
    onDone: onClose,
  })
  const giveReason = (text: string) => {
    setReason(text)
    setTouched(true)
  }
  return (
    <FormDialog
      title={
        <>
          {verb} KYC of <bdi>{displayName(current.user)}</bdi>?
        </>
      }
      description={consequence}
      action={{
        label: verb,
        icon,
        tone,
        disabled: isMissing || reasonLength.isTooLong || notesLength.isTooLong || !current.canDecide,
      }}
      onSubmit={apply}
      onClose={onClose}
      pending={isPending}
    >
      {current.claimedBy !== null && (
        <Note tone="warning" className="mb-4">
          <bdi>{current.claimedBy}</bdi> has this case open in review mode.
        </Note>
      )}
      {isReject && (
        <>
          <Field
            label="Rejection reason"
            error={
              isMissing && wasTouched ? rejectionReasonRequired : reasonLength.isTooLong ? reasonLength.words : refusal
            }
            {...(isMissing && !wasTouched && { hint: rejectionReasonRequired })}
            {...(reasonLength.words && !reasonLength.isTooLong && { hint: reasonLength.words })}
          >
            {(control) => (
              <Textarea {...control} value={reason} dir="auto" onChange={({ target }) => giveReason(target.value)} />
            )}
          </Field>
          <div className="mt-2 mb-4">
            <ReasonChips reason={reason} onChange={giveReason} />
          </div>
        </>
      )}
      <Field
        label="Admin notes"
        optional
        error={notesLength.isTooLong ? notesLength.words : isReject ? null : refusal}
        {...(notesLength.words && !notesLength.isTooLong && { hint: notesLength.words })}
      >
        {(control) => (
          <Textarea {...control} value={notes} dir="auto" onChange={({ target }) => setNotes(target.value)} />
        )}
      </Field>
      <ConflictHelp conflict={conflict}>
        Reloaded. KYC now stands at {current.standing}
        {current.canDecide ? '; you can decide now.' : ' and is decided already.'}
      </ConflictHelp>
    </FormDialog>
  )
}
