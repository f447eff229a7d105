/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/control-has-associated-label
   -- below 768 px the rows are blocks, and `display` drops the roles that table elements have by themselves */
import { useTable, type RowData } from '@tanstack/react-table'
import type { CSSProperties, ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { features, type Column, type ColumnLook } from './columns.ts'

interface TableGridProps<Row extends RowData> {
  columns: Column<Row>[]
  rows: Row[] | undefined
  rowId: (row: Row) => string
  /** Stands in a row as high as data while there is none. */
  notice?: ReactNode
  /** The rows are those of the page before. */
  dimmed?: boolean
}

const narrowLooks: Record<NonNullable<ColumnLook['narrow']>, string> = {
  full: 'max-md:basis-full',
  labelled: 'max-md:flex max-md:basis-full max-md:justify-between max-md:gap-4',
  inline: '',
  end: 'max-md:ml-auto',
  hidden: 'max-md:hidden',
}

/** Where the table scrolls sideways, what can be done with a row stays in sight. */
const pinned = (columnId: string) =>
  columnId === 'actions' &&
  'md:sticky md:right-0 md:bg-(--table-ground,var(--surface)) md:transition-colors md:group-hover/row:bg-hover'

const cellLook = ({ align, hideBelowWide, narrow = 'inline' }: ColumnLook) =>
  cn(
    narrowLooks[narrow],
    align === 'right' && 'text-right tabular-nums max-md:text-left',
    hideBelowWide && 'md:max-wide:hidden',
  )

/** The width below which the table scrolls sideways: a fixed layout would squeeze its columns to nothing instead. */
const leastWidth = (looks: ColumnLook[]) =>
  `calc(${looks.map(({ width, min }) => min ?? (width && !width.includes('%') ? width : '144px')).join(' + ')})`

/** As custom properties, which React's own type does not know. */
const leastWidths = (looks: ColumnLook[]) =>
  ({
    '--least': leastWidth(looks.filter(({ hideBelowWide }) => !hideBelowWide)),
    '--least-wide': leastWidth(looks),
  }) as CSSProperties

const noRows: never[] = []

/** The table alone: sticky head, 44 px rows; below 768 px every row is a block. */
export function TableGrid<Row extends RowData>({ columns, rows = noRows, rowId, notice, dimmed }: TableGridProps<Row>) {
  const table = useTable({ features, columns, data: rows, getRowId: rowId })
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  const looks = headers.map((header) => header.column.columnDef.meta ?? {})
  return (
    <table
      role="table"
      aria-busy={dimmed || undefined}
      style={leastWidths(looks)}
      className="w-full table-fixed border-separate border-spacing-0 max-md:block md:min-w-(--least) wide:min-w-(--least-wide)"
    >
      <thead role="rowgroup" className="max-md:sr-only">
        <tr role="row">
          {headers.map((header) => {
            const look = header.column.columnDef.meta ?? {}
            return (
              <th
                key={header.id}
                role="columnheader"
                scope="col"
                style={look.width ? { width: look.width } : undefined}
                className={cn(
                  'sticky top-0 z-1 h-9 border-b bg-(--table-ground,var(--surface)) px-3 text-left text-12 font-medium whitespace-nowrap text-quiet first:pl-(--table-edge,var(--gutter)) last:pr-(--table-edge,var(--gutter))',
                  look.align === 'right' && 'text-right',
                  pinned(header.column.id) && 'md:right-0 md:z-2',
                  look.hideBelowWide && 'md:max-wide:hidden',
                )}
              >
                <table.FlexRender header={header} />
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody role="rowgroup" className={cn('transition-opacity max-md:block', dimmed && 'opacity-55 delay-100')}>
        {table.getRowModel().rows.map((row) => (
          <tr
            key={row.id}
            role="row"
            className="group/row transition-colors hover:bg-hover max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-2.5 max-md:border-b max-md:px-(--table-edge,var(--gutter)) max-md:py-3"
          >
            {row.getAllCells().map((cell) => {
              const look = cell.column.columnDef.meta ?? {}
              const { header } = cell.column.columnDef
              return (
                <td
                  key={cell.id}
                  role="cell"
                  className={cn(
                    'min-w-0 text-13 md:h-11 md:border-b md:px-3 md:first:pl-(--table-edge,var(--gutter)) md:last:pr-(--table-edge,var(--gutter)) md:group-last/row:border-b-0',
                    cellLook(look),
                    pinned(cell.column.id),
                  )}
                >
                  {look.narrow === 'labelled' && typeof header === 'string' && (
                    <span aria-hidden className="text-quiet md:hidden">
                      {header}
                    </span>
                  )}
                  <table.FlexRender cell={cell} />
                </td>
              )
            })}
          </tr>
        ))}
        {notice && (
          <tr role="row" className="max-md:block">
            <td
              role="cell"
              colSpan={headers.length}
              className="h-11 text-center text-13 text-quiet max-md:block max-md:py-3"
            >
              {notice}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}
