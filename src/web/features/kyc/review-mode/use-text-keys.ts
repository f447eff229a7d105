import { useEffect, type RefObject } from 'react'
import type { ReviewAction } from '#contract/kyc-reviews.ts'
import { isField } from './use-shortcuts.ts'

/** A key that writes: a character, the first key of an accent or of an input method, or Ctrl or Cmd with V. */
const isWriting = ({ key, isComposing, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
  if (isComposing || altKey) return false
  return ctrlKey || metaKey ? key.toLowerCase() === 'v' : key.length === 1 || key === 'Dead' || key === 'Process'
}

/** A second A within this long after the one that opened the form of an approval is no note. */
const doublePressMs = 400

/**
 * While a decision is asked for, what is typed or pasted goes into its text field (`data-text`) wherever the focus is: a
 * letter never acts as a shortcut, and a space never presses the button that decides. The key that opened the form writes
 * nothing while it is held, nor does the A of an approval that is pressed twice.
 */
export function useTextKeys(form: RefObject<HTMLElement | null>, action: ReviewAction | null): void {
  useEffect(() => {
    if (action === null) return
    let isHeld = true
    let isFirst = true
    const opened = performance.now()
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event
      isHeld &&= event.repeat
      const isSecondPress = isFirst && action === 'approve' && key === 'a' && performance.now() - opened < doublePressMs
      isFirst &&= event.repeat
      if (!isWriting(event) || document.querySelector('[role=dialog]')) return
      if (isHeld || isSecondPress) return event.preventDefault()
      // A space presses any other button as it always does.
      const isPress = key === ' ' && target instanceof HTMLButtonElement && !target.hasAttribute('data-decides')
      if (isPress || isField(target)) return
      const field = form.current?.querySelector<HTMLTextAreaElement>('[data-text]')
      if (!field || field.readOnly) return
      // The key is written by the field that has the focus when it acts; shortcuts do not hear of it.
      event.stopPropagation()
      field.focus()
      field.setSelectionRange(field.value.length, field.value.length)
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [form, action])
}
