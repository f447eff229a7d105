import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Input } from '#web/ui/input.tsx'

/** A day from the address bar. Anything else is no filter. */
export function useDay(parameter: string): string | undefined {
  const { [parameter]: given }: Record<string, unknown> = useSearch({ strict: false })
  return typeof given === 'string' && isDay(given) ? given : undefined
}

/** A year that is still being typed, such as 0002, is none. */
const isDay = (text: string) => /^[12]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

interface DayFilterProps {
  /** "From day" */
  label: string
  /** The parameter of the address bar. */
  parameter: string
}

/** One end of a range of days; a choice leads to the first page. */
export function DayFilter({ label, parameter }: DayFilterProps) {
  const navigate = useNavigate()
  const day = useDay(parameter) ?? ''
  const [typed, setTyped] = useState(day)
  const [shown, setShown] = useState(day)
  // The address bar changes by itself too: Back, and the button that clears the filters.
  if (day !== shown) {
    setShown(day)
    setTyped(day)
  }
  function change(text: string) {
    setTyped(text)
    if (text !== '' && !isDay(text)) return
    setShown(text)
    void navigate({
      to: '.',
      search: (now: Record<string, unknown>) => ({ ...now, [parameter]: text || undefined, page: undefined }),
    })
  }
  return (
    <label className="flex min-w-0 items-center gap-1.5 text-13 text-quiet narrowest:basis-full narrowest:flex-col narrowest:items-stretch max-md:flex-1">
      <span className="shrink-0">{label}</span>
      <Input
        type="date"
        aria-label={`${label} day`}
        value={typed}
        max="9999-12-31"
        onChange={({ target }) => change(target.value)}
        className="w-35! text-ink max-md:w-full! max-md:min-w-24 narrowest:min-w-0"
      />
    </label>
  )
}
