import { useState, type MouseEvent } from 'react'
import { flushSync } from 'react-dom'

/** A second click within this long, at the same place, belongs to a double click. */
export const doubleClickMs = 600
const samePlacePx = 16

/** Ignores a click that follows at once at the same place, where another button may be by then. */
export function ignoreSecondClick({ detail, clientX, clientY }: MouseEvent): void {
  // A key press has no place.
  if (detail === 0) return
  const onClick = (event: globalThis.MouseEvent) => {
    const distance = Math.hypot(event.clientX - clientX, event.clientY - clientY)
    if (event.detail === 0 || distance > samePlacePx) return
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', onClick, { capture: true })
  setTimeout(() => window.removeEventListener('click', onClick, { capture: true }), doubleClickMs)
}

/** For a button whose press changes what it does next: it rests until a moment after the answer. */
export function useSinglePress() {
  const [isResting, setResting] = useState(false)
  return {
    restingProps: isResting ? { 'aria-disabled': true } : {},
    /** Begins the change unless the button rests; `begin` calls `end` once it is answered. */
    press: (event: MouseEvent, begin: (end: () => void) => void) => {
      if (isResting) return
      ignoreSecondClick(event)
      flushSync(() => setResting(true))
      begin(() => setTimeout(() => setResting(false), doubleClickMs))
    },
  }
}
