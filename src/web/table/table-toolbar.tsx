import type { ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { Select } from '#web/ui/select.tsx'
import { ChoiceFilter } from './choice-filter.tsx'
import { DayRangeFilter } from './day-filter.tsx'
import { FilterChip } from './filter-chip.tsx'
import { SearchAsYouType } from './search-as-you-type.tsx'
import type { List } from './use-list.ts'
import type { ListSort } from './use-sort.ts'

export interface TableToolbarProps {
  list: List
  /** Filters with controls of their own, after those of the list's design. */
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
  const { filters: designs, search, days, sorts } = list.design
  const own = Object.entries(designs)
  // An empty row of the grid, as high as nothing.
  if (own.length === 0 && !search && !days && !sorts && !filters && !toolbar) return <div />
  return (
    <div className="gutter flex max-w-table flex-wrap items-center gap-2 py-3">
      {search && (
        <SearchAsYouType
          {...search}
          value={list.state.search}
          isBusy={list.query.isFetching}
          onChange={list.state.setSearch}
          className="w-80 max-roomy:w-56 max-md:w-auto max-md:min-w-[min(10rem,100%)] max-md:flex-1"
        />
      )}
      {/* On a phone the search and what can be done stand on the first row, all filters on the second. Without a search there is one row. */}
      <div
        className={cn(
          'contents max-phone:flex max-phone:flex-wrap max-phone:items-center max-phone:gap-2 max-phone:*:min-w-28!',
          search ? 'max-phone:order-1 max-phone:w-full' : 'max-phone:min-w-[min(9rem,100%)] max-phone:flex-1',
        )}
      >
        {own.map(
          ([name, design]) =>
            'labels' in design &&
            design.select && (
              <ChoiceFilter
                key={name}
                {...design.select}
                parameter={design.parameter ?? name}
                options={Object.entries(design.labels).map(([value, label]) => ({ value, label }))}
              />
            ),
        )}
        {filters}
        {days && <DayRangeFilter />}
        {own.map(([name, design]) => {
          const chosen = list.values[name]
          if (chosen === undefined || !('labels' in design) || !design.isChip) return null
          return <FilterChip key={name} label={design.labels[chosen]!} parameter={design.parameter ?? name} />
        })}
        {chips}
        {/* Where rows are blocks, no heads are shown. */}
        {sort && <SortSelect sort={sort} className="md:hidden max-md:min-w-32 max-md:flex-1 print:hidden" />}
      </div>
      <div className="ml-auto flex flex-wrap items-center justify-end gap-2 empty:hidden print:hidden">{toolbar}</div>
    </div>
  )
}

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
