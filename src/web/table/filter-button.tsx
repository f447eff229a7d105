import { ListFilter } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialog.tsx'
import { usePopover } from '#web/ui/use-popover.ts'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { useShortcuts } from '#web/ui/use-shortcuts.ts'
import type { List } from './use-list.ts'

const FilterMenu = lazy(() => import('./filter-menu.tsx'))

const isPhone = () => matchMedia('(width < 48rem)').matches

/** Opens the menu of all filters of a list, and so does F. On a phone it is a sheet. */
export function FilterButton({ list }: { list: List }) {
  const [isOpen, setOpen] = usePopover()
  const [isSheet, setSheet] = useState(false)
  usePrefetch(list.query.data !== undefined, FilterMenu)
  const open = () => {
    setSheet(isPhone())
    setOpen(true)
  }
  const close = () => setOpen(false)
  useShortcuts({ f: open })
  const menu = (
    <LazyBoundary fallback={null} onFailure={close}>
      <FilterMenu list={list} onDone={close} />
    </LazyBoundary>
  )
  return (
    <>
      <Popover.Root open={isOpen && !isSheet} onOpenChange={(now) => (now ? open() : close())}>
        <Popover.Trigger asChild>
          <Button
            aria-haspopup="dialog"
            title="Filter (F)"
            className="border-dashed text-quiet shadow-none! print:hidden"
          >
            <ListFilter aria-hidden />
            Filter
          </Button>
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            align="start"
            sideOffset={6}
            collisionPadding={8}
            aria-label="Filters"
            className="popover w-80 p-1.5"
          >
            {menu}
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      {isOpen && isSheet && (
        <Dialog title="Filters" onClose={close}>
          <DialogBody>{menu}</DialogBody>
          <DialogFooter>
            <Button onClick={close}>Done</Button>
          </DialogFooter>
        </Dialog>
      )}
    </>
  )
}
