import { useEffect, type RefObject } from 'react'
import { isField } from './use-keys.ts'

/** A key that writes: a character, the first key of an accent or of an input method, or Ctrl or Cmd with V. */
const isWriting = ({ key, isComposing, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
  if (isComposing || altKey) return false
  return ctrlKey || metaKey ? key.toLowerCase() === 'v' : key.length === 1 || key === 'Dead' || key === 'Process'
}

/**
 * While a decision is asked for, what is typed or pasted goes into its text field (`data-text`) wherever the focus is: a
 * letter never acts as a shortcut, and a space never presses the button that decides. A key held since the form opened
 * writes nothing.
 */
export function useTextKeys(form: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return
    let isHeld = true
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event
      isHeld &&= event.repeat
      if (!isWriting(event) || document.querySelector('[role=dialog]')) return
      if (isHeld) return event.preventDefault()
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
  }, [form, isOpen])
}
