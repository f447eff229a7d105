import { useRef, type RefObject } from 'react'

/** Moves the focus to the input in `box`, and later back to where it was. */
export function useInputFocus(box: RefObject<HTMLElement | null>) {
  const opener = useRef<Element>(null)
  const input = () => box.current?.querySelector('input')
  function focusInput() {
    if (document.activeElement !== input()) opener.current = document.activeElement
    input()?.select()
  }
  /** Moves the focus back to where it was, or to the new page. */
  function leaveInput(isGone: boolean) {
    const next = isGone ? document.querySelector('main') : opener.current
    opener.current = null
    if (next instanceof HTMLElement && next !== document.body) next.focus({ preventScroll: true })
    else input()?.blur()
  }
  return { input, focusInput, leaveInput }
}
