import { useSearch } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { dayRangeNames, dayRanges, resolveDayRange } from '#contract/day-ranges.ts'
import { formatToday } from '#web/lib/dates.ts'
import { ZoneNote } from '#web/ui/zone-note.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { useSearchChange } from '#web/use-search-change.ts'
import { ChoiceFilter } from './choice-filter.tsx'

/** The range's parameters in the address bar: a range by its name or `custom`, and the ends of one's own. */
export const dayParameters = ['created', 'from', 'to'] as const
type DayParameter = 'from' | 'to'

const labels: Record<DayParameter, string> = { from: 'From', to: 'To' }

/** A year that is still being typed, such as 0002, is not one, and neither is February 30. */
function isDay(text: string): boolean {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(text)) return false
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

const readDay = (value: unknown) => (typeof value === 'string' && isDay(value) ? value : undefined)

/** The range in the address bar: its days in the browser's zone, and whether they are one's own. Anything else is not a filter. */
function useDayRange() {
  const given: Record<string, unknown> = useSearch({ strict: false })
  const range = dayRangeNames.find((name) => name === given['created'])
  if (range) return { ...resolveDayRange(range, formatToday()), isCustom: false }
  const [from, to] = [readDay(given['from']), readDay(given['to'])]
  return { from, to, isCustom: given['created'] === 'custom' || from !== undefined || to !== undefined }
}

/** The range of days from the address bar, for a list's call. */
export function useDays(): Record<DayParameter, string | undefined> {
  const { from, to } = useDayRange()
  return { from, to }
}

const options = [
  ...Object.entries(dayRanges).map(([value, label]) => ({ value, label })),
  { value: 'custom', label: 'Custom' },
]

/** A range of days: one of those that are often wanted, or one's own, of which either end may be open. */
export function DayRangeFilter() {
  const { from, to, isCustom } = useDayRange()
  return (
    <>
      <ChoiceFilter
        label="Date filter"
        parameter="created"
        all="All Dates"
        options={options}
        {...(isCustom && { value: 'custom' })}
        // The days that were shown are those to begin with.
        alongside={(value) => (value === 'custom' ? { from, to } : { from: undefined, to: undefined })}
      />
      {isCustom && <CustomRange from={from} to={to} />}
      {(from || to) && <ZoneNote />}
    </>
  )
}

function CustomRange({ from, to }: Record<DayParameter, string | undefined>) {
  const id = useId()
  const isReversed = from !== undefined && to !== undefined && to < from
  const problemId = isReversed ? id : undefined
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2 max-md:basis-full">
      {(['from', 'to'] as const).map((parameter) => (
        <DayFilter key={parameter} parameter={parameter} day={{ from, to }[parameter] ?? ''} problemId={problemId} />
      ))}
      <FieldError id={id} className="mt-0! max-md:basis-full">
        {isReversed && 'To is before From.'}
      </FieldError>
    </div>
  )
}

interface DayFilterProps {
  parameter: DayParameter
  day: string
  /** The element that says what is wrong with the range. */
  problemId: string | undefined
}

/** One end of the range; a choice leads to the first page. */
function DayFilter({ parameter, day, problemId }: DayFilterProps) {
  const changeSearch = useSearchChange()
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
    changeSearch({ created: 'custom', [parameter]: text || undefined, page: undefined })
  }
  return (
    <label className="flex min-w-0 items-center gap-1.5 text-13 text-quiet narrowest:basis-full narrowest:flex-col narrowest:items-stretch max-md:flex-1">
      <span className="shrink-0">{labels[parameter]}</span>
      <Input
        type="date"
        aria-label={`${labels[parameter]} day`}
        aria-invalid={problemId !== undefined || undefined}
        aria-describedby={problemId}
        value={typed}
        max="9999-12-31"
        onChange={({ target }) => change(target.value)}
        className="w-35! text-ink max-md:w-full! max-md:min-w-24 narrowest:min-w-0"
      />
    </label>
  )
}
