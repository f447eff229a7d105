import { Popover } from 'radix-ui'
import { type ReactNode, type RefObject, useState } from 'react'
import { cn } from '#web/lib/cn.ts'
import { Button } from './button.tsx'
import { Dialog, DialogBody, DialogFooter } from './dialog.tsx'

interface PanelAtButtonProps {
  title: string
  /** What it opens at. */
  button: RefObject<HTMLButtonElement | null>
  onClose: () => void
  /** Gives the focus back, else to the button. */
  onClosed?: () => void
  /** Its width and padding beside the button. */
  className?: string
  children: ReactNode
}

/** A panel at its button; on a phone a sheet. */
export function PanelAtButton({
  title,
  button,
  onClose,
  onClosed,
  className = 'w-80 p-1.5',
  children,
}: PanelAtButtonProps) {
  const [isPhone] = useState(() => matchMedia('(width < 48rem)').matches)
  if (isPhone)
    return (
      <Dialog title={title} onClose={onClose}>
        <DialogBody>{children}</DialogBody>
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
          aria-label={title}
          // A press on the button closes by itself.
          onInteractOutside={(event) => {
            if (event.target instanceof Node && button.current?.contains(event.target)) event.preventDefault()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (onClosed) onClosed()
            else button.current?.focus()
          }}
          className={cn('popover', className)}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
