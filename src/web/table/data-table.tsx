import type { RowData } from '@tanstack/react-table'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { pageSize } from '#contract/common.ts'
import type { Sorts } from '#contract/sorts.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import type { ListState } from './list-state.ts'
import { Pager } from './pager.tsx'
import { RowCursorContext, useCursor } from './row-cursor.tsx'
import { type RowsQuery, TableRegion, type TableRegionProps } from './table-region.tsx'
import { TableToolbar, type TableToolbarProps } from './table-toolbar.tsx'
import { useListSort } from './use-sort.ts'

/** What a list's query tells the table; a `useQuery` result fits as it is. */
interface ListQuery extends RowsQuery {
  data: { total: number; totalExact?: boolean | undefined; page: number; limit: number } | undefined
}

const ViewButton = lazy(() => import('#web/views/view-button.tsx'))

interface DataTableProps<Row extends RowData> extends TableRegionProps<Row>, TableToolbarProps {
  /** With `placeholderData: keepPreviousData`, so that the old rows stay until the new ones come. */
  query: ListQuery
  /** The exact total, once a second call has counted it (product 4.5). */
  exactTotal?: number | undefined
  /** The orders that the list can be shown in. */
  sorts?: Sorts
}

/** Goes to the last page where the list has become shorter than the address says. */
function useLastPage({ page, setPage }: ListState, pages: number) {
  useEffect(() => {
    if (page > pages) setPage(pages, { replace: true })
  }, [page, pages, setPage])
}

/** A list that has an order can be saved as a view. */
const ListButtons = ({ sorts, toolbar }: { sorts?: Sorts | undefined; toolbar?: ReactNode }) => (
  <>
    {sorts && (
      <LazyBoundary fallback={null}>
        <ViewButton />
      </LazyBoundary>
    )}
    {toolbar}
  </>
)

/** The list of every screen: toolbar, scrolling table and pager. Its state is in the address bar. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { query, state } = props
  const sort = useListSort(props.sorts)
  const { rows, data, exactTotal, isPrevious } = useLastRows(
    { rows: props.rows, data: query.data, exactTotal: props.exactTotal },
    query.isError,
  )
  const shownPage = data?.page ?? state.page
  const total = exactTotal ?? data?.total ?? 0
  const isExact = exactTotal !== undefined || data?.totalExact !== false
  const limit = data?.limit ?? pageSize

  const pages = Math.max(1, Math.ceil(total / limit))
  const isSettled = data !== undefined && !query.isPlaceholderData && !query.isFetching && isExact
  useLastPage(state, isSettled ? pages : Infinity)
  const region = useRef<HTMLElement>(null)
  const cursor = useCursor({
    region,
    rows,
    rowId: props.rowId,
    peek: props.peek,
    state,
    offset: (shownPage - 1) * limit,
    total,
    isExact,
    isSettled: data !== undefined && !isPrevious && !query.isPlaceholderData,
    hasNextPage: isExact ? state.page < pages : rows?.length === limit,
  })

  return (
    <RowCursorContext value={cursor}>
      <div className="grid h-full min-h-80 w-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto] page-scrolls:block page-scrolls:h-auto print:block">
        <TableToolbar {...props} toolbar={<ListButtons {...props} />} sort={sort} isBusy={query.isFetching} />
        <TableRegion {...props} rows={rows} sort={sort} region={region} isPrevious={isPrevious} />
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
    </RowCursorContext>
  )
}

interface LoadedPage<Row, Data> {
  rows: Row[]
  data: Data
  exactTotal: number | undefined
}

interface LatestPage<Row, Data> {
  rows: Row[] | undefined
  data: Data | undefined
  exactTotal: number | undefined
}

/** The rows to show: the previous rows and total stay when a page, search or filter fails to load. */
function useLastRows<Row, Data>({ rows, data, exactTotal }: LatestPage<Row, Data>, isError: boolean) {
  const [last, setLast] = useState<LoadedPage<Row, Data>>()
  if (rows && data && (last?.data !== data || last.exactTotal !== exactTotal)) setLast({ rows, data, exactTotal })
  const isPrevious = isError && !rows && last !== undefined
  return isPrevious ? { ...last, isPrevious } : { rows, data, exactTotal, isPrevious }
}
