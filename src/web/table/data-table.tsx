import type { RowData } from '@tanstack/react-table'
import { useEffect, useRef, type ReactNode } from 'react'
import { pageSize } from '#contract/common.ts'
import { describeError } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Note } from '#web/ui/note.tsx'
import { Select, type Option } from '#web/ui/select.tsx'
import type { Column } from './columns.ts'
import { useLastRows } from './last-rows.ts'
import type { ListState } from './list-state.ts'
import { NoHits } from './no-hits.tsx'
import { Pager } from './pager.tsx'
import { TableGrid } from './table-grid.tsx'
import { SearchAsYouType } from './search-as-you-type.tsx'

/** What a list's query tells the table; a `useQuery` result fits as it is. */
interface ListQuery {
  data: { total: number; totalExact?: boolean | undefined; page: number; limit: number } | undefined
  isPending: boolean
  isError: boolean
  isFetching: boolean
  isPlaceholderData: boolean
  error: unknown
  refetch: () => unknown
}

interface DataTableProps<Row extends RowData> {
  /** The accessible name: "Users". */
  label: string
  columns: Column<Row>[]
  rows: Row[] | undefined
  rowId: (row: Row) => string
  /** With `placeholderData: keepPreviousData`, so that the old rows stay until the new ones come. */
  query: ListQuery
  /** The exact total, once a second call has counted it (product 4.5). */
  exactTotal?: number | undefined
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
  empty?: string
  /** What a row is, in one word: "member". */
  entity?: string
  /** Where rows come from. Shown when the list is empty without any filter. */
  origin?: string
}

/** The list of every screen: toolbar, scrolling table and pager. Its state is in the address bar. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, columns, rowId, query, state, search, statuses, filters, toolbar } = props
  const { statusFilter = { label: 'Status filter', all: 'All Status' } } = props
  const { isError, isFetching, isPlaceholderData, error } = query
  const { rows, data, exactTotal, isPrevious } = useLastRows(
    { rows: props.rows, data: query.data, exactTotal: props.exactTotal },
    isError,
  )
  const shownPage = data?.page ?? state.page
  const total = exactTotal ?? data?.total ?? 0
  const isExact = exactTotal !== undefined || data?.totalExact !== false
  const limit = data?.limit ?? pageSize
  const region = useRef<HTMLElement>(null)

  const pages = Math.max(1, Math.ceil(total / limit))
  const isPastEnd = data !== undefined && !isPlaceholderData && !isFetching && isExact && state.page > pages
  const { setPage } = state
  useEffect(() => {
    if (isPastEnd) setPage(pages, { replace: true })
  }, [isPastEnd, pages, setPage])

  const place = isPlaceholderData ? null : `${state.search}\n${state.status}\n${state.page}`
  useEffect(() => {
    if (place === null) return
    region.current?.scrollTo({ top: 0 })
    // Where the page scrolls instead, scroll back only if the first row is above the window.
    if ((region.current?.getBoundingClientRect().top ?? 0) < 0) region.current?.scrollIntoView()
  }, [place])

  // “Try again” disappears when the rows come. Its focus moves to them.
  const isRetrying = useRef(false)
  const hasRows = rows !== undefined
  useEffect(() => {
    if (!hasRows || !isRetrying.current) return
    isRetrying.current = false
    if (document.activeElement === document.body) region.current?.focus({ preventScroll: true })
  }, [hasRows])
  const retry = () => {
    isRetrying.current = true
    void query.refetch()
  }
  const tryAgain = (
    <Button size="small" loading={isFetching} onClick={retry} className="text-ink">
      Try again
    </Button>
  )

  return (
    <div className="grid h-full min-h-80 w-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto] page-scrolls:block page-scrolls:h-auto print:block">
      <div className="gutter flex max-w-table flex-wrap items-center gap-2 py-3">
        {search && (
          <SearchAsYouType
            {...search}
            value={state.search}
            isBusy={isFetching}
            onChange={state.setSearch}
            className="w-80 max-roomy:w-56 max-md:w-auto max-md:min-w-40 max-md:flex-1"
          />
        )}
        {/* On a phone the search and what can be done stand on the first row, all filters on the second. */}
        <div className="contents max-phone:order-1 max-phone:flex max-phone:w-full max-phone:items-center max-phone:gap-2 max-phone:*:min-w-0!">
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
        </div>
        <div className="ml-auto flex flex-wrap items-center justify-end gap-2 print:hidden">{toolbar}</div>
      </div>
      {/* Out of the flow, so that the browser lays the rows out once. */}
      <div className="relative">
        <section
          ref={region}
          aria-label={label}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
          tabIndex={0}
          // Scrolls the focused element out from under the head and the pinned actions.
          className="@container absolute inset-0 overflow-auto border-t -outline-offset-2! md:scroll-pt-9 md:scroll-pr-64 page-scrolls:static page-scrolls:overflow-visible print:static print:overflow-visible print:border-0"
        >
          {isError && rows && (
            <Note tone="danger" role="alert" className="m-3">
              {label} could not be {isPrevious ? 'loaded' : 'refreshed'}: {describeError(error)}{' '}
              {isPrevious && 'Shown are the rows from before. '}
              <Button
                size="small"
                loading={isFetching}
                onClick={() => {
                  // The note and its button disappear when the rows come.
                  region.current?.focus({ preventScroll: true })
                  void query.refetch()
                }}
                className="ml-2 text-ink"
              >
                Try again
              </Button>
            </Note>
          )}
          <TableGrid
            columns={columns}
            rows={rows}
            rowId={rowId}
            dimmed={isPlaceholderData}
            notice={buildNotice({ ...props, rows }, tryAgain)}
          />
        </section>
      </div>
      <Pager
        page={isPrevious ? shownPage : state.page}
        shownPage={shownPage}
        limit={limit}
        shown={rows?.length ?? 0}
        total={total}
        isExact={isExact}
        isReady={data !== undefined}
        onPage={state.setPage}
      />
    </div>
  )
}

/** The row shown instead of data: loading, failed or empty. */
function buildNotice<Row extends RowData>(
  { label, rows, query, state, empty = 'No data available', entity = 'entry', origin }: DataTableProps<Row>,
  tryAgain: ReactNode,
): ReactNode {
  const { isPending, isError, isPlaceholderData, error } = query
  if (rows && rows.length > 0) return null
  if (isError && !rows) {
    return (
      <span role="alert" className="inline-flex flex-wrap items-center justify-center gap-x-3 gap-y-1 text-danger-ink">
        {label} could not be loaded: {describeError(error)}
        {tryAgain}
      </span>
    )
  }
  if (isPending || isPlaceholderData) return 'Loading...'
  if (state.search || state.isFiltered) return <NoHits {...{ entity, empty, state }} />
  if (!origin) return empty
  return (
    <span className="block py-3">
      {empty}
      <span className="block text-12">{origin}</span>
    </span>
  )
}
