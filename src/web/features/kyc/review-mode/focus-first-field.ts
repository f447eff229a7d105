import type { RefCallback } from 'react'

/** A ref for a form that moves the focus to its first field as it appears. */
export const focusFirstField: RefCallback<HTMLElement> = (form) => {
  const first = form?.querySelector<HTMLElement>('[data-first]')
  first?.focus({ preventScroll: true })
  if (!(first instanceof HTMLTextAreaElement)) return
  first.setSelectionRange(first.value.length, first.value.length)
  // In a low window the field is under the buttons at first.
  first.scrollIntoView({ block: 'nearest' })
}
