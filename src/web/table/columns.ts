import { createColumnHelper, tableFeatures, type ColumnDef, type RowData } from '@tanstack/react-table'

/** How a column is laid out; its cells say what is in it. */
export interface ColumnLook {
  /** CSS width at 768 px and more; one column at least is left without and takes the rest. */
  width?: string
  /** CSS width that a column without a `width` keeps at 768 px and more; the table scrolls sideways rather than go below. */
  min?: string
  align?: 'right'
  /** Left out between 768 and 1100 px. */
  hideBelowWide?: boolean
  /**
   * Below 768 px, where a row is a block: on a line of its own (`full`), with its heading (`labelled`),
   * beside others (`inline`, the default), at the right end (`end`), or left out (`hidden`).
   */
  narrow?: 'full' | 'labelled' | 'inline' | 'end' | 'hidden'
}

const columnMeta: ColumnLook = {}
export const features = tableFeatures({ columnMeta })
export type Features = typeof features

// The value's type differs from column to column; only their cells know it.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Column<Row extends RowData> = ColumnDef<Features, Row, any>

/** `const column = columnsOf<User>()`, then `column.accessor('email', { header, cell, meta })` or `column.display({ id, … })`. */
export const columnsOf = <Row extends RowData>() => createColumnHelper<Features, Row>()
