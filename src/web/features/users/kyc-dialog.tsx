import { Check, Undo2, X, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { canDecideKyc, kycStatusLabels, type KycAction } from '#contract/kyc.ts'
import { displayName, maxReason, rejectionReasonRequired, userRoutes, type User } from '#contract/users.ts'
import { call } from '#web/api.ts'
import { Field } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { lengthOf } from '#web/lib/length.ts'
import { useUserChange } from './use-user-change.ts'

const texts: Record<KycAction, { verb: string; consequence: string; icon: LucideIcon; tone: 'primary' | 'danger' }> = {
  approve: {
    verb: 'Approve',
    consequence:
      'KYC counts as completed, and a membership id is assigned for good. An approval can’t be taken back here.',
    icon: Check,
    tone: 'primary',
  },
  reject: {
    verb: 'Reject',
    consequence: 'KYC becomes Rejected. The member can submit a new attempt.',
    icon: X,
    tone: 'danger',
  },
  reset: {
    verb: 'Reset',
    consequence:
      'The member goes back to Pending, step 1, and submits everything again. Documents of earlier attempts stay in the history.',
    icon: Undo2,
    tone: 'primary',
  },
}

/** What the contract takes as admin notes. */
const longestNotes = 4000

interface KycDialogProps {
  action: KycAction
  user: User
  onClose: () => void
}

/** Approve, reject or reset a member's KYC (SPEC sections 4 and 5). */
export default function KycDialog({ action, user, onClose }: KycDialogProps) {
  const { verb, consequence, icon, tone } = texts[action]
  const isReject = action === 'reject'
  const [reason, setReason] = useState('')
  const [notes, setNotes] = useState('')
  const [wasTouched, setTouched] = useState(false)
  const isMissing = isReject && reason.trim() === ''
  const reasonLength = lengthOf(reason, maxReason)
  const notesLength = lengthOf(notes, longestNotes)
  const { current, apply, isPending, refusal, conflict } = useUserChange({
    user,
    send: ({ id, version }) =>
      call(userRoutes.decideKyc, {
        params: { id, action },
        body: { adminNotes: notes.trim() || null, ...(isReject && { rejectionReason: reason.trim() }) },
        ifMatch: version,
      }),
    success: 'KYC Status Updated',
    failure: 'Failed to update KYC status',
    onDone: onClose,
  })
  const canDecide = canDecideKyc(current.kycStatus)
  return (
    <FormDialog
      title={
        <>
          {verb} KYC of <bdi>{displayName(current)}</bdi>?
        </>
      }
      description={consequence}
      action={{
        label: verb,
        icon,
        tone,
        disabled: isMissing || reasonLength.isTooLong || notesLength.isTooLong || !canDecide,
      }}
      onSubmit={apply}
      onClose={onClose}
      pending={isPending}
    >
      {isReject && (
        <Field
          label="Rejection reason"
          error={
            isMissing && wasTouched ? rejectionReasonRequired : reasonLength.isTooLong ? reasonLength.words : refusal
          }
          {...(isMissing && !wasTouched && { hint: rejectionReasonRequired })}
          {...(reasonLength.words && !reasonLength.isTooLong && { hint: reasonLength.words })}
          className="mb-4"
        >
          {(control) => (
            <Textarea
              {...control}
              value={reason}
              dir="auto"
              onChange={(event) => {
                setReason(event.target.value)
                setTouched(true)
              }}
            />
          )}
        </Field>
      )}
      <Field
        label="Admin notes"
        optional
        error={notesLength.isTooLong ? notesLength.words : isReject ? null : refusal}
        {...(notesLength.words && !notesLength.isTooLong && { hint: notesLength.words })}
      >
        {(control) => (
          <Textarea {...control} value={notes} dir="auto" onChange={(event) => setNotes(event.target.value)} />
        )}
      </Field>
      <ConflictHelp conflict={conflict}>
        Reloaded. KYC now stands at {current.kycStatus ? kycStatusLabels[current.kycStatus] : 'Not started'}
        {canDecide ? '; you can decide now.' : ' and is decided already.'}
      </ConflictHelp>
    </FormDialog>
  )
}
