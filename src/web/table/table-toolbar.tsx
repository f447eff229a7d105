import type { ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { type Option, Select } from '#web/ui/select.tsx'
import type { ListState } from './list-state.ts'
import { SearchAsYouType } from './search-as-you-type.tsx'
import type { ListSort } from './use-sort.ts'

export interface TableToolbarProps {
  state: ListState
  search?: { label: string; placeholder: string }
  /** The status filter's options after "All Status". */
  statuses?: readonly Option[]
  /** Another filter in the status filter's place: its name, and its first option. */
  statusFilter?: { label: string; all: string }
  /** What else narrows the list, after its own filters. */
  filters?: ReactNode
  /** More controls, at the right of the toolbar. */
  toolbar?: ReactNode
}

/** What narrows the list of a table, and what can be done with it. */
export function TableToolbar({
  state,
  search,
  statuses,
  statusFilter = { label: 'Status filter', all: 'All Status' },
  filters,
  toolbar,
  isBusy,
  sort,
}: TableToolbarProps & { isBusy: boolean; sort: ListSort | undefined }) {
  // An empty row of the grid, as high as nothing.
  if (!search && !statuses && !filters && !toolbar) return <div />
  return (
    <div className="gutter flex max-w-table flex-wrap items-center gap-2 py-3">
      {search && (
        <SearchAsYouType
          {...search}
          value={state.search}
          isBusy={isBusy}
          onChange={state.setSearch}
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
        {statuses && (
          <Select
            aria-label={statusFilter.label}
            options={[{ value: '', label: statusFilter.all }, ...statuses]}
            value={state.status}
            onChange={(event) => state.setStatus(event.target.value)}
            className="w-44 max-md:w-auto max-md:min-w-32 max-md:flex-1"
          />
        )}
        {filters}
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
