import { Popover } from 'radix-ui'
import { type RefObject, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialog.tsx'
import { FilterMenu } from './filter-menu.tsx'
import type { List } from './use-list.ts'

interface FilterPanelProps {
  list: List
  /** What it opens at. */
  button: RefObject<HTMLButtonElement | null>
  onClose: () => void
}

/** The menu of filters at its button; on a phone a sheet. */
export default function FilterPanel({ list, button, onClose }: FilterPanelProps) {
  const [isPhone] = useState(() => matchMedia('(width < 48rem)').matches)
  const menu = <FilterMenu list={list} onDone={onClose} />
  if (isPhone)
    return (
      <Dialog title="Filters" onClose={onClose}>
        <DialogBody>{menu}</DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>Done</Button>
        </DialogFooter>
      </Dialog>
    )
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor virtualRef={button} />
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Filters"
          // A press on the button closes by itself.
          onInteractOutside={(event) => {
            if (event.target instanceof Node && button.current?.contains(event.target)) event.preventDefault()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            button.current?.focus()
          }}
          className="popover w-80 p-1.5"
        >
          {menu}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
