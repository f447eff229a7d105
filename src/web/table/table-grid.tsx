/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/control-has-associated-label
   -- below 768 px the rows are blocks, and `display` drops the roles that table elements have by themselves */
import { FlexRender, useTable, type Header, type Row as TableRow, type RowData } from '@tanstack/react-table'
import { memo, type CSSProperties, type ReactNode, useRef } from 'react'
import { cn } from '#web/lib/cn.ts'
import { Skeleton } from '#web/ui/spinner.tsx'
import { useColumnWidths } from './column-widths.ts'
import {
  features,
  findColumnId,
  isControl,
  narrowLooks,
  type Column,
  type ColumnLook,
  type Features,
} from './columns.ts'
import { useRowCursor, useRowHandlers } from './row-cursor.tsx'
import { SortHead } from './sort-head.tsx'
import { useTabRow } from './use-row-focus.ts'
import { endBelow, hiddenBelow, lowBlocks, TableWidthProvider, useTableWidth } from './table-widths.tsx'
import { findColumnSorts, type ListSort } from './use-sort.ts'

interface TableGridProps<Row extends RowData> {
  columns: Column<Row>[]
  /** Shown instead, where rows are rows. */
  chosenColumns?: Column<Row>[] | undefined
  rows: Row[] | undefined
  rowId: (row: Row) => string
  /** Stands in a row as high as data while there is none. */
  notice?: ReactNode
  /** The first rows are on their way: what looks like rows stands below the notice. */
  isLoading?: boolean
  /** The rows are those of the page before. */
  dimmed?: boolean
  isCompact?: boolean | undefined
  /** It is one page of a list, whose columns keep their places from page to page. */
  isPaged?: boolean
  /** The list's order; its columns' heads choose another one. */
  sort?: ListSort | undefined
}

/** Where the table scrolls sideways, a row's actions stay visible, with an edge while they cover cells. */
const pinned = (columnId: string) =>
  columnId === 'actions' &&
  'rows:sticky rows:right-0 rows:z-3 rows:bg-(--row-ground,var(--table-ground,var(--surface))) rows:covering-edge'

const headLook = ({ align, hideBelow, width, grow }: ColumnLook, isPaged: boolean) =>
  cn(
    align === 'right' && 'text-right',
    hideBelow && hiddenBelow[hideBelow],
    (isPaged || (width !== undefined && !grow)) && 'rows:w-(--width)',
    (width === undefined || grow) && (isPaged ? 'print:w-auto! print:min-w-(--width)' : 'rows:min-w-(--width)'),
  )

const cellLook = ({ align, hideBelow, width, cut, narrow = 'inline' }: ColumnLook) =>
  cn(
    narrowLooks[narrow],
    align === 'right' && 'text-right tabular-nums',
    align === 'right' && narrow !== 'aside' && 'blocks:text-left',
    hideBelow && hiddenBelow[hideBelow],
    // A text that is cut does not widen its column.
    (width === undefined || cut) && 'rows:max-w-0 print:max-w-none!',
  )

/** For each column, the widths at which it is the last visible one. */
const endLooks = <Row extends RowData>(columns: Column<Row>[]) =>
  columns.map(({ id }, at) => {
    const after = columns.slice(at + 1)
    const gone = after.flatMap(({ meta }) => meta?.hideBelow ?? [])
    return cn(
      after.length > 0 && gone.length === after.length && endBelow[gone.toSorted((a, b) => a - b)[0]!],
      !isControl(id) && after.every((column) => isControl(column.id)) && 'print:pr-(--end)!',
    )
  })

const cellSpace =
  'box-content min-w-0 py-0 text-13 rows:h-[var(--row,43px)] rows:border-b rows:px-(--cell) rows:first:pl-(--edge) rows:last:pr-(--end) rows:group-last/row:border-b-0'

/** How many values stand under one another beside the subject of a low block; 0 where blocks are high. */
const countAsides = <Row extends RowData>(columns: Column<Row>[]) =>
  columns.filter(({ meta }) => meta?.narrow === 'aside').length

const highBlock = 'blocks:flex blocks:flex-wrap blocks:items-center blocks:gap-2.5 blocks:py-3'
// What stands before the subject, the subject, asides and buttons; what is missing takes no space. Large text wraps.
const lowBlock = cn(
  'blocks:grid blocks:min-h-18 blocks:grid-cols-[auto_minmax(0,1fr)_auto_auto] blocks:items-center blocks:py-1.5',
  'blocks:@max-[16rem]:flex blocks:@max-[16rem]:flex-wrap blocks:@max-[16rem]:*:max-w-full',
)

const skeletonRows = Array.from({ length: 10 }, (_, at) => at)

/** Rows without data. They come after 150 ms, so that they do not flash where data is faster. */
const SkeletonRows = <Row extends RowData>({ columns, ends }: { columns: Column<Row>[]; ends: string[] }) =>
  skeletonRows.map((row) => (
    <tr
      key={row}
      aria-hidden
      className="animate-fade [animation-delay:150ms] [animation-fill-mode:backwards] blocks:block blocks:border-b blocks:px-(--edge) blocks:py-8"
    >
      {columns.map((column, at) => (
        <td
          key={findColumnId(column)}
          className={cn(cellSpace, ends[at], cellLook(column.meta ?? {}), 'blocks:block blocks:not-first:hidden')}
        >
          <Skeleton className={cn('h-3 w-3/5', column.meta?.align === 'right' && 'ml-auto')} />
        </td>
      ))}
    </tr>
  ))

interface GridRowProps<Row extends RowData> {
  row: TableRow<Features, Row>
  columns: Column<Row>[]
  ends: string[]
  /** It has the cursor. */
  isActive: boolean
}

const noRows: never[] = []

/** One row. Renders again only for new data or columns, not for each key in the search box. */
const GridRow = memo(
  function GridRow<Row extends RowData>({ row, columns, ends, isActive }: GridRowProps<Row>) {
    const asides = countAsides(columns)
    return (
      <tr
        role="row"
        data-row={row.id}
        aria-current={isActive || undefined}
        className={cn(
          'group/row row-target transition-colors hover:bg-hover hover:[--row-ground:var(--surface-hover)] print:break-inside-avoid blocks:border-b blocks:last:border-b-0 blocks:px-(--edge)',
          asides > 0 ? lowBlock : highBlock,
        )}
        style={asides > 0 ? ({ '--asides': asides } as CSSProperties) : undefined}
      >
        {row.getAllCells().map((cell, at) => {
          const look = cell.column.columnDef.meta ?? {}
          const { header } = cell.column.columnDef
          return (
            <td
              key={cell.id}
              role="cell"
              data-pinned={cell.column.id === 'actions' || undefined}
              className={cn(
                cellSpace,
                ends[at],
                cellLook(look),
                pinned(cell.column.id),
                isControl(cell.column.id) && 'print:hidden!',
              )}
            >
              {look.narrow === 'labelled' && typeof header === 'string' && (
                <span aria-hidden className="shrink-0 text-quiet rows:hidden">
                  {header}
                </span>
              )}
              <FlexRender cell={cell} />
            </td>
          )
        })}
      </tr>
    )
  },
  (before, after) =>
    before.row.original === after.row.original &&
    before.columns === after.columns &&
    before.isActive === after.isActive,
  // `memo` forgets that the component takes any kind of row.
) as <Row extends RowData>(props: GridRowProps<Row>) => ReactNode

interface HeadCellProps<Row extends RowData> {
  header: Header<Features, Row>
  /** CSS. */
  width: string
  isPaged: boolean
  end: string | undefined
  sort: ListSort | undefined
}

function HeadCell<Row extends RowData>({ header, width, isPaged, end, sort }: HeadCellProps<Row>) {
  const look = header.column.columnDef.meta ?? {}
  const columnId = header.column.id
  const isSorting = sort !== undefined && findColumnSorts(sort, columnId).length > 0
  const current = sort?.sorts[sort.current]
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={isSorting && current?.column === columnId ? current.direction : undefined}
      style={{ '--width': width } as CSSProperties}
      className={cn(
        'sticky top-0 z-1 box-content h-[35px] border-b bg-(--table-ground,var(--surface)) px-(--cell) py-0 text-left text-12 font-medium whitespace-nowrap text-quiet first:pl-(--edge) last:pr-(--end) print:static',
        end,
        headLook(look, isPaged),
        pinned(columnId),
        isControl(columnId) && 'rows:z-3 print:hidden',
      )}
    >
      {isSorting ? (
        <SortHead sort={sort} columnId={columnId} isRight={look.align === 'right'}>
          <FlexRender header={header} />
        </SortHead>
      ) : (
        <FlexRender header={header} />
      )}
    </th>
  )
}

const NoticeRow = ({ columns, children }: { columns: number; children: ReactNode }) => (
  <tr role="row" className="blocks:block">
    <td
      role="cell"
      colSpan={columns}
      className="h-11 px-(--edge) text-center text-13 text-quiet blocks:block blocks:h-auto blocks:py-3"
    >
      {children}
    </td>
  </tr>
)

const tableLook = 'table-spacing w-full border-separate border-spacing-0 print:[--spare:0px]! blocks:block'

/**
 * The table alone: sticky head, 44 px rows or 36 px; in a narrow place every row is a block. What holds it is a
 * `@container`, whose width decides which columns are shown.
 */
export function TableGrid<Row extends RowData>({
  columns: designed,
  chosenColumns = designed,
  rows = noRows,
  rowId,
  notice,
  isLoading,
  dimmed,
  isCompact,
  isPaged = false,
  sort,
}: TableGridProps<Row>) {
  const ref = useRef<HTMLTableElement>(null)
  const { narrowerThan, isBlocks } = useTableWidth(ref)
  const columns = isBlocks ? designed : chosenColumns
  const table = useTable({ features, columns, data: rows, getRowId: rowId })
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  const { spare, headWidths } = useColumnWidths(ref, columns, rows, narrowerThan)
  const ends = endLooks(columns)
  const { active } = useRowCursor()
  const handlers = useRowHandlers(rows, rowId)
  useTabRow(ref, active?.id, isPaged)
  return (
    <TableWidthProvider value={isBlocks && countAsides(designed) > 0 ? lowBlocks : narrowerThan}>
      <table
        ref={ref}
        role="table"
        aria-busy={dimmed || undefined}
        style={{ '--spare': isPaged ? spare : '0px' } as CSSProperties}
        className={cn(tableLook, isPaged && 'rows:table-fixed print:table-auto!', isCompact && 'compact-rows')}
      >
        <thead role="rowgroup" className="blocks:sr-only">
          <tr role="row">
            {headers.map((header, at) => (
              <HeadCell key={header.id} {...{ header, isPaged, sort }} width={headWidths[at]!} end={ends[at]} />
            ))}
          </tr>
        </thead>
        {/* `isolate`: rows that are dimmed for a moment are not laid out again. */}
        <tbody
          role="rowgroup"
          {...handlers}
          className={cn('isolate transition-opacity blocks:block', dimmed && 'opacity-55 delay-100')}
        >
          {table.getRowModel().rows.map((row) => (
            <GridRow key={row.id} {...{ row, columns, ends }} isActive={row.id === active?.id} />
          ))}
          {notice && <NoticeRow columns={headers.length}>{notice}</NoticeRow>}
          {isLoading && <SkeletonRows {...{ columns, ends }} />}
        </tbody>
      </table>
    </TableWidthProvider>
  )
}
