import type { RowData } from '@tanstack/react-table'
import { type ReactNode, type RefObject, useEffect } from 'react'
import { describeError } from '#web/api.ts'
import { cn } from '#web/lib/cn.ts'
import type { PeekTarget } from '#web/peek/peek-target.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState, useFocusAfterRetry } from '#web/ui/error-state.tsx'
import { Note } from '#web/ui/note.tsx'
import type { Column } from './columns.ts'
import { TableGrid } from './table-grid.tsx'
import type { ListState } from './use-list.ts'
import type { ListSort } from './use-sort.ts'

/** The state of the query that reads the rows. */
export interface RowsQuery {
  isPending: boolean
  isError: boolean
  isFetching: boolean
  isPlaceholderData: boolean
  error: unknown
  refetch: () => unknown
}

export interface TableRegionProps<Row extends RowData> {
  /** The accessible name: "Users". */
  label: string
  columns: Column<Row>[]
  rows: Row[] | undefined
  rowId: (row: Row) => string
  query: RowsQuery
  state: ListState
  empty?: string
  /** What a row is, in one word: "member". */
  entity?: string
  /** Where rows come from. Shown when the list is empty without any filter. */
  origin?: string
  /** What Peek shows of a row, for lists whose rows open in it. */
  peek?: (row: Row) => PeekTarget | null
}

interface ShownRows<Row extends RowData> {
  sort: ListSort | undefined
  region: RefObject<HTMLElement | null>
  /** The rows are those from before a page, search or filter that failed to load. */
  isPrevious: boolean
  /** As the operator has them. */
  chosenColumns?: Column<Row>[]
  /** Rows of 36 px. */
  isCompact?: boolean
}

/** The part of a list that scrolls: its rows, or what is shown instead of them. */
export function TableRegion<Row extends RowData>(props: TableRegionProps<Row> & ShownRows<Row>) {
  const { label, columns, chosenColumns, rows, rowId, query, state, region, isPrevious, isCompact, sort } = props
  const { isPending, isError, isFetching, isPlaceholderData } = query
  useScrollToTop(region, isPlaceholderData ? null : state.key)
  const retryFocusingRegion = () => {
    // The note and its button disappear when the rows come.
    region.current?.focus({ preventScroll: true })
    void query.refetch()
  }
  return (
    // Out of the flow, so that the browser lays the rows out once.
    // While rows load, a page that scrolls keeps what is below them out of sight, so that they move nothing.
    <div className={cn('relative [:empty+&]:*:border-t-0', rows === undefined && 'page-scrolls:min-h-dvh')}>
      <section
        ref={region}
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
        tabIndex={0}
        // Scrolls the focused element out from under the head and the pinned actions.
        className={cn(
          'absolute inset-0 overflow-auto border-t -outline-offset-2! md:scroll-pt-9 md:scroll-pr-64 page-scrolls:static page-scrolls:overflow-visible print:static print:overflow-visible print:border-0',
          // What is below stands under the window meanwhile.
          isPending && 'page-scrolls:min-h-dvh',
        )}
      >
        {/* Not the section: a container whose height is given is laid out again with all that is around it. */}
        <div className="@container">
          {isError && rows && (
            <div className="gutter max-w-table py-3">
              <Note
                tone="danger"
                role="alert"
                action={
                  <Button size="small" loading={isFetching} onClick={retryFocusingRegion}>
                    Try Again
                  </Button>
                }
              >
                {label} could not be {isPrevious ? 'loaded' : 'refreshed'}: {describeError(query.error)}
                {isPrevious && ' Shown are the rows from before.'}
              </Note>
            </div>
          )}
          <TableGrid
            {...{ columns, chosenColumns }}
            rows={rows}
            rowId={rowId}
            sort={sort}
            dimmed={isPlaceholderData}
            isCompact={isCompact}
            isPaged
            isLoading={isPending}
            notice={buildNotice(props)}
          />
        </div>
      </section>
    </div>
  )
}

// Out of its row.
const upperThird = 'absolute inset-x-0 top-3/10 px-(--edge) page-scrolls:static page-scrolls:p-0 print:static'

/** The row shown instead of data: loading, failed or empty. */
function buildNotice<Row extends RowData>({
  label,
  rows,
  query,
  state,
  empty = 'No data available',
  entity = 'entry',
  origin,
}: TableRegionProps<Row>): ReactNode {
  const { isPending, isError, isFetching, isPlaceholderData, error } = query
  if (rows && rows.length > 0) return null
  if (isError && !rows) {
    return (
      <ErrorState
        size="row"
        title={`${label} could not be loaded`}
        message={describeError(error)}
        onRetry={() => void query.refetch()}
        retrying={isFetching}
        className={cn(upperThird, 'justify-center py-2 page-scrolls:flex-col page-scrolls:py-6')}
      />
    )
  }
  if (isPending || isPlaceholderData) return 'Loading...'
  return (
    <div className={upperThird}>
      {state.search || state.isFiltered ? (
        <NoHits {...{ entity, empty, state }} />
      ) : (
        <span className="block py-3">
          {empty}
          {origin && <span className="block text-12">{origin}</span>}
        </span>
      )}
    </div>
  )
}

/** Scrolls to the first row when `place` changes. Null while the rows of the new place are loading. */
function useScrollToTop(region: RefObject<HTMLElement | null>, place: string | null) {
  useEffect(() => {
    if (place === null) return
    region.current?.scrollTo({ top: 0 })
    // Where the page scrolls instead, scroll back only if the first row is above the window.
    if ((region.current?.getBoundingClientRect().top ?? 0) < 0) region.current?.scrollIntoView()
  }, [region, place])
}

interface NoHitsProps {
  /** What a row is, in one word: "member". */
  entity: string
  empty: string
  state: ListState
}

/** Says that nothing matches, and links back to the whole list. */
function NoHits({ entity, empty, state }: NoHitsProps) {
  const { search, isFiltered } = state
  const place = useFocusAfterRetry()
  return (
    <div ref={place} className="py-6">
      <p>{empty}</p>
      <p className="mt-1 font-medium wrap-anywhere text-ink">
        {search ? (
          <>
            No {entity} matches &quot;<bdi>{search}</bdi>&quot;{isFiltered && ' with these filters'}
          </>
        ) : (
          `No ${entity} matches these filters`
        )}
      </p>
      <p className="mt-3 flex flex-wrap justify-center gap-2 text-ink">
        {search && <Button onClick={() => state.setSearch('')}>Clear Search</Button>}
        {isFiltered && <Button onClick={state.clearFilters}>Clear Filters</Button>}
      </p>
    </div>
  )
}
