import { useEffect, useRef, useState } from 'react'
import { isComposingKey } from '#web/lib/keys.ts'
import { useNewestRequest } from '#web/lib/newest-request.ts'
import { SearchInput } from '#web/ui/search-input.tsx'
import type { ListState } from './use-list.ts'

interface SearchAsYouTypeProps {
  label: string
  placeholder: string
  /** The search that the list shows or is about to show. */
  value: string
  /** An answer is under way. */
  isBusy: boolean
  onChange: ListState['setSearch']
  className?: string
}

/** Searches at every key without a pause. An answer never overwrites what is typed. */
export function SearchAsYouType({ value, isBusy, onChange, ...rest }: SearchAsYouTypeProps) {
  const [text, setText] = useState(value)
  /** What was sent and has not come back as `value` yet, oldest first. */
  const sent = useRef<string[]>([])
  /** Whether the search being typed already has a history entry. */
  const hasEntry = useRef(false)
  const isComposing = useRef(false)

  function send(typed: string) {
    const search = typed.trim()
    if (search === (sent.current.at(-1) ?? value)) return
    sent.current.push(search)
    // Each key updates the search's history entry. The previous search and an emptied box keep their own.
    onChange(search, { replace: hasEntry.current && search !== '' })
    hasEntry.current = search !== ''
  }
  const sendNewest = useNewestRequest(isBusy, send)

  // A value that we did not send (Back, a pasted link, the header's search) replaces the box's text.
  useEffect(() => {
    const at = sent.current.lastIndexOf(value)
    sent.current.splice(0, at < 0 ? sent.current.length : at + 1)
    if (at >= 0) return
    hasEntry.current = false
    setText((typed) => (typed.trim() === value ? typed : value))
  }, [value])

  function type(typed: string) {
    setText(typed)
    if (!isComposing.current) sendNewest(typed)
  }
  return (
    <SearchInput
      {...rest}
      value={text}
      onChange={type}
      // A half-composed character is not a search.
      onCompositionStart={() => {
        isComposing.current = true
      }}
      onCompositionEnd={({ currentTarget }) => {
        isComposing.current = false
        sendNewest(currentTarget.value)
      }}
      onBlur={() => {
        hasEntry.current = false
      }}
      onKeyDown={({ key, nativeEvent }) => {
        if (key === 'Enter' && !isComposingKey(nativeEvent)) send(text)
      }}
    />
  )
}
