/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a select cannot be typed in, and shows no counts */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type MouseEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { dayRanges } from '#contract/day-ranges.ts'
import { splitValues } from '#contract/list.ts'
import type { ListCounts } from '#contract/schemas/views.ts'
import { viewRoutes } from '#contract/views.ts'
import { buildQuery } from '#web/api.ts'
import { useOptionKeys } from '#web/app/search/option-keys.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'
import { type SearchChange, useSearchChange } from '#web/use-search-change.ts'
import { useNarrowedList } from '#web/views/queries.ts'
import { AmountForm } from './amount-form.tsx'
import { dayParameters, useDays } from './day-filter.tsx'
import type { List } from './use-list.ts'

const DayCalendar = lazy(() => import('./day-calendar.tsx'))

type Form = 'days' | 'amounts'
type Counts = ListCounts['counts'][string]

interface Option {
  key: string
  group: string
  label: string
  isChosen: boolean
  /** Several of its group may be chosen. */
  isSet?: true
  /** The rows that it lets through under all other filters. */
  count?: Counts[string] | undefined
  /** What it changes in the address bar, or the form that it opens. */
  leads: SearchChange | Form
}

/** Under all filters of the list on the screen, how many rows each value of a filter has. */
function useCounts(list: List): ListCounts['counts'] {
  const { query, isKnown } = useNarrowedList(list)
  const { data } = useQuery({
    ...buildQuery(viewRoutes.counts, { query }),
    placeholderData: keepPreviousData,
    enabled: isKnown,
  })
  return data?.counts ?? {}
}

/** Each value of each filter of the list. */
function useOptions(list: List): Option[] {
  const { design, values, amounts } = list
  const days = useDays()
  const counts = useCounts(list)
  const choices = Object.entries(design.filters).flatMap(([name, filter]) => {
    if (!('labels' in filter) || filter.name === undefined) return []
    const { labels, name: group, isSet, parameter = name } = filter
    const chosen = splitValues(values[name])
    const all = Object.keys(labels)
    return Object.entries<string>(labels).map(([value, label]): Option => {
      const isChosen = chosen.includes(value)
      const set = isSet ? all.filter((each) => chosen.includes(each) !== (each === value)) : isChosen ? [] : [value]
      const leads = { [parameter]: set.join(',') || undefined }
      const count = counts[parameter]?.[value]
      return { key: `${parameter}-${value}`, group, label, isChosen, count, leads, ...(isSet && { isSet }) }
    })
  })
  const noDays = Object.fromEntries(dayParameters.map((name) => [name, undefined]))
  const ranges = Object.entries(dayRanges).map(([name, label]): Option => {
    const isChosen = days.name === name
    return {
      key: `days-${name}`,
      group: 'Date',
      label,
      isChosen,
      leads: isChosen ? noDays : { ...noDays, created: name },
    }
  })
  const isBetween = days.name === undefined && Boolean(days.from ?? days.to)
  return [
    ...choices,
    ...(design.days ? ranges : []),
    ...(design.days
      ? [{ key: 'days', group: 'Date', label: 'Between…', isChosen: isBetween, leads: 'days' as const }]
      : []),
    ...(design.amounts
      ? [
          {
            key: 'amounts',
            group: 'Amount',
            label: design.amounts === 'currency' ? 'Amount or currency…' : 'Between…',
            isChosen: Object.values(amounts).some(Boolean),
            leads: 'amounts' as const,
          },
        ]
      : []),
  ]
}

const matches = ({ group, label }: Option, typed: string) =>
  `${group} ${label}`.toLowerCase().includes(typed.trim().toLowerCase())

interface FilterMenuProps {
  list: List
  onDone: () => void
}

/** All filters of a list: what is typed narrows them, arrows and Enter choose, and a press may choose several. */
export function FilterMenu({ list, onDone }: FilterMenuProps) {
  const changeSearch = useSearchChange()
  const [form, setForm] = useState<Form | null>(null)
  const apply = (change: SearchChange) => {
    changeSearch({ ...change, page: undefined })
    onDone()
  }
  if (form === 'amounts') return <AmountForm list={list} onApply={apply} onBack={() => setForm(null)} />
  if (form === 'days')
    return (
      <LazyBoundary fallback={null} onFailure={() => setForm(null)}>
        <DayCalendar onApply={apply} onBack={() => setForm(null)} />
      </LazyBoundary>
    )
  return (
    <Options
      list={list}
      onChoose={({ leads, isSet }, isByKey) => {
        if (typeof leads === 'string') setForm(leads)
        else if (isSet && !isByKey) changeSearch({ ...leads, page: undefined })
        else apply(leads)
      }}
    />
  )
}

interface OptionsProps {
  list: List
  onChoose: (option: Option, isByKey: boolean) => void
}

function Options({ list, onChoose }: OptionsProps) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [moved, setMoved] = useState<string>()
  const options = useOptions(list).filter((option) => matches(option, typed))
  const groups = Map.groupBy(options, ({ group }) => group)
  const optionId = ({ key }: Option) => `${id}-${key}`
  const active = options.map(optionId).find((each) => each === moved) ?? (options[0] && optionId(options[0]))
  useOptionKeys(box, active, moved !== undefined, { isWaiting: false, onChoose: setMoved })
  useLayoutEffect(() => box.current?.querySelector('input')?.focus(), [])
  return (
    <div ref={box}>
      <SearchInput
        label="Filter by"
        placeholder="Filter by..."
        type="text"
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={active}
        autoComplete="off"
        value={typed}
        onChange={(text) => {
          setTyped(text)
          setMoved(undefined)
        }}
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Filters"
        aria-multiselectable
        className="mt-1 max-h-96 overflow-y-auto max-md:max-h-none"
      >
        {[...groups].map(([group, members]) => (
          <div key={group} role="group" aria-label={group}>
            <div aria-hidden className="px-2 pt-2 pb-1 text-12 text-quiet">
              {group}
            </div>
            {members.map((option) => (
              <OptionRow
                key={option.key}
                id={optionId(option)}
                option={option}
                isActive={optionId(option) === active}
                onChoose={(isByKey) => onChoose(option, isByKey)}
              />
            ))}
          </div>
        ))}
        {options.length === 0 && <p className="px-2 py-3 text-13 text-quiet">No filter is called that.</p>}
      </div>
    </div>
  )
}

interface OptionRowProps {
  id: string
  option: Option
  isActive: boolean
  onChoose: (isByKey: boolean) => void
}

function OptionRow({ id, option: { label, isChosen, count }, isActive, onChoose }: OptionRowProps) {
  return (
    <button
      type="button"
      id={id}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      // The focus stays in the field.
      onMouseDown={(event: MouseEvent) => event.preventDefault()}
      // The Enter key has no clicks to count.
      onClick={({ detail }) => onChoose(detail === 0)}
      className={cn(
        'flex min-h-8 w-full items-center gap-2 rounded-m px-2 text-left text-13 max-md:min-h-11',
        isActive ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <Check aria-hidden className={cn('size-4 shrink-0 text-accent-ink', !isChosen && 'invisible')} />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {count && (
        <span className="shrink-0 text-12 text-quiet tabular-nums">
          {formatCount(count.total)}
          {!count.totalExact && '+'}
        </span>
      )}
    </button>
  )
}
