import { useState, type ReactNode } from 'react'
import { kycMoves } from '#contract/kyc-moves.ts'
import { maxAdminNotes, maxReason } from '#contract/users.ts'
import { checkLength } from '#web/lib/length.ts'
import { Field } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { dropSecondSpace } from './ready-reasons.ts'

/** What an operator types for a decision on KYC: the reason of a rejection, and notes (product 9.5). */
export function useDecisionTexts(isReject: boolean) {
  const [reason, setReason] = useState('')
  const [notes, setNotes] = useState('')
  const [wasTouched, setTouched] = useState(false)
  const isMissing = isReject && reason.trim() === ''
  const reasonLength = checkLength(reason, maxReason)
  const notesLength = checkLength(notes, maxAdminNotes)
  return {
    isReject,
    reason,
    notes,
    wasTouched,
    isMissing,
    reasonLength,
    notesLength,
    canSend: !isMissing && !reasonLength.isTooLong && !notesLength.isTooLong,
    /** The body of the call. */
    body: { adminNotes: notes.trim() || null, ...(isReject && { rejectionReason: reason.trim() }) },
    setNotes,
    setReason: (text: string) => {
      setReason(text)
      setTouched(true)
    },
  }
}

interface DecisionFieldsProps {
  texts: ReturnType<typeof useDecisionTexts>
  /** The server's refusal, shown beside the first field. */
  refusal: string | null
  /** Stands under the reason. */
  children?: ReactNode
}

const buildHint = ({ words, isTooLong }: ReturnType<typeof checkLength>) =>
  words !== null && !isTooLong && { hint: words }

export function DecisionFields({ texts, refusal, children }: DecisionFieldsProps) {
  const { isReject, reason, notes, wasTouched, isMissing, reasonLength, notesLength, setReason, setNotes } = texts
  const reasonFault = reasonLength.isTooLong ? reasonLength.words : refusal
  return (
    <>
      {isReject && (
        <div className="mb-4">
          <Field
            label="Rejection reason"
            error={isMissing && wasTouched ? kycMoves.rejected.refusal : reasonFault}
            {...(isMissing && !wasTouched && { hint: kycMoves.rejected.refusal })}
            {...buildHint(reasonLength)}
          >
            {(control) => (
              <Textarea
                {...control}
                value={reason}
                dir="auto"
                onChange={({ target }) => setReason(dropSecondSpace(reason, target.value))}
              />
            )}
          </Field>
          {children}
        </div>
      )}
      <Field
        label="Admin notes"
        optional
        error={notesLength.isTooLong ? notesLength.words : isReject ? null : refusal}
        {...buildHint(notesLength)}
      >
        {(control) => (
          <Textarea {...control} value={notes} dir="auto" onChange={({ target }) => setNotes(target.value)} />
        )}
      </Field>
    </>
  )
}
