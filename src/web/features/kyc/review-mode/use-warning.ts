import { useEffect, useRef, useState, type KeyboardEvent } from 'react'

/** How long a warning stands before a press can mean that it was read. */
const readingMs = 1000

/** `unread` for the first second that it stands. */
export type Warning = 'none' | 'unread' | 'readable'

/** A warning that an approval is asked for twice: a double press does not answer it. */
export function useWarning() {
  const [warning, setWarning] = useState<Warning>('none')
  useEffect(() => {
    if (warning !== 'unread') return
    const timer = setTimeout(() => setWarning('readable'), readingMs)
    return () => clearTimeout(timer)
  }, [warning])
  return { warning, warn: () => setWarning('unread'), withdraw: () => setWarning('none') }
}

/** Handlers of a button whose press counts only if it also began while the button was ready. A held key presses once. */
export function usePress(isReady: boolean, onPress: () => void) {
  const beganEarly = useRef(false)
  const begin = () => {
    beganEarly.current = !isReady
  }
  return {
    onPointerDown: begin,
    onKeyDown: (event: KeyboardEvent) => (event.repeat ? event.preventDefault() : begin()),
    onClick: () => {
      if (isReady && !beganEarly.current) onPress()
      beganEarly.current = false
    },
  }
}
