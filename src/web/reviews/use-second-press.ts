import { useEffect, useRef, useState } from 'react'

/** How long a warning must be visible before a press counts. */
const readingMs = 1000

/**
 * An action that takes a second press while `isNeeded`. The second counts only if it begins a second or more after the
 * warning that the first has raised: neither a double press nor a held key confirms it.
 */
export function useSecondPress(isNeeded: boolean) {
  const [state, setState] = useState<'unasked' | 'unread' | 'readable'>('unasked')
  const beganEarly = useRef(false)
  useEffect(() => {
    if (state !== 'unread') return
    const timer = setTimeout(() => setState('readable'), readingMs)
    return () => clearTimeout(timer)
  }, [state])
  useEffect(() => {
    if (state === 'unasked') return
    const stop = new AbortController()
    const onBegin = (event: Event) => {
      if (!(event instanceof KeyboardEvent && event.repeat)) beganEarly.current = state === 'unread'
      else if (event.key === 'Enter') event.preventDefault()
    }
    for (const begin of ['pointerdown', 'keydown'])
      window.addEventListener(begin, onBegin, { capture: true, signal: stop.signal })
    return () => stop.abort()
  }, [state])
  const isAsked = isNeeded && state !== 'unasked'
  const isEarly = state === 'unread'
  return {
    /** Whether the second press is asked for. */
    isAsked,
    /** The action, named for its second press. In the first second `isEarly` keeps its button off, with the focus. */
    nameAction: <Action extends { label: string }>(action: Action) => ({
      ...action,
      isEarly,
      ...(isAsked && { label: `${action.label} anyway` }),
    }),
    /** Acts at the press that counts. */
    press: (act: () => void) => {
      const isLate = !isEarly && !beganEarly.current
      beganEarly.current = false
      if (isNeeded && state === 'unasked') setState('unread')
      else if (isLate) act()
    },
    withdraw: () => setState('unasked'),
  }
}
export type SecondPress = ReturnType<typeof useSecondPress>
