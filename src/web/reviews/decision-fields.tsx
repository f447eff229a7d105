import { useState, type ReactNode } from 'react'
import { kycMoves } from '#contract/kyc-moves.ts'
import { maxAdminNotes, maxReason } from '#contract/members.ts'
import { checkLength } from '#web/lib/length.ts'
import { LongTextField } from '#web/ui/text-field.tsx'
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
    canSend: !isMissing && reasonLength.error === null && notesLength.error === null,
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

export function DecisionFields({ texts, refusal, children }: DecisionFieldsProps) {
  const { isReject, reason, notes, wasTouched, isMissing, reasonLength, notesLength, setReason, setNotes } = texts
  return (
    <>
      {isReject && (
        <div className="mb-4">
          <LongTextField
            label="Rejection reason"
            error={isMissing && wasTouched ? kycMoves.rejected.refusal : (reasonLength.error ?? refusal)}
            hint={isMissing && !wasTouched ? kycMoves.rejected.refusal : reasonLength.hint}
            value={reason}
            onType={(text) => setReason(dropSecondSpace(reason, text))}
          />
          {children}
        </div>
      )}
      <LongTextField
        label="Admin notes"
        optional
        error={notesLength.error ?? (isReject ? null : refusal)}
        hint={notesLength.hint}
        value={notes}
        onType={setNotes}
      />
    </>
  )
}
