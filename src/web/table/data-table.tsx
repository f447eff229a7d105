import type { RowData } from '@tanstack/react-table'
import { useEffect } from 'react'
import { pageSize } from '#contract/common.ts'
import { useLastRows } from './last-rows.ts'
import { Pager } from './pager.tsx'
import { TableRegion, type RowsQuery, type TableRegionProps } from './table-region.tsx'
import { TableToolbar, type TableToolbarProps } from './table-toolbar.tsx'

/** What a list's query tells the table; a `useQuery` result fits as it is. */
interface ListQuery extends RowsQuery {
  data: { total: number; totalExact?: boolean | undefined; page: number; limit: number } | undefined
}

interface DataTableProps<Row extends RowData> extends TableRegionProps<Row>, TableToolbarProps {
  /** With `placeholderData: keepPreviousData`, so that the old rows stay until the new ones come. */
  query: ListQuery
  /** The exact total, once a second call has counted it (product 4.5). */
  exactTotal?: number | undefined
}

/** The list of every screen: toolbar, scrolling table and pager. Its state is in the address bar. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { query, state } = props
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
  const isPastEnd = isSettled && state.page > pages
  const { setPage } = state
  useEffect(() => {
    if (isPastEnd) setPage(pages, { replace: true })
  }, [isPastEnd, pages, setPage])

  return (
    <div className="grid h-full min-h-80 w-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto] page-scrolls:block page-scrolls:h-auto print:block">
      <TableToolbar {...props} isBusy={query.isFetching} />
      <TableRegion {...props} rows={rows} isPrevious={isPrevious} />
      <Pager
        page={isPrevious ? shownPage : state.page}
        shownPage={shownPage}
        limit={limit}
        shown={rows?.length ?? 0}
        total={total}
        isExact={isExact}
        isReady={data !== undefined}
        onPage={setPage}
      />
    </div>
  )
}
