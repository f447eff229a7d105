import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { readKey } from '#web/lib/keys.ts'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'))
const overlay = '[role=dialog], [role=alertdialog], [role=menu]'

/** `/` outside of text fields, or Ctrl-K or Cmd-K anywhere (product 3.7), unless a dialog or menu is open. */
function isSearchKey(event: KeyboardEvent) {
  const { target, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented } = event
  const key = readKey(event)
  const isMeant = ctrlKey || metaKey ? key === 'k' && !altKey && !shiftKey : key === '/' && !altKey && !isTyping(target)
  return isMeant && !defaultPrevented && !document.querySelector(overlay)
}

/** After this time the box is given up and the page gets the keys again. */
const maxWaitMs = 10_000

/** Text typed after the shortcut, before the box has the focus. */
export interface BufferedText {
  text: string
  isEntered: boolean
}

export interface SearchRequests {
  /** How often the search was opened by its key or button. */
  openCount: number
  /** Returns the buffered text once and ends buffering. From then on the box gets the keys. */
  takeBuffered: () => BufferedText | undefined
}

/** Opens the search by key, and buffers typed text until the box has loaded and has the focus. */
export function useSearchShortcut(): SearchRequests & { openSearch: () => void } {
  const [openCount, setOpenCount] = useState(0)
  const buffer = useRef<BufferedText & { since: number }>(undefined)
  const openSearch = () => {
    buffer.current = { text: '', isEntered: false, since: performance.now() }
    setOpenCount((count) => count + 1)
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    const buffered = buffer.current
    if (isSearchKey(event)) openSearch()
    else if (!buffered || isTyping(target) || ctrlKey || metaKey || altKey) return
    else if (key === 'Escape' || performance.now() - buffered.since > maxWaitMs)
      return void (buffer.current = undefined)
    else if (key === 'Enter') buffered.isEntered = true
    else if (key === 'Backspace') buffered.text = buffered.text.slice(0, -1)
    else if (key.length === 1) buffered.text += key
    else return
    event.preventDefault()
  })
  // Before the page can be seen, so that no key is missed.
  useLayoutEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  const takeBuffered = () => {
    const taken = buffer.current
    buffer.current = undefined
    return taken
  }
  return { openCount, openSearch, takeBuffered }
}
