import { casePartLabels, type MissingPart } from '#contract/kyc-parts.ts'
import { Note } from '#web/ui/note.tsx'
import type { SecondPress } from './use-second-press.ts'

const listFormat = new Intl.ListFormat('en-GB')

/** “Identity back and Selfie have not been on screen.” */
export const describeParts = (labels: readonly string[], one: string, more: string) =>
  `${listFormat.format(labels)} ${labels.length === 1 ? one : more}.`

/** What is missing, in a sentence. None where nothing is. */
export function describeMissing(missing: readonly MissingPart[]): string[] {
  const labels = missing.flatMap((part) => (part === 'attempt' ? [] : [casePartLabels[part]]))
  if (labels.length > 0) return [describeParts(labels, 'is missing', 'are missing')]
  return missing.length > 0 ? ['Nothing was submitted.'] : []
}

interface DoubtsProps {
  /** Reasons against it, in sentences. */
  doubts: readonly string[]
  /** What is not a reason against it, but asks for a second press too. */
  hint?: string
  secondPress: Pick<SecondPress, 'isAsked'>
  /** What the second press does. */
  act?: string
  className?: string
}

/** Reasons against an approval or another act and, after the first press, the request for a second one. */
export function Doubts({ doubts, hint, secondPress: { isAsked }, act = 'approve', className }: DoubtsProps) {
  const sentences = [...doubts, ...(hint ? [hint] : []), ...(isAsked ? [`Press again to ${act} anyway.`] : [])]
  if (sentences.length === 0) return null
  return (
    <Note
      tone={doubts.length > 0 || isAsked ? 'warning' : 'info'}
      {...(isAsked && { role: 'alert' as const })}
      {...(className && { className })}
    >
      {sentences.join(' ')}
    </Note>
  )
}
