import { createColumnHelper, tableFeatures, type ColumnDef, type RowData } from '@tanstack/react-table'
import type { TableWidth } from './table-widths.tsx'

/** How a column is laid out; its cells say what is in it. Widths are those of the content, without padding. */
export interface ColumnLook {
  /**
   * CSS width of what is always shown whole (badge, date, amount, buttons). A longer content widens its column, and the
   * texts beside it give way.
   */
  width?: string
  /** Takes a share of the remaining width, as texts do. */
  grow?: boolean
  /** The content is a text that is truncated at `width`. */
  cut?: boolean
  /** The least width of a text, instead of `width`. Texts share the remaining width and are truncated. */
  min?: string
  align?: 'right'
  /** The table width in px below which the column is hidden. Columns disappear one at a time. */
  hideBelow?: TableWidth
  /** In a narrow table, where a row is a block. */
  narrow?: NarrowPlacement
}

/**
 * On a line of its own (`full`), with its heading (`labelled`), beside others (`inline`, the default), at the right end
 * (`end`), or left out. Rows of a list are low: something small (`before`), the `subject` with the values of hidden
 * columns under it, under one another those `aside`, a `button` for what no page has, and a `note` below.
 */
export const narrowLooks = {
  full: 'blocks:basis-full',
  labelled:
    'blocks:flex blocks:*:min-w-0 blocks:*:not-first:ml-auto blocks:flex-wrap blocks:basis-full blocks:justify-between blocks:gap-x-4 blocks:gap-y-1',
  inline: '',
  end: 'blocks:ml-auto',
  hidden: 'blocks:hidden',
  before: 'blocks:row-start-1 blocks:row-span-(--asides) blocks:pr-3',
  subject: 'blocks:col-start-2 blocks:row-start-1 blocks:row-span-(--asides)',
  aside: 'blocks:col-start-3 blocks:justify-self-end blocks:pl-3 blocks:text-right',
  button: 'blocks:-col-start-2 blocks:row-start-1 blocks:row-span-(--asides) blocks:pl-2',
  note: 'blocks:order-1 blocks:col-start-2 blocks:-col-end-1',
}

export type NarrowPlacement = keyof typeof narrowLooks

const columnMeta: ColumnLook = {}
export const features = tableFeatures({ columnMeta })
export type Features = typeof features

// The value's type differs from column to column; only their cells know it.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Column<Row extends RowData> = ColumnDef<Features, Row, any>

/** The id that the table gives a column. */
export function findColumnId<Row extends RowData>(column: Column<Row>): string {
  const { id = 'accessorKey' in column ? String(column.accessorKey) : '' } = column
  return id
}

/** Controls are not data: they keep their place, and are not printed. */
export const isControl = (columnId: string | undefined) => columnId === 'actions' || columnId === 'select'

export const listDataColumns = <Row extends RowData>(columns: Column<Row>[]) =>
  columns.filter(({ id }) => !isControl(id))

/** The `width` of buttons, which are smaller in tables of less than 50rem. */
export const buttonsWidth = (small: number, usual: number) => `clamp(${small}px, (100cqw - 800px) * 999, ${usual}px)`

/** The `width` of an instant: one line in tables of at least this width in px, else two. */
export const instantWidth = (oneLineFrom: number) => `clamp(88px, (100cqw - ${oneLineFrom}px) * 999, 148px)`

/**
 * `const column = createColumns<Member>()`, then `column.accessor('email', { header, cell, meta })` or `column.display({
 * id, … })`.
 */
export const createColumns = <Row extends RowData>() => createColumnHelper<Features, Row>()
