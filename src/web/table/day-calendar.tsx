import { useState } from 'react'
import { type DateRange, DayPicker } from 'react-day-picker'
import { formatToday } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import type { SearchChange } from '#web/use-search-change.ts'
import { useDays } from './day-filter.tsx'

interface DayCalendarProps {
  onApply: (change: SearchChange) => void
  onBack: () => void
}

/** The calendar's days have the browser's zone, and ours have none. */
const toDate = (day: string) => new Date(`${day}T00:00:00`)
const toDay = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

/** `2 March 2025`: it begins as the day is shown. */
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })

const step = 'grid size-8 place-items-center rounded-m hover:bg-hover'
/** Where a range begins and ends. */
const end = 'bg-accent-soft *:bg-accent *:text-on-accent'
const classNames = {
  root: 'p-1.5',
  months: 'relative',
  nav: 'absolute inset-x-0 top-0 flex justify-between',
  button_previous: step,
  button_next: step,
  chevron: 'size-4 fill-current',
  month_caption: 'flex h-8 items-center justify-center text-13 font-medium',
  dropdowns: 'flex gap-2',
  dropdown_root: 'relative z-1',
  dropdown: 'absolute inset-0 opacity-0',
  caption_label: 'flex items-center gap-1',
  month_grid: 'mt-1 w-full',
  weekday: 'h-8 text-12 font-medium text-quiet',
  day: 'p-0 text-center',
  day_button: 'size-8 rounded-m text-13 tabular-nums hover:bg-hover',
  today: 'font-semibold text-accent-ink',
  range_start: end,
  range_end: end,
  range_middle: 'bg-accent-soft',
}

/** Two days of a calendar, both included; a single press is one day. */
export default function DayCalendar({ onApply, onBack }: DayCalendarProps) {
  const { from, to } = useDays()
  const [range, setRange] = useState<DateRange | undefined>(() =>
    from === undefined ? undefined : { from: toDate(from), to: toDate(to ?? from) },
  )
  const today = toDate(formatToday())
  function apply() {
    if (!range?.from) return
    onApply({ created: undefined, from: toDay(range.from), to: toDay(range.to ?? range.from) })
  }
  return (
    <div>
      <DayPicker
        mode="range"
        resetOnSelect
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the operator has just asked for it
        autoFocus
        captionLayout="dropdown"
        weekStartsOn={1}
        startMonth={new Date(2000, 0)}
        endMonth={today}
        defaultMonth={range?.to ?? today}
        today={today}
        selected={range}
        onSelect={setRange}
        labels={{ labelDayButton: (date) => dayFormat.format(date) }}
        classNames={classNames}
      />
      <div className="flex justify-end gap-2 p-1.5">
        <Button onClick={onBack}>Back</Button>
        <Button variant="primary" disabled={!range?.from} onClick={apply}>
          Apply
        </Button>
      </div>
    </div>
  )
}
