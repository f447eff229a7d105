import { ListFilter } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { usePopover } from '#web/ui/use-popover.ts'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { useShortcuts } from '#web/ui/use-shortcuts.ts'
import type { List } from './use-list.ts'

const FilterPanel = lazy(() => import('./filter-panel.tsx'))

/** Opens the menu of all filters of a list, and so does F. */
export function FilterButton({ list }: { list: List }) {
  const [isOpen, setOpen] = usePopover()
  const button = useRef<HTMLButtonElement>(null)
  usePrefetch(list.query.data !== undefined, FilterPanel)
  const close = () => setOpen(false)
  useShortcuts({ f: () => setOpen(true) })
  return (
    <>
      <Button
        ref={button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title="Filter (F)"
        onClick={() => setOpen(!isOpen)}
        className="border-dashed text-quiet shadow-none! print:hidden"
      >
        <ListFilter aria-hidden />
        <span className="max-phone:sr-only">Filter</span>
      </Button>
      {isOpen && (
        <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={close}>
          <FilterPanel list={list} button={button} onClose={close} />
        </LazyBoundary>
      )}
    </>
  )
}
