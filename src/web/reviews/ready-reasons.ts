import type { MissingPart } from '#contract/kyc-parts.ts'
import { missingReasons, rejectionReasons } from '#contract/rejection-reasons.ts'

/** The labels of the chips. The member reads the whole sentence. */
const chipLabels: Record<(typeof rejectionReasons)[number], string> = {
  'The document is not readable. Please upload a sharp photo without glare.': 'Not readable',
  'The document has expired. Please upload a valid one.': 'Expired',
  'A side of the document is missing. Please upload front and back.': 'Side missing',
  'The name on the document differs from the one given.': 'Name differs',
  'The date of birth on the document differs from the one given.': 'Birth date differs',
  'The selfie does not show the person on the document.': 'Face differs',
  'This type of document is not accepted. Please use a passport, an identity card or a residence permit.':
    'Type not accepted',
}

interface ReadyReason {
  sentence: string
  name: string
  /** Alt with it picks the reason. */
  digit: string
}

export const readyReasons: readonly ReadyReason[] = rejectionReasons.map((sentence, index) => ({
  sentence,
  name: chipLabels[sentence],
  digit: String(index + 1),
}))

const missingNames: Record<keyof typeof missingReasons, string> = {
  personal_data: 'Data missing',
  document_type: 'Document missing',
  back: 'Back missing',
  selfie: 'Selfie missing',
}

/** The reasons for what an attempt lacks, then the others, whose keys stay as they are. */
export function listReadyReasons(missing: readonly MissingPart[]): readonly ReadyReason[] {
  const lacks = missing.filter((part) => part in missingReasons) as (keyof typeof missingReasons)[]
  const first = lacks.map((part, index) => ({
    sentence: missingReasons[part],
    name: missingNames[part],
    digit: String((readyReasons.length + 1 + index) % 10),
  }))
  return [...first, ...readyReasons]
}

const sentences: readonly string[] = [...rejectionReasons, ...Object.values(missingReasons)]
const endsWithReadyReason = (text: string) => sentences.some((sentence) => text.endsWith(sentence))

/**
 * Adds the sentence to the end of the reason, or removes it where it is there. Typed text stays. A space follows a
 * prepared sentence, so that the operator can type on.
 */
export function toggleReason(reason: string, sentence: string): string {
  const at = reason.indexOf(sentence)
  const parts = at === -1 ? [reason, sentence] : [reason.slice(0, at), reason.slice(at + sentence.length)]
  const text = parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join(' ')
  return endsWithReadyReason(text) || text.endsWith(sentence) ? `${text} ` : text
}

/** Returns `after`, or `before` where only a second space behind a sentence was typed. */
export const dropSecondSpace = (before: string, after: string): string =>
  after === `${before} ` && before.endsWith('. ') ? before : after
