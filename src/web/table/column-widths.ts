import type { RowData } from '@tanstack/react-table'
import { type RefObject, useLayoutEffect, useState } from 'react'
import { type Column, findColumnId } from './columns.ts'

/** Widths in px of contents that their column's design does not hold, by column. */
type Widths = Readonly<Record<string, number>>
const asDesigned: Widths = {}
const leastText = '120px'

function measurePart(part: Element): number {
  const { marginLeft, marginRight } = getComputedStyle(part)
  const width = Math.max(part.getBoundingClientRect().width, part.scrollWidth)
  return width + parseFloat(marginLeft) + parseFloat(marginRight)
}

function measureContent(cell: HTMLElement): number {
  if (cell.childElementCount > 0) return Math.max(...Array.from(cell.children, measurePart))
  const range = document.createRange()
  range.selectNodeContents(cell)
  return range.getBoundingClientRect().width
}

/** Measures headings, and contents that are never cut, where they do not fit. */
function measureWider<Row extends RowData>({ rows }: HTMLTableElement, columns: Column<Row>[]): Widths {
  const wider: Record<string, number> = {}
  const widths = Array.from(rows[0]?.cells ?? [], (head) => parseFloat(getComputedStyle(head).width))
  for (const { cells } of rows) {
    if (cells.length !== columns.length) continue
    columns.forEach((column, at) => {
      const { width, cut } = column.meta ?? {}
      const cell = cells[at]!
      if (cell.tagName === 'TD' && (width === undefined || cut)) return
      const id = findColumnId(column)
      const needed = measureContent(cell)
      // What is measured in whole pixels may be one more.
      if (needed > Math.max(widths[at]! + 1, wider[id] ?? 0)) wider[id] = Math.ceil(needed)
    })
  }
  return wider
}

/**
 * The widths of a table's columns, which do not depend on its rows, so that a column keeps its place from page to page.
 * A content that is never cut and does not fit widens its column while the table stays at this step of its width.
 */
export function useColumnWidths<Row extends RowData>(
  table: RefObject<HTMLTableElement | null>,
  columns: Column<Row>[],
  rows: Row[],
  step: number,
) {
  const [measured, setMeasured] = useState({ step, widths: asDesigned })
  const widths = measured.step === step ? measured.widths : asDesigned
  useLayoutEffect(() => {
    // Below 640 px the rows are blocks, and a table without pages is laid out by its rows.
    if (!table.current || getComputedStyle(table.current).tableLayout !== 'fixed') return
    const wider = measureWider(table.current, columns)
    if (Object.keys(wider).length > 0) setMeasured({ step, widths: { ...widths, ...wider } })
    // oxlint-disable-next-line react/exhaustive-deps -- what was measured before changes nothing
  }, [table, columns, rows, step])

  const shown = columns.filter(({ meta }) => !meta?.hideBelow || meta.hideBelow < step)
  const getDesigned = ({ meta }: Column<Row>) => meta?.width ?? meta?.min ?? leastText
  const getWidth = (column: Column<Row>) => {
    const needed = widths[findColumnId(column)]
    return needed === undefined ? getDesigned(column) : `max(${getDesigned(column)}, ${needed}px)`
  }
  const sumUp = (some: Column<Row>[]) => some.reduce((sum, column) => sum + (parseFloat(getDesigned(column)) || 0), 0)
  const growing = shown.filter(({ meta }) => meta?.width === undefined || meta.grow)
  const yielding = shown.filter(({ meta }) => meta?.width === undefined || meta.cut)
  const getShare = (column: Column<Row>, of: Column<Row>[]) =>
    of.includes(column) ? sumUp([column]) / (sumUp(of) || 1) : 0
  const taken = ['var(--edge)', 'var(--end)', `${2 * (shown.length - 1)} * var(--cell)`, ...shown.map(getWidth)]
  return {
    /** The width that is left, or what is lacking, of which texts give at most half of theirs. */
    spare: `max(${-sumUp(yielding) / 2}px, 100cqw - ${taken.join(' - ')})`,
    headWidths: columns.map(
      (column) =>
        `calc(${getWidth(column)} + max(0px, var(--spare)) * ${getShare(column, growing)} +
          min(0px, var(--spare)) * ${getShare(column, yielding)})`,
    ),
  }
}
