import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { findColumnSorts, type ListSort } from './use-sort.ts'

interface SortHeadProps {
  sort: ListSort
  columnId: string
  /** The icon stands before the heading, so that the heading ends where the column's values do. */
  isRight: boolean
  children: ReactNode
}

/** A heading that sorts: each press chooses the next order of its column, and after the last one the list's own. */
export function SortHead({ sort, columnId, isRight, children }: SortHeadProps) {
  const names = findColumnSorts(sort, columnId)
  const own = Object.keys(sort.sorts)[0]!
  const next = names[names.indexOf(sort.current) + 1] ?? (names.includes(own) ? names[0]! : own)
  const isCurrent = names.includes(sort.current)
  const direction = sort.sorts[sort.current]!.direction
  const Icon = isCurrent ? (direction === 'ascending' ? ArrowUp : ArrowDown) : ChevronsUpDown
  return (
    <button
      type="button"
      title={`Sort: ${sort.sorts[next]!.label}`}
      onClick={() => sort.set(next)}
      className={cn(
        'group/sort -mx-1.5 inline-flex h-7 items-center gap-1 rounded-s px-1.5 transition-colors hover:bg-hover hover:text-ink',
        isRight && 'flex-row-reverse',
        isCurrent && 'text-ink',
      )}
    >
      {children}
      <Icon
        aria-hidden
        className={cn(
          'size-3.5 shrink-0 print:hidden',
          !isCurrent &&
            'opacity-0 transition-opacity group-hover/sort:opacity-100 group-focus-visible/sort:opacity-100',
        )}
      />
    </button>
  )
}
