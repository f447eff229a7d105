import { useEffect } from 'react'

/** A dialog that has not come by then does not come: the keys are the page's again. */
const maxWaitMs = 10_000

const isField = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text')

/** Keeps what is typed until a text field of the dialog that was asked for has the focus, and writes it there. */
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
    if (!isField(target) || !target.closest('[role=dialog]')) return
    done.abort()
    if (text === '') return
    target.setRangeText(text, target.selectionStart ?? 0, target.selectionEnd ?? 0, 'end')
    target.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }))
  }
  window.addEventListener('keydown', onKey, { capture: true, signal })
  window.addEventListener('focusin', onFocus, { signal })
  window.addEventListener('pointerdown', () => done.abort(), { capture: true, signal })
  setTimeout(() => done.abort(), maxWaitMs)
}

/** Stands in place of a dialog whose code is being fetched: what is typed meanwhile is not lost. */
export function TypeAheadBuffer() {
  useEffect(bufferKeys, [])
  return null
}
