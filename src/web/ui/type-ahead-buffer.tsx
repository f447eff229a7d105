import { useEffect } from 'react'

/** After this time the dialog is given up and the page gets the keys again. */
const maxWaitMs = 10_000

const isField = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text')

/**
 * Buffers typed text until the requested dialog has the focus. A text field that has it gets the text; from a dialog
 * that begins with a button the keys are kept no longer.
 */
function bufferKeys(): void {
  const done = new AbortController()
  const { signal } = done
  let text = ''
  const onKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    if (ctrlKey || metaKey || altKey || isField(target)) return
    if (key === 'Escape' || key === 'Tab') return done.abort()
    if (key === 'Backspace') text = text.slice(0, -1)
    else if (key.length === 1) text += key
    else if (key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
  }
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || !target.closest('[role=dialog], [role=alertdialog]')) return
    done.abort()
    if (text === '' || !isField(target)) return
    target.setRangeText(text, target.selectionStart ?? 0, target.selectionEnd ?? 0, 'end')
    target.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }))
  }
  window.addEventListener('keydown', onKey, { capture: true, signal })
  window.addEventListener('focusin', onFocus, { signal })
  window.addEventListener('pointerdown', () => done.abort(), { capture: true, signal })
  setTimeout(() => done.abort(), maxWaitMs)
}

/** Shown while a dialog's code loads, so that text typed meanwhile is not lost. */
export function TypeAheadBuffer() {
  useEffect(bufferKeys, [])
  return null
}
