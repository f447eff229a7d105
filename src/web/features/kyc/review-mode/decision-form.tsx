import { useId, useState, type KeyboardEvent, type RefCallback } from 'react'
import { kycMove, kycMoves } from '#contract/kyc-moves.ts'
import type { ReviewAction } from '#contract/kyc-reviews.ts'
import { displayName, maxAdminNotes, maxReason } from '#contract/users.ts'
import type { User } from '#contract/schemas/users.ts'
import { cn } from '#web/lib/cn.ts'
import { checkLength } from '#web/lib/length.ts'
import { BannedNote } from '#web/members/ban-notes.tsx'
import { decisionLooks, memberReadsReason } from '#web/reviews/decision-looks.ts'
import { ReasonChips } from '#web/reviews/reason-chips.tsx'
import { dropSecondSpace } from '#web/reviews/ready-reasons.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { Note } from '#web/ui/note.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { usePress, type Warning } from './use-warning.ts'

const actionTexts = {
  approve: { consequence: kycMove('approve').consequence, key: '↵' },
  reject: { consequence: memberReadsReason, key: 'Ctrl ↵' },
} satisfies Record<ReviewAction, object>

/** The texts typed for a case. They stay while the case is open, also after a refusal. */
export interface DecisionTexts {
  reason: string
  notes: string
}

/** Whether a decision with these texts can be sent (product 9.5). */
export const isComplete = (action: ReviewAction, { reason, notes }: DecisionTexts) =>
  !checkLength(notes, maxAdminNotes).isTooLong &&
  (action === 'approve' || (reason.trim() !== '' && !checkLength(reason, maxReason).isTooLong))

const buildHint = ({ words, isTooLong }: ReturnType<typeof checkLength>) =>
  words !== null && !isTooLong ? { hint: words } : {}
const focusFirstField: RefCallback<HTMLElement> = (form) => {
  const first = form?.querySelector<HTMLElement>('[data-first]')
  first?.focus({ preventScroll: true })
  if (!(first instanceof HTMLTextAreaElement)) return
  first.setSelectionRange(first.value.length, first.value.length)
  // In a low window the field is under the buttons at first.
  first.scrollIntoView({ block: 'nearest' })
}

/** Enter in an approval's notes moves the focus to the button, so that typing never approves. */
function focusButtonOnEnter(event: KeyboardEvent<HTMLElement>) {
  const { key, shiftKey, ctrlKey, metaKey, nativeEvent } = event
  if (key !== 'Enter' || shiftKey || ctrlKey || metaKey || nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.closest('fieldset')?.querySelector<HTMLElement>('[data-decides]')?.focus()
}

interface DecisionFormProps {
  action: ReviewAction
  user: User
  typed: DecisionTexts
  onType: (typed: DecisionTexts) => void
  /** Reasons against an approval. */
  doubts: readonly string[]
  /** Names documents that were not on screen. Approving then takes a second press. */
  unseen: string | null
  warning: Warning
  canDecide: boolean
  isPending: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Reasons against an approval and, after the first press, the request for a second one. */
function Doubts({ doubts, unseen, warning }: Pick<DecisionFormProps, 'doubts' | 'unseen' | 'warning'>) {
  const all = [...doubts, ...(unseen === null ? [] : [unseen])]
  if (all.length === 0) return null
  const mustRepeat = unseen !== null && warning !== 'none'
  return (
    <Note tone="warning" {...(mustRepeat && { role: 'alert' as const })}>
      {all.join(' ')}
      {mustRepeat && ' Press again to approve anyway.'}
    </Note>
  )
}

/** Confirms a decision. Plain Enter never rejects. */
export function DecisionForm({
  action,
  user,
  typed,
  onType,
  doubts,
  unseen,
  warning,
  canDecide,
  isPending,
  onConfirm,
  onCancel,
}: DecisionFormProps) {
  const { consequence, key } = actionTexts[action]
  const { button } = kycMove(action)
  const { icon: Icon } = decisionLooks[action]
  const id = useId()
  const isReject = action === 'reject'
  const [wasTouched, setTouched] = useState(false)
  const { reason, notes } = typed
  const isMissing = reason.trim() === ''
  const [reasonLength, notesLength] = [checkLength(reason, maxReason), checkLength(notes, maxAdminNotes)]
  const isReady = warning !== 'unread'
  const press = usePress(isReady, onConfirm)
  const changeReason = (text: string) => {
    setTouched(true)
    onType({ ...typed, reason: text })
  }
  return (
    <fieldset ref={focusFirstField} aria-labelledby={id} aria-describedby={`${id}-what`} className="min-w-0 space-y-3">
      <div>
        <h3 id={id} className="break-words">
          {button} KYC of <bdi>{displayName(user)}</bdi>?
        </h3>
        <p id={`${id}-what`} className="mt-0.5 text-12 text-quiet">
          {consequence}
        </p>
      </div>
      <BannedNote member={user} />
      {!isReject && <Doubts doubts={doubts} unseen={unseen} warning={warning} />}
      {isReject && (
        <>
          {/* In a low window the chips scroll sideways in one line, which leaves space for the field. */}
          <ReasonChips
            reason={reason}
            onChange={changeReason}
            disabled={isPending}
            className="max-roomy:low:-mx-(--gutter) max-roomy:low:-mt-1 max-roomy:low:mb-2 max-roomy:low:flex-nowrap max-roomy:low:overflow-x-auto max-roomy:low:px-(--gutter) max-roomy:low:py-1"
          />
          <Field
            label="Rejection reason"
            error={
              reasonLength.isTooLong ? reasonLength.words : isMissing && wasTouched ? kycMoves.rejected.refusal : null
            }
            {...(isMissing && !wasTouched ? { hint: kycMoves.rejected.refusal } : buildHint(reasonLength))}
          >
            {(control) => (
              <Textarea
                {...control}
                data-first=""
                data-text=""
                value={reason}
                dir="auto"
                readOnly={isPending}
                onChange={({ target }) => changeReason(dropSecondSpace(reason, target.value))}
              />
            )}
          </Field>
        </>
      )}
      <Field
        label="Admin notes"
        optional
        error={notesLength.isTooLong ? notesLength.words : null}
        {...buildHint(notesLength)}
      >
        {(control) => (
          <Textarea
            {...control}
            {...(!isReject && { 'data-text': '', onKeyDown: focusButtonOnEnter })}
            rows={1}
            value={notes}
            dir="auto"
            readOnly={isPending}
            onChange={({ target }) => onType({ ...typed, notes: target.value })}
          />
        )}
      </Field>
      <div className="flex gap-2 sticky -bottom-3 -mb-3 bg-surface py-3 roomy:-bottom-3.5 roomy:-mb-3.5 roomy:pb-3.5">
        <ChangeButton
          {...(!isReject && { 'data-first': '' })}
          data-decides=""
          variant={isReject ? 'danger-solid' : isReady ? 'primary' : 'default'}
          disabled={!canDecide || !isComplete(action, typed)}
          loading={isPending}
          {...(!isReady && { 'aria-disabled': true })}
          {...press}
          className={cn('flex-1', !isReady && 'text-disabled')}
        >
          <Icon aria-hidden />
          {!isReject && unseen !== null && warning !== 'none' ? 'Approve anyway' : button}
          <KeyHint onAccent>{key}</KeyHint>
        </ChangeButton>
        <Button disabled={isPending} onClick={onCancel} className="flex-1">
          Cancel
          <KeyHint>Esc</KeyHint>
        </Button>
      </div>
    </fieldset>
  )
}
