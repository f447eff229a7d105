import { useState, type KeyboardEvent } from 'react'
import { kycMoves } from '#contract/kyc-moves.ts'
import type { MissingPart } from '#contract/kyc-parts.ts'
import { maxLookNote, type ReviewAction } from '#contract/kyc-reviews.ts'
import { maxAdminNotes, maxReason } from '#contract/members.ts'
import { isComposingKey } from '#web/lib/keys.ts'
import { checkLength } from '#web/lib/length.ts'
import { dropSecondSpace } from '#web/reviews/ready-reasons.ts'
import { ReasonChips } from '#web/reviews/reason-chips.tsx'
import { LongTextField } from '#web/ui/text-field.tsx'

/** The texts typed for a case. They stay while the case is open, also after a refusal. */
export interface DecisionTexts {
  reason: string
  notes: string
  /** To a colleague who is to look at the case. */
  look: string
}

/** What can be done with a case: a decision, or putting it aside for a colleague. */
export type CaseAction = ReviewAction | 'look'

const isFilled = (text: string, most: number) => text.trim() !== '' && checkLength(text, most).error === null

/** Whether a decision with these texts can be sent (product 9.5). */
export const isComplete = (action: CaseAction, { reason, notes, look }: DecisionTexts) =>
  action === 'look'
    ? isFilled(look, maxLookNote)
    : checkLength(notes, maxAdminNotes).error === null && (action === 'approve' || isFilled(reason, maxReason))

interface RejectionReasonProps {
  reason: string
  missing: readonly MissingPart[]
  isPending: boolean
  onChange: (reason: string) => void
}

export function RejectionReason({ reason, missing, isPending, onChange }: RejectionReasonProps) {
  const [wasTouched, setTouched] = useState(false)
  const isMissing = reason.trim() === ''
  const length = checkLength(reason, maxReason)
  const change = (text: string) => {
    setTouched(true)
    onChange(text)
  }
  return (
    <>
      {/* In a low window the chips scroll sideways in one line, which leaves space for the field. */}
      <ReasonChips
        reason={reason}
        onChange={change}
        missing={missing}
        disabled={isPending}
        className="max-roomy:low:-mx-(--gutter) max-roomy:low:-mt-1 max-roomy:low:mb-2 max-roomy:low:flex-nowrap max-roomy:low:overflow-x-auto max-roomy:low:px-(--gutter) max-roomy:low:py-1"
      />
      <LongTextField
        label="Rejection reason"
        error={isMissing && wasTouched ? kycMoves.rejected.refusal : length.error}
        hint={isMissing && !wasTouched ? kycMoves.rejected.refusal : length.hint}
        data-first=""
        data-text=""
        inputClassName="max-roomy:very-low:scroll-my-8"
        value={reason}
        readOnly={isPending}
        onType={(text) => change(dropSecondSpace(reason, text))}
      />
    </>
  )
}

/** Enter in an approval's notes moves the focus to the button, so that typing never approves. */
function focusButtonOnEnter(event: KeyboardEvent<HTMLElement>) {
  const { key, shiftKey, ctrlKey, metaKey, nativeEvent } = event
  if (key !== 'Enter' || shiftKey || ctrlKey || metaKey || isComposingKey(nativeEvent)) return
  event.preventDefault()
  event.currentTarget.closest('fieldset')?.querySelector<HTMLElement>('[data-decides]')?.focus()
}

interface AdminNotesProps {
  action: ReviewAction
  notes: string
  isPending: boolean
  onChange: (notes: string) => void
}

export function AdminNotes({ action, notes, isPending, onChange }: AdminNotesProps) {
  return (
    <LongTextField
      label="Admin notes"
      optional
      {...checkLength(notes, maxAdminNotes)}
      {...(action === 'approve' && { 'data-text': '', onKeyDown: focusButtonOnEnter })}
      rows={1}
      value={notes}
      readOnly={isPending}
      onType={onChange}
    />
  )
}
