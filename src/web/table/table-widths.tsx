import { createContext, use, useLayoutEffect, useState, type ReactNode, type RefObject } from 'react'
import { cn } from '#web/lib/cn.ts'

/**
 * Table widths in px, at the usual text size of 16 px, below which a column can be hidden. They grow with the text size. Paper
 * shows all columns.
 */
export const hiddenBelow = {
  680: 'rows:@max-[42.5rem]:hidden print:table-cell!',
  740: 'rows:@max-[46.25rem]:hidden print:table-cell!',
  800: 'rows:@max-[50rem]:hidden print:table-cell!',
  880: 'rows:@max-[55rem]:hidden print:table-cell!',
  960: 'rows:@max-[60rem]:hidden print:table-cell!',
  1040: 'rows:@max-[65rem]:hidden print:table-cell!',
  1100: 'rows:@max-[68.75rem]:hidden print:table-cell!',
  1180: 'rows:@max-[73.75rem]:hidden print:table-cell!',
} as const

export type TableWidth = keyof typeof hiddenBelow

/** The class of the last visible column below these widths. It keeps the distance to the table's end. */
export const endBelow: Record<TableWidth, string> = {
  680: 'rows:@max-[42.5rem]:pr-(--end)',
  740: 'rows:@max-[46.25rem]:pr-(--end)',
  800: 'rows:@max-[50rem]:pr-(--end)',
  880: 'rows:@max-[55rem]:pr-(--end)',
  960: 'rows:@max-[60rem]:pr-(--end)',
  1040: 'rows:@max-[65rem]:pr-(--end)',
  1100: 'rows:@max-[68.75rem]:pr-(--end)',
  1180: 'rows:@max-[73.75rem]:pr-(--end)',
}

const widths = Object.keys(hiddenBelow).map(Number)
/** Below this width each row is a block, which is low or has a line a value. */
const blocksBelow = 640
/** The `width` of what only low blocks show in the place of columns. */
export const lowBlocks = blocksBelow

/** The lowest of the widths that the table is narrower than. */
const NarrowerThan = createContext(Infinity)
export const TableWidthProvider = NarrowerThan.Provider

/** The content's width in px of the usual text size, as `rem` measures it. */
const measureWidth = (element: Element) =>
  (element.clientWidth * 16) / parseFloat(getComputedStyle(document.documentElement).fontSize)

const findStep = (width: number) => (width < blocksBelow ? Infinity : (widths.find((each) => width < each) ?? Infinity))

/** Measures the table's container, in the steps of `hiddenBelow`, before the first paint and at each change. */
export function useTableWidth(table: RefObject<HTMLTableElement | null>) {
  const [narrowerThan, setNarrowerThan] = useState(Infinity)
  const [isBlocks, setBlocks] = useState(false)
  useLayoutEffect(() => {
    const holder = table.current?.parentElement
    if (!holder) return
    const measure = () => {
      const width = measureWidth(holder)
      setNarrowerThan(findStep(width))
      setBlocks(width < blocksBelow)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(holder)
    return () => observer.disconnect()
  }, [table])
  return { narrowerThan, isBlocks }
}

interface OtherColumnProps {
  /** The `hideBelow` of that column. */
  width: TableWidth | typeof lowBlocks
  className?: string
  children: ReactNode
}

/** Shows the value of another column while that column is hidden. */
export const ShownBelow = ({ width, className, children }: OtherColumnProps) =>
  use(NarrowerThan) <= width && <span className={cn('block min-w-0 print:hidden', className)}>{children}</span>

/** Hidden while another column's value is shown in its place. */
export const HiddenBelow = ({ width, children }: Omit<OtherColumnProps, 'className'>) =>
  use(NarrowerThan) > width && children
