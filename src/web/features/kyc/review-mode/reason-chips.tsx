import { rejectionReasons } from '#contract/kyc-reviews.ts'
import { KeyHint } from './key-hint.tsx'

type ReadyReason = (typeof rejectionReasons)[number]

/** What stands on the chips; the member reads the whole sentence. */
const shortly: Record<ReadyReason, string> = {
  'The document is not readable. Please upload a sharp photo without glare.': 'Not readable',
  'The document has expired. Please upload a valid one.': 'Expired',
  'A side of the document is missing. Please upload front and back.': 'Side missing',
  'The name on the document differs from the one given.': 'Name differs',
  'The date of birth on the document differs from the one given.': 'Birth date differs',
  'The selfie does not show the person on the document.': 'Face differs',
  'This type of document is not accepted. Please use a passport, an identity card or a residence permit.':
    'Type not accepted',
}

/** The reason with this sentence added at its end, or taken away where it is in it already; what was typed stays. */
export function toggleReason(reason: string, sentence: string): string {
  if (!reason.includes(sentence)) return [reason.trim(), sentence].filter(Boolean).join(' ')
  return reason.replace(sentence, '').replaceAll(/ {2,}/g, ' ').trim()
}

interface ReasonChipsProps {
  reason: string
  /** Kept in reach, so that the focus stays where it is while a decision is under way. */
  disabled: boolean
  onToggle: (sentence: string) => void
}

/** Ready reasons, numbered by the keys that pick them. */
export const ReasonChips = ({ reason, disabled, onToggle }: ReasonChipsProps) => (
  <fieldset aria-label="Ready reasons" className="flex flex-wrap gap-1.5">
    {rejectionReasons.map((sentence, index) => (
      <button
        key={sentence}
        type="button"
        title={sentence}
        aria-disabled={disabled}
        aria-pressed={reason.includes(sentence)}
        aria-keyshortcuts={String(index + 1)}
        onClick={() => !disabled && onToggle(sentence)}
        className="inline-flex h-(--control-small) items-center gap-1.5 rounded-m border border-border-strong bg-raised px-1.5 text-12 font-medium transition-colors hover:border-border-control hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-ink max-roomy:px-2.5"
      >
        <KeyHint>{String(index + 1)}</KeyHint>
        {shortly[sentence]}
      </button>
    ))}
  </fieldset>
)
