import { Popover } from 'radix-ui'
import { useRef, type ReactElement } from 'react'
import { usePopover } from '#web/ui/use-popover.ts'
import { NoticeList } from './notices-list.tsx'

/** The bell's popover. A choice closes it and moves the focus to the chosen page. */
export default function NoticesPopover({ trigger }: { trigger: ReactElement }) {
  const [isOpen, setOpen] = usePopover(true)
  const content = useRef<HTMLDivElement>(null)
  const isChosen = useRef(false)
  return (
    <Popover.Root
      open={isOpen}
      onOpenChange={(open) => {
        isChosen.current = false
        setOpen(open)
      }}
    >
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          ref={content}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Notifications"
          className="popover w-96 p-1.5"
          // Radix passes links over.
          onOpenAutoFocus={(event) => {
            const first = content.current?.querySelector('a')
            if (first) event.preventDefault()
            first?.focus()
          }}
          onCloseAutoFocus={(event) => {
            if (!isChosen.current) return
            event.preventDefault()
            document.querySelector('main')?.focus({ preventScroll: true })
          }}
        >
          <NoticeList
            onChoose={() => {
              isChosen.current = true
              setOpen(false)
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
