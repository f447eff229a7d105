import { Check, TriangleAlert } from 'lucide-react'
import {
  casePartLabels,
  listAskedParts,
  listMissingParts,
  type MissingPart,
  type SentParts,
} from '#contract/kyc-parts.ts'
import { formatMachineWord } from '#web/lib/words.ts'
import { Badge } from '#web/ui/badge.tsx'
import { describeMissing, Doubts } from './doubts.tsx'
import { useSecondPress } from './use-second-press.ts'

/** What an approval asks for of an attempt, and which of it is missing (product 5.10). */
function CaseParts({ sent }: { sent: SentParts }) {
  const { documentType } = sent
  const missing = new Set<string>(listMissingParts(sent))
  return (
    <ul aria-label="What the attempt has" className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-1.5">
      {listAskedParts(documentType).map((part) => {
        const label = part === 'document_type' && documentType ? formatMachineWord(documentType) : casePartLabels[part]
        return (
          <li key={part}>
            {missing.has(part) ? (
              <Badge tone="warning" icon={TriangleAlert}>
                {label} missing
              </Badge>
            ) : (
              <Badge plain tone="success" icon={Check}>
                <bdi>{label}</bdi>
              </Badge>
            )}
          </li>
        )
      })}
    </ul>
  )
}

interface UnseenApproval {
  /** False for another decision in the same dialog. */
  isApproval: boolean
  missing: readonly MissingPart[]
  /** Null where none was submitted, or where only what is missing is known. */
  sent: SentParts | null
  /** Where the documents can be seen, in a sentence. */
  elsewhere: string
}

/** An approval in a dialog, where no document is on screen: it says what the attempt has, and takes a second press (product 5.10). */
export function useUnseenApproval({ isApproval, missing, sent, elsewhere }: UnseenApproval) {
  const secondPress = useSecondPress(isApproval)
  const hint = missing.includes('attempt') ? '' : `No document is on screen here. ${elsewhere}`
  return {
    ...secondPress,
    notes: isApproval && (
      <>
        {sent && <CaseParts sent={sent} />}
        <Doubts doubts={describeMissing(missing)} hint={hint} secondPress={secondPress} className="mb-4" />
      </>
    ),
  }
}
