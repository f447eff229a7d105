import { KeyHint } from '#web/ui/key-hint.tsx'
import { readyReasons, toggleReason } from './ready-reasons.ts'

interface ReasonChipsProps {
  reason: string
  onChange: (reason: string) => void
  /** Kept in reach, so that the focus stays where it is while a decision is under way. */
  disabled?: boolean
  /** Where a number key picks a reason, its chip says so. */
  withKeys?: boolean
}

/** Ready reasons in the member's words: each adds or takes away its sentence, and the text stays open to be written on. */
export const ReasonChips = ({ reason, onChange, disabled = false, withKeys = false }: ReasonChipsProps) => (
  <fieldset aria-label="Ready reasons" className="flex flex-wrap gap-1.5">
    {readyReasons.map(({ sentence, name, key }) => (
      <button
        key={sentence}
        type="button"
        title={sentence}
        aria-disabled={disabled || undefined}
        aria-pressed={reason.includes(sentence)}
        aria-keyshortcuts={withKeys ? key : undefined}
        onClick={() => !disabled && onChange(toggleReason(reason, sentence))}
        className="inline-flex h-(--control-small) items-center gap-1.5 rounded-m border border-border-strong bg-raised px-1.5 text-12 font-medium transition-colors hover:border-border-control hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-ink max-roomy:px-2.5"
      >
        {withKeys && <KeyHint>{key}</KeyHint>}
        {name}
      </button>
    ))}
  </fieldset>
)
