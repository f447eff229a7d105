import { createColumnHelper, tableFeatures, type ColumnDef, type RowData } from '@tanstack/react-table'
import type { TableWidth } from './table-widths.tsx'

/** How a column is laid out; its cells say what is in it. Widths are those of the content, without padding. */
export interface ColumnLook {
  /**
   * CSS width of what is always shown whole (badge, date, amount, buttons). A longer content widens its column, and the
   * texts beside it give way.
   */
  width?: string
  /** Takes a share of the room that is left over, as texts do. */
  grow?: boolean
  /** The content is a text that is cut at the `width` instead. */
  cut?: boolean
  /** Instead of a `width`: the least one of a text, which is cut where it is longer. Texts share the room that is left over. */
  min?: string
  align?: 'right'
  /** The table width in px below which the column goes. The next to go has the next lower width. */
  hideBelow?: TableWidth
  /** In a narrow table, where a row is a block. */
  narrow?: NarrowPlacement
}

/** On a line of its own (`full`), with its heading (`labelled`), beside others (`inline`, the default), at the right end (`end`), or left out. */
export type NarrowPlacement = 'full' | 'labelled' | 'inline' | 'end' | 'hidden'

const columnMeta: ColumnLook = {}
export const features = tableFeatures({ columnMeta })
export type Features = typeof features

// The value's type differs from column to column; only their cells know it.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Column<Row extends RowData> = ColumnDef<Features, Row, any>

/** The `width` of an instant: on one line in tables of this width in px and more, else on two. */
export const instantWidth = (oneLineFrom: number) => `clamp(84px, (100cqw - ${oneLineFrom}px) * 999, 148px)`

/** `const column = columnsOf<User>()`, then `column.accessor('email', { header, cell, meta })` or `column.display({ id, … })`. */
export const createColumns = <Row extends RowData>() => createColumnHelper<Features, Row>()
