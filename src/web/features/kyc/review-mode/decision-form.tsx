import { Check, X } from 'lucide-react'
import { useId, useState, type RefCallback } from 'react'
import type { ReviewAction } from '#contract/kyc-reviews.ts'
import { displayName, maxAdminNotes, maxReason, rejectionReasonRequired, type User } from '#contract/users.ts'
import { lengthOf } from '#web/lib/length.ts'
import { ReasonChips } from '#web/reviews/reason-chips.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { Note } from '#web/ui/note.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'

const texts = {
  approve: {
    verb: 'Approve',
    consequence: 'KYC counts as completed, and a membership id is assigned for good.',
    icon: Check,
    key: '↵',
  },
  reject: {
    verb: 'Reject',
    consequence: 'The member reads the reason and can submit a new attempt.',
    icon: X,
    key: 'Ctrl ↵',
  },
} as const

/** What was typed for a case; it stays while the case is open, whatever is refused or closed. */
export interface Typed {
  reason: string
  notes: string
}

/** Whether a decision with this can be sent (SPEC section 5). */
export const isComplete = (action: ReviewAction, { reason, notes }: Typed) =>
  !lengthOf(notes, maxAdminNotes).isTooLong &&
  (action === 'approve' || (reason.trim() !== '' && !lengthOf(reason, maxReason).isTooLong))

const hintOf = ({ words, isTooLong }: ReturnType<typeof lengthOf>) =>
  words !== null && !isTooLong ? { hint: words } : {}
const focusFirst: RefCallback<HTMLElement> = (form) =>
  form?.querySelector<HTMLElement>('[data-first], [aria-keyshortcuts="1"]')?.focus({ preventScroll: true })

interface DecisionFormProps {
  action: ReviewAction
  user: User
  typed: Typed
  onType: (typed: Typed) => void
  /** What an approval would pass over. */
  doubts: readonly string[]
  canDecide: boolean
  isPending: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks once more before it decides. Rejecting is never what plain Enter does. */
export function DecisionForm({
  action,
  user,
  typed,
  onType,
  doubts,
  canDecide,
  isPending,
  onConfirm,
  onCancel,
}: DecisionFormProps) {
  const { verb, consequence, icon: Icon, key } = texts[action]
  const id = useId()
  const isReject = action === 'reject'
  const [wasTouched, setTouched] = useState(false)
  const { reason, notes } = typed
  const isMissing = reason.trim() === ''
  const [reasonLength, notesLength] = [lengthOf(reason, maxReason), lengthOf(notes, maxAdminNotes)]
  const giveReason = (text: string) => {
    setTouched(true)
    onType({ ...typed, reason: text })
  }
  return (
    <fieldset ref={focusFirst} aria-labelledby={id} aria-describedby={`${id}-what`} className="min-w-0 space-y-3">
      <div>
        <h3 id={id} className="break-words">
          {verb} KYC of <bdi>{displayName(user)}</bdi>?
        </h3>
        <p id={`${id}-what`} className="mt-0.5 text-12 text-quiet">
          {consequence}
        </p>
      </div>
      {!isReject && doubts.length > 0 && <Note tone="warning">{doubts.join(' ')}</Note>}
      {isReject && (
        <>
          <ReasonChips reason={reason} onChange={giveReason} disabled={isPending} withKeys />
          <Field
            label="Rejection reason"
            error={
              reasonLength.isTooLong ? reasonLength.words : isMissing && wasTouched ? rejectionReasonRequired : null
            }
            {...(isMissing && !wasTouched ? { hint: rejectionReasonRequired } : hintOf(reasonLength))}
          >
            {(control) => (
              <Textarea
                {...control}
                value={reason}
                dir="auto"
                readOnly={isPending}
                onChange={({ target }) => giveReason(target.value)}
              />
            )}
          </Field>
        </>
      )}
      <Field
        label="Admin notes"
        optional
        error={notesLength.isTooLong ? notesLength.words : null}
        {...hintOf(notesLength)}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={1}
            value={notes}
            dir="auto"
            readOnly={isPending}
            onChange={({ target }) => onType({ ...typed, notes: target.value })}
          />
        )}
      </Field>
      <div className="flex gap-2">
        <Button
          {...(!isReject && { 'data-first': '' })}
          variant={isReject ? 'danger-solid' : 'primary'}
          disabled={!canDecide || !isComplete(action, typed)}
          loading={isPending}
          onClick={onConfirm}
          className="flex-1"
        >
          <Icon aria-hidden />
          {verb}
          <KeyHint onAccent>{key}</KeyHint>
        </Button>
        <Button disabled={isPending} onClick={onCancel} className="flex-1">
          Cancel
          <KeyHint>Esc</KeyHint>
        </Button>
      </div>
    </fieldset>
  )
}
