import type { RowData } from '@tanstack/react-table'
import { cn } from '#web/lib/cn.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import type { Column } from './columns.ts'
import { TableGrid } from './table-grid.tsx'

interface StaticTableProps<Row extends RowData> {
  /** The accessible name: "Wallets". */
  label: string
  columns: Column<Row>[]
  rows: Row[]
  rowId: (row: Row) => string
  empty?: string
  /** How rows come in: with `empty` it stands in place of a table without rows. */
  hint?: string
  /** From edge to edge of the page. */
  bleeds?: boolean
}

/** A short table inside a page: all its rows are here, so it has no toolbar and no pager. */
export function StaticTable<Row extends RowData>({
  label,
  empty = 'No data available',
  hint,
  bleeds = false,
  rows,
  ...grid
}: StaticTableProps<Row>) {
  const isEmpty = rows.length === 0
  return (
    <section
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
      tabIndex={0}
      className={cn(
        '@container overflow-x-auto print:overflow-visible',
        bleeds && '-mx-(--gutter) -outline-offset-2!',
        bleeds && !isEmpty && 'border-b',
        !bleeds && 'rounded-l border [--table-edge:1rem] max-phone:[--table-edge:0.75rem]',
      )}
    >
      {isEmpty && hint ? (
        <EmptyState title={empty}>{hint}</EmptyState>
      ) : (
        <TableGrid {...grid} rows={rows} notice={isEmpty ? empty : null} />
      )}
    </section>
  )
}
