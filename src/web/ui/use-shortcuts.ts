import { useLayoutEffect, useRef } from 'react'
import { isComposingKey, readKey } from '#web/lib/keys.ts'

export const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'))
/** Letters mean nothing to the box of a row. */
export const takesLetters = (target: EventTarget | null) =>
  isField(target) && !(target instanceof HTMLInputElement && target.type === 'checkbox')
const overlay = '[role=dialog], [role=alertdialog], [role=menu]'
/** Whether no dialog covers this element. */
export const isOnTop = (element: Element | null) =>
  ([...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1) ?? null) ===
  (element?.closest('[role=dialog], [role=alertdialog]') ?? null)
/** Elements that scroll by arrow keys while they have the focus. */
const scroller = '[data-scrolls]'

function isShortcut(event: KeyboardEvent): boolean {
  const { target } = event
  const key = readKey(event)
  if (event.defaultPrevented || isComposingKey(event) || event.ctrlKey || event.metaKey || event.altKey) return false
  // A held key repeats moves of the picture, but no letter or digit.
  if (key.length === 1 && /[a-z\d]/.test(key) && (event.repeat || event.shiftKey)) return false
  if (key.startsWith('Arrow') && target instanceof Element && target.closest(scroller)) return false
  return !takesLetters(target) && !document.querySelector(overlay)
}

/** Shortcuts that act as soon as their part shows, wherever the focus is, but in text fields and under a dialog. */
export function useShortcuts(keys: Record<string, (() => void) | false | undefined>): void {
  const latest = useRef(keys)
  useLayoutEffect(() => {
    latest.current = keys
  })
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = latest.current[readKey(event)]
      if (!act || !isShortcut(event)) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
