import { useEffect, useEffectEvent, useRef } from 'react'
import type { MissingPart } from '#contract/kyc-parts.ts'
import { cn } from '#web/lib/cn.ts'
import { isComposingKey } from '#web/lib/keys.ts'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { isOnTop } from '#web/ui/use-shortcuts.ts'
import { listReadyReasons, toggleReason } from './ready-reasons.ts'
import { ReasonTemplates } from './reason-templates.tsx'

const chipLook = cn(
  'inline-flex h-(--control-small) shrink-0 items-center gap-1.5 rounded-m border border-border-strong bg-raised',
  'px-1.5 text-12 font-medium whitespace-nowrap transition-colors hover:border-border-control hover:bg-hover',
  'aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-ink max-roomy:px-2.5',
)

interface ReasonChipsProps {
  reason: string
  onChange: (reason: string) => void
  /** What the attempt lacks: its reasons come first. */
  missing: readonly MissingPart[]
  /** Disabled chips stay focusable, so that the focus stays while a decision is sent. */
  disabled?: boolean
  className?: string
}

/**
 * Prepared reasons: each chip adds or removes its sentence, and the text stays editable. Alt with a digit picks one,
 * and Alt with T opens the templates, wherever the focus is.
 */
export function ReasonChips({ reason, onChange, missing, disabled = false, className }: ReasonChipsProps) {
  const readyReasons = listReadyReasons(missing)
  const chips = useRef<HTMLFieldSetElement>(null)
  const templates = useRef<HTMLButtonElement>(null)
  const toggle = (sentence: string) => {
    if (!disabled) onChange(toggleReason(reason, sentence))
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { altKey, ctrlKey, metaKey, shiftKey, repeat, code } = event
    if (!altKey || ctrlKey || metaKey || shiftKey || isComposingKey(event) || !isOnTop(chips.current)) return
    // The physical key, whatever character the keyboard layout gives it.
    const picked = readyReasons.find(({ digit }) => code === `Digit${digit}`)
    if (!picked && code !== 'KeyT') return
    event.preventDefault()
    if (repeat) return
    if (picked) toggle(picked.sentence)
    else templates.current?.click()
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <fieldset ref={chips} aria-label="Ready reasons" className={cn('flex min-w-0 flex-wrap gap-1.5', className)}>
      {readyReasons.map(({ sentence, name, digit }) => (
        <button
          key={sentence}
          type="button"
          title={sentence}
          aria-disabled={disabled || undefined}
          aria-pressed={reason.includes(sentence)}
          aria-keyshortcuts={`Alt+${digit}`}
          // A click leaves the focus in the text, so that a space types and presses no chip.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => toggle(sentence)}
          className={chipLook}
        >
          <KeyHint>{`Alt ${digit}`}</KeyHint>
          {name}
        </button>
      ))}
      <ReasonTemplates button={templates} reason={reason} disabled={disabled} onToggle={toggle} className={chipLook} />
    </fieldset>
  )
}
