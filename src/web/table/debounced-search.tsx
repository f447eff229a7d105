import { useEffect, useRef, useState } from 'react'
import { SearchInput } from '#web/ui/search-input.tsx'

const pause = 250

interface DebouncedSearchProps {
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  className?: string
}

/** Tells `onChange` once typing pauses. Nothing typed is lost to an answer that comes in between. */
export function DebouncedSearch({ value, onChange, ...rest }: DebouncedSearchProps) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  // A value we did not send (Back, a pasted link, the header's search) replaces what stands in the box.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    clearTimeout(timer.current)
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  function send(typed: string) {
    clearTimeout(timer.current)
    if (typed === sent.current) return
    sent.current = typed
    onChange(typed)
  }
  function type(typed: string) {
    setText(typed)
    clearTimeout(timer.current)
    if (typed === '') send('')
    else timer.current = setTimeout(() => send(typed.trim()), pause)
  }
  return (
    <SearchInput
      {...rest}
      value={text}
      onChange={type}
      onKeyDown={(event) => {
        if (event.key === 'Enter') send(text.trim())
      }}
    />
  )
}
