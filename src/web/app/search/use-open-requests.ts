import { useEffect, useEffectEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import type { SearchRequests } from '#web/app/search-keys.ts'

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
