import { useEffect, useEffectEvent, useRef, useState } from 'react'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'))
const overlay = '[role=dialog], [role=alertdialog], [role=menu]'

/** `/` where nothing is typed in, Ctrl-K or Cmd-K anywhere (product 3.7), unless a dialog or menu is open. */
function isSearchKey({ key, target, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented }: KeyboardEvent) {
  const isMeant =
    ctrlKey || metaKey ? key.toLowerCase() === 'k' && !altKey && !shiftKey : key === '/' && !altKey && !isTyping(target)
  return isMeant && !defaultPrevented && !document.querySelector(overlay)
}

/** A box that has not come by then does not come: the keys are the page's again. */
const patienceMs = 10_000

/** What was typed between the call of the search and the focus in its box. */
export interface TypedAhead {
  text: string
  isEntered: boolean
}

export interface SearchCalls {
  /** How often the search has been called. */
  calls: number
  /** Hands over, once, what was typed since the last call; from now on the box has the keys. */
  takeTyped: () => TypedAhead | undefined
}

/** Counts the calls of the search and keeps what is typed behind them until its box, which may have yet to come, has the focus. */
export function useSearchCalls(): SearchCalls & { call: () => void } {
  const [calls, setCalls] = useState(0)
  const typed = useRef<TypedAhead & { since: number }>(undefined)
  const call = () => {
    typed.current = { text: '', isEntered: false, since: performance.now() }
    setCalls((count) => count + 1)
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    const ahead = typed.current
    if (isSearchKey(event)) call()
    else if (!ahead || isTyping(target) || ctrlKey || metaKey || altKey) return
    else if (key === 'Escape' || performance.now() - ahead.since > patienceMs) return void (typed.current = undefined)
    else if (key === 'Enter') ahead.isEntered = true
    else if (key === 'Backspace') ahead.text = ahead.text.slice(0, -1)
    else if (key.length === 1) ahead.text += key
    else return
    event.preventDefault()
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  const takeTyped = () => {
    const taken = typed.current
    typed.current = undefined
    return taken
  }
  return { calls, call, takeTyped }
}
