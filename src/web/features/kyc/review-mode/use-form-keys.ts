import { useEffect, useRef, type RefObject } from 'react'
import { isComposingKey, readKey } from '#web/lib/keys.ts'
import { useEscapeHandler } from '#web/ui/escape.ts'
import { isField } from '#web/ui/use-shortcuts.ts'
import type { CaseAction } from './decision-texts.tsx'

/** Whether a key types: a character, a dead key, a key of an input method, or Ctrl or Cmd with V. */
const isWriting = (event: KeyboardEvent) => {
  const { key, isComposing, ctrlKey, metaKey, altKey } = event
  if (isComposing || altKey) return false
  return ctrlKey || metaKey ? readKey(event) === 'v' : key.length === 1 || key === 'Dead' || key === 'Process'
}

/** A second A within this time after opening an approval's form is ignored. */
const doublePressMs = 400

/**
 * While a decision's form is open, typed and pasted text goes into its field (`data-text`) wherever the focus is. A
 * letter is not a shortcut, and a space never presses the deciding button. The held key that opened the form types
 * nothing, nor does a second A.
 */
export function useTextKeys(form: RefObject<HTMLElement | null>, action: CaseAction | null): void {
  useEffect(() => {
    if (action === null) return
    let isHeld = true
    let isFirst = true
    const opened = performance.now()
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event
      isHeld &&= event.repeat
      const isSecondPress =
        isFirst && action === 'approve' && readKey(event) === 'a' && performance.now() - opened < doublePressMs
      isFirst &&= event.repeat
      if (!isWriting(event) || document.querySelector('[role=dialog]')) return
      if (isHeld || isSecondPress) return event.preventDefault()
      // A space presses any other button as usual.
      const isPress = key === ' ' && target instanceof HTMLButtonElement && !target.hasAttribute('data-decides')
      if (isPress || isField(target)) return
      const field = form.current?.querySelector<HTMLTextAreaElement>('[data-text]')
      if (!field || field.readOnly) return
      // The field gets the focus before the key takes effect, and shortcuts do not get the key.
      event.stopPropagation()
      field.focus()
      field.setSelectionRange(field.value.length, field.value.length)
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [form, action])
}

const overlay = '[role=dialog], [role=alertdialog], [role=menu]'

/** Escape goes one step back and Ctrl or Cmd with Enter confirms, also in text fields of `container`. */
export function useFormKeys(
  container: RefObject<HTMLElement | null>,
  { onEscape, onConfirm }: { onEscape: () => void; onConfirm: (() => void) | undefined },
): void {
  const latest = useRef({ onEscape, onConfirm })
  useEffect(() => {
    latest.current = { onEscape, onConfirm }
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event
      if (event.defaultPrevented || isComposingKey(event) || document.querySelector(overlay)) return
      const isElsewhere = target instanceof HTMLElement && target.matches('input, select, textarea')
      if (isElsewhere && !container.current?.contains(target)) return
      const { onEscape: back, onConfirm: confirm } = latest.current
      if (key === 'Escape') {
        event.preventDefault()
        back()
      } else if (key === 'Enter' && (event.ctrlKey || event.metaKey) && confirm) {
        event.preventDefault()
        confirm()
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [container])
  // A toast leaves Escape to this screen, as to a dialog.
  useEscapeHandler(() => latest.current.onEscape())
}
