import type { RowData } from '@tanstack/react-table'
import type { Column } from './columns.ts'
import { TableGrid } from './table-grid.tsx'

interface StaticTableProps<Row extends RowData> {
  /** The accessible name: "Wallets". */
  label: string
  columns: Column<Row>[]
  rows: Row[]
  rowId: (row: Row) => string
  empty?: string
}

/** A short table inside a page: all its rows are here, so it has no toolbar and no pager. */
export function StaticTable<Row extends RowData>({
  label,
  empty = 'No data available',
  rows,
  ...grid
}: StaticTableProps<Row>) {
  return (
    <section
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
      tabIndex={0}
      className="@container overflow-x-auto rounded-l border [--table-edge:1rem] max-phone:[--table-edge:0.75rem] print:overflow-visible"
    >
      <TableGrid {...grid} rows={rows} notice={rows.length === 0 ? empty : null} />
    </section>
  )
}
