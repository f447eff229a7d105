import { useRef, useState, type CompositionEvent, type RefObject, useEffect, useEffectEvent } from 'react'
import { flushSync } from 'react-dom'
import type { SearchRequests } from '#web/app/search-keys.ts'

/** The text of an input, and the same without an unfinished composition. */
export function useTypedText() {
  const [text, setText] = useState('')
  const [composed, setComposed] = useState('')
  const isComposing = useRef(false)
  function setTyped(typed: string) {
    setText(typed)
    if (!isComposing.current) setComposed(typed)
  }
  const compositionHandlers = {
    onCompositionStart() {
      isComposing.current = true
    },
    onCompositionEnd({ currentTarget }: CompositionEvent<HTMLInputElement>) {
      isComposing.current = false
      setComposed(currentTarget.value)
    },
  }
  return { text, composed, setTyped, compositionHandlers }
}

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

interface RequestHandlers {
  onOpen: () => void
  focusInput: () => void
  onType: (typed: string) => void
  onEnter: () => void
}

/** Opens the search each time its key or button is pressed. Passes on what was typed until the input has the focus. */
export function useOpenRequests(
  { openCount, takeBuffered }: SearchRequests,
  { onOpen, focusInput, onType, onEnter }: RequestHandlers,
) {
  const onRequest = useEffectEvent(() => {
    focusInput()
    const buffered = takeBuffered()
    if (!buffered?.text) return
    // Runs before the next key, which is appended.
    queueMicrotask(() => {
      flushSync(() => onType(buffered.text))
      if (buffered.isEntered) onEnter()
    })
  })
  const [handledCount, setHandledCount] = useState(0)
  if (openCount !== handledCount) {
    setHandledCount(openCount)
    onOpen()
  }
  useEffect(() => {
    if (openCount > 0) onRequest()
  }, [openCount])
}
