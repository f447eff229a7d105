import { useSearch } from '@tanstack/react-router'
import { type DayRange, dayRangeNames, dayRanges, resolveDayRange } from '#contract/day-ranges.ts'
import { formatDay, formatToday } from '#web/lib/dates.ts'
import { FieldError } from '#web/ui/field.tsx'
import { ZoneNote } from '#web/ui/zone-note.tsx'
import { FilterChip } from './filter-chip.tsx'

/** The range's parameters in the address bar: a range by its name, and the ends of one's own. */
export const dayParameters = ['created', 'from', 'to'] as const

export interface ShownDays {
  name: DayRange | undefined
  from: string | undefined
  to: string | undefined
}

/** A year that is still being typed, such as 0002, is not one, and neither is February 30. */
function isDay(text: string): boolean {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(text)) return false
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

const readDay = (value: unknown) => (typeof value === 'string' && isDay(value) ? value : undefined)

/** The range in the address bar, in days of the browser's zone. Anything else is not a filter. */
export function useDays(): ShownDays {
  const given: Record<string, unknown> = useSearch({ strict: false })
  const name = dayRangeNames.find((each) => each === given['created'])
  if (name) return { name, ...resolveDayRange(name, formatToday()) }
  return { name: undefined, from: readDay(given['from']), to: readDay(given['to']) }
}

function describeDays({ name, from, to }: ShownDays): string {
  if (name) return dayRanges[name]
  if (from === to) return formatDay(from!)
  if (from && to) return `${formatDay(from)} to ${formatDay(to)}`
  return from ? `from ${formatDay(from)}` : `until ${formatDay(to!)}`
}

/** The range of days as a chip. */
export function DayChip() {
  const days = useDays()
  if (!days.from && !days.to) return null
  const isReversed = days.from !== undefined && days.to !== undefined && days.to < days.from
  return (
    <>
      <FilterChip name="Date" label={describeDays(days)} parameter={dayParameters} />
      {isReversed && (
        <FieldError id="days-problem" className="mt-0! max-md:basis-full">
          To is before From.
        </FieldError>
      )}
      <ZoneNote />
    </>
  )
}
