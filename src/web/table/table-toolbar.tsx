import type { ReactNode } from 'react'
import { type ListDesign, splitValues } from '#contract/list.ts'
import { cn } from '#web/lib/cn.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Select } from '#web/ui/select.tsx'
import { AmountChip } from './amount-filter.tsx'
import { ChoiceFilter } from './choice-filter.tsx'
import { DayChip } from './day-filter.tsx'
import { FilterButton } from './filter-button.tsx'
import { FilterChip } from './filter-chip.tsx'
import { SearchAsYouType } from './search-as-you-type.tsx'
import type { List } from './use-list.ts'
import type { ListSort } from './use-sort.ts'

const ListSums = lazy(() => import('./list-sums.tsx'))

export interface TableToolbarProps {
  list: List
  /** Filters with controls of their own, before those of the list's design. */
  filters?: ReactNode
  /** Filters that came with a link, after those of the list's design. */
  chips?: ReactNode
  /** More controls, at the right of the toolbar. */
  toolbar?: ReactNode
}

/** What narrows the list of a table, and what can be done with it. */
export function TableToolbar({
  list,
  filters,
  chips,
  toolbar,
  sort,
}: TableToolbarProps & { sort: ListSort | undefined }) {
  const { filters: designs, search, days, amounts, sorts } = list.design
  const hasFilter = Object.entries(designs).some(
    ([name, filter]) => 'labels' in filter && (filter.select ?? filter.name ?? (filter.isChip && list.values[name])),
  )
  // An empty row of the grid, as high as nothing.
  if (!hasFilter && !search && !days && !sorts && !filters && !toolbar) return <div />
  return (
    <div className="gutter flex max-w-table flex-wrap items-start gap-2 py-3 md:flex-nowrap md:py-1.5">
      {/* What narrows the list wraps beside what can be done with it. */}
      <div className="contents md:flex md:min-w-0 md:flex-1 md:flex-wrap md:items-center md:gap-2">
        {search && (
          <SearchAsYouType
            {...search}
            value={list.state.search}
            isBusy={list.query.isFetching}
            onChange={list.state.setSearch}
            className="w-72 max-roomy:w-56 max-md:w-auto max-md:min-w-[min(10rem,100%)] max-md:flex-1"
          />
        )}
        {/* On a phone the search and what can be done stand on the first row, all filters on the second. Without a search there is one row. */}
        <div
          className={cn(
            'contents max-phone:flex max-phone:flex-wrap max-phone:items-center max-phone:gap-2',
            'max-phone:*:not-[button]:min-w-32!',
            search ? 'max-phone:order-1 max-phone:w-full' : 'max-phone:min-w-[min(11rem,100%)] max-phone:flex-1',
          )}
        >
          {filters}
          <ChoiceFilters list={list} />
          <FilterChips list={list} chips={chips} />
          {hasMenu(list.design) && <FilterButton list={list} />}
          {/* Where rows are blocks, no heads are shown. */}
          {sort && <SortSelect sort={sort} className="md:hidden max-md:min-w-32 max-md:flex-1 print:hidden" />}
          {amounts && (list.state.isFiltered || list.state.search !== '') && (
            <LazyBoundary fallback={null}>
              <ListSums list={list} />
            </LazyBoundary>
          )}
        </div>
      </div>
      <div className="ml-auto flex flex-wrap items-center justify-end gap-2 empty:hidden print:hidden md:shrink-0">
        {toolbar}
      </div>
    </div>
  )
}

/** The filters of the list that have a control of their own. */
const ChoiceFilters = ({ list: { design, values } }: { list: List }) =>
  Object.entries(design.filters).map(([name, filter]) => {
    if (!('labels' in filter) || !filter.select) return null
    const value = values[name] ?? ''
    const options = Object.entries<string>(filter.labels).map(([each, label]) => ({ value: each, label }))
    // Several at once are chosen in the menu.
    if (value.includes(',')) options.push({ value, label: nameValues(filter, value) })
    return <ChoiceFilter key={name} {...filter.select} {...{ options, value }} parameter={filter.parameter ?? name} />
  })

/** What narrows the list beside its search and its controls, and what the address asks for in vain. */
const FilterChips = ({
  list: { design, values, amounts, unknown },
  chips,
}: Pick<TableToolbarProps, 'list' | 'chips'>) => (
  <>
    {Object.entries(design.filters).map(([name, filter]) => {
      const chosen = values[name]
      if (chosen === undefined || !('labels' in filter) || filter.select) return null
      if (filter.name === undefined && !filter.isChip) return null
      const given = { label: nameValues(filter, chosen), parameter: filter.parameter ?? name }
      return <FilterChip key={name} name={filter.isChip ? undefined : filter.name} {...given} />
    })}
    {design.days && <DayChip />}
    {design.amounts && <AmountChip amounts={amounts} />}
    {chips}
    {unknown.map((parameter) => (
      <FilterChip key={parameter} tone="warning" label={`Unknown filter: ${parameter}`} parameter={parameter} />
    ))}
  </>
)

const nameValues = ({ labels }: { labels: Readonly<Record<string, string>> }, chosen: string) =>
  splitValues(chosen)
    .map((value) => labels[value])
    .join(', ')

/** Whether there is anything in the menu of filters. */
export const hasMenu = ({ filters, days, amounts }: ListDesign) =>
  Boolean(days ?? amounts) || Object.values(filters).some((filter) => 'name' in filter)

/** The orders of a list as one choice. */
const SortSelect = ({ sort, className }: { sort: ListSort; className?: string }) => (
  <Select
    aria-label="Sort"
    options={Object.entries(sort.sorts).map(([value, { label }]) => ({ value, label }))}
    value={sort.current}
    onChange={({ target }) => sort.set(target.value)}
    className={className}
  />
)
