import { useRef, useState, type CompositionEvent } from 'react'

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
