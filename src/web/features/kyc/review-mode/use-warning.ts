import { useEffect, useRef, useState, type KeyboardEvent } from 'react'

/** How long a warning must be visible before a press counts. */
const readingMs = 1000

/** `unread` for the first second. */
export type Warning = 'none' | 'unread' | 'readable'

/** The warning before an approval of unseen documents. A double press does not confirm it. */
export function useWarning() {
  const [warning, setWarning] = useState<Warning>('none')
  useEffect(() => {
    if (warning !== 'unread') return
    const timer = setTimeout(() => setWarning('readable'), readingMs)
    return () => clearTimeout(timer)
  }, [warning])
  return { warning, warn: () => setWarning('unread'), withdraw: () => setWarning('none') }
}

/** Handlers of a button whose press must begin while it is ready. A held key presses once. */
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
