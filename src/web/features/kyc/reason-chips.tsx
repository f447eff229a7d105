import { readyReasons, toggleReason } from './ready-reasons.ts'

interface ReasonChipsProps {
  reason: string
  onChange: (reason: string) => void
}

/** Ready reasons in the member's words: one click adds or takes away the sentence, and the text stays open to be written on. */
export const ReasonChips = ({ reason, onChange }: ReasonChipsProps) => (
  <fieldset aria-label="Ready reasons" className="mt-2 mb-4 flex flex-wrap gap-1.5">
    {readyReasons.map(({ sentence, name }) => (
      <button
        key={sentence}
        type="button"
        title={sentence}
        aria-pressed={reason.includes(sentence)}
        onClick={() => onChange(toggleReason(reason, sentence))}
        className="h-(--control-small) rounded-m border border-border-control bg-raised px-2 text-12 font-medium transition-colors hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-ink max-md:px-3"
      >
        {name}
      </button>
    ))}
  </fieldset>
)
