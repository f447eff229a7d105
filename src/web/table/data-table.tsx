import type { RowData } from '@tanstack/react-table'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { pageSize } from '#contract/common.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { Button } from '#web/ui/button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { ColumnsButton } from './columns-button.tsx'
import { type Column, findColumnId, listDataColumns } from './columns.ts'
import { ListKeys } from './list-keys.tsx'
import { RowCursorContext, useCursor } from './row-cursor.tsx'
import { ViewTabs } from '#web/views/view-tabs.tsx'
import { TableRegion, type TableRegionProps } from './table-region.tsx'
import { hasMenu, TableToolbar, type TableToolbarProps } from './table-toolbar.tsx'
import { useColumnChoice, useShownColumns } from './use-columns.ts'
import type { List, ListState } from './use-list.ts'
import { type ListSort, useListSort } from './use-sort.ts'

const ViewButton = lazy(() => import('#web/views/view-button.tsx'))

interface DataTableProps<Row extends RowData>
  extends Omit<TableRegionProps<Row>, 'query' | 'state'>, TableToolbarProps {}

/** Goes to the last page where the list has become shorter than the address says. */
function useLastPage({ page, setPage }: ListState, pages: number) {
  // Once: a second change of the address, before the first is there, would replace it, and so on without an end.
  const goToLast = useEffectEvent(() => setPage(pages, { replace: true }))
  useEffect(() => {
    if (page > pages) goToLast()
  }, [page, pages])
}

interface ListButtonsProps<Row extends RowData> {
  list: List
  columns: Column<Row>[]
  toolbar?: ReactNode
}

const canChooseColumns = <Row extends RowData>(columns: Column<Row>[]) => listDataColumns(columns).length > 3

/** A list that has an order can be saved as a view. Of more than three columns the operator chooses. */
const ListButtons = <Row extends RowData>({ list, columns, toolbar }: ListButtonsProps<Row>) => (
  <>
    {canChooseColumns(columns) && (
      <ColumnsButton
        list={list.design.name}
        headings={Object.fromEntries(
          listDataColumns(columns).map((column) => [findColumnId(column), String(column.header)]),
        )}
      />
    )}
    {list.design.sorts && (
      <LazyBoundary fallback={null}>
        <ViewButton />
      </LazyBoundary>
    )}
    {toolbar}
  </>
)

interface ListHeadProps<Row extends RowData> extends DataTableProps<Row> {
  sort: ListSort | undefined
  region: RefObject<HTMLElement | null>
}

/** What stands over the rows, and the keys of the list. */
function ListHead<Row extends RowData>(props: ListHeadProps<Row>) {
  const { list, columns, toolbar, peek, region } = props
  const { design } = list
  const hasButtons = design.sorts || toolbar || canChooseColumns(columns)
  return (
    <div className="min-w-0">
      <ViewTabs />
      <TableToolbar {...props} toolbar={hasButtons && <ListButtons {...props} />} />
      <ListKeys {...{ columns, region }} hasPeek={peek !== undefined} hasFilters={hasMenu(design)} />
    </div>
  )
}

/** The list of every screen: toolbar, scrolling table and pager. Its state is in the address bar. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { design, query, state } = props.list
  const sort = useListSort(design.sorts)
  const choice = useColumnChoice(design.name)
  const chosenColumns = useShownColumns(props.columns, choice)
  const { rows, data, exactTotal, isPrevious } = useLastRows(
    { rows: props.rows, data: query.data, exactTotal: props.list.exactTotal },
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
        <ListHead {...props} {...{ sort, region }} />
        <TableRegion
          {...props}
          {...{ query, state, chosenColumns, rows, sort, region, isPrevious }}
          isCompact={choice.isCompact}
        />
        <Pager
          page={isPrevious ? shownPage : state.page}
          shownPage={shownPage}
          limit={limit}
          shown={rows?.length ?? 0}
          total={total}
          isExact={isExact}
          isReady={data !== undefined}
          isPending={query.isPending}
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

interface PagerProps {
  /** The requested page, or the shown one where the requested page failed to load. */
  page: number
  /** The page of the shown rows. While the next page loads it is the previous one. */
  shownPage: number
  limit: number
  /** Rows on this page. */
  shown: number
  total: number
  /** False where more rows match than were counted: `total` is then only a lower bound. */
  isExact: boolean
  isReady: boolean
  /** The first rows are on their way. */
  isPending: boolean
  onPage: (page: number) => void
}

/** The footer of a list (product 4.1): "Showing X to Y of Z entries"; of those Previous and Next, "Page N of M". */
function Pager({ page, shownPage, limit, shown, total, isExact, isReady, isPending, onPage }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / limit))
  const first = shown === 0 ? 0 : (shownPage - 1) * limit + 1
  const last = shown === 0 ? 0 : first + shown - 1
  const whole = `${isExact ? '' : 'more than '}${formatCount(total)}`
  const hasNext = isExact ? page < pages : shown === limit
  return (
    // A phone shows it once it is known where the rows end.
    <div className={cn('border-t print:border-0', isPending && 'page-scrolls:invisible')}>
      <div className="gutter flex min-h-13 max-w-table items-center md:h-13 md:contain-strict gap-2 text-13 text-quiet tabular-nums max-md:flex-wrap max-md:gap-y-1.5 max-md:py-2">
        <p aria-live="polite" className="mr-auto max-md:w-full">
          {isReady && `Showing ${formatCount(first)} to ${formatCount(last)} of ${whole} entries`}
        </p>
        {(isPending || total > 0 || page > 1) && (
          <>
            <p className="max-md:mr-auto">
              Page {formatCount(page)}
              {isReady && ` of ${isExact ? '' : 'more than '}${formatCount(pages)}`}
            </p>
            <Button size="small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
              <ChevronLeft aria-hidden />
              Previous
            </Button>
            <Button size="small" disabled={!isReady || !hasNext} onClick={() => onPage(page + 1)}>
              Next
              <ChevronRight aria-hidden />
            </Button>
          </>
        )}
      </div>
    </div>
  )
}
