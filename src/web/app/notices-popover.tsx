import { Popover } from 'radix-ui'
import { useRef, useState, type ReactElement } from 'react'
import { NoticeList } from './notices-list.tsx'

/** What the bell opens. It closes on choosing, and reading goes on in the page that was chosen. */
export default function NoticesPopover({ trigger }: { trigger: ReactElement }) {
  const [isOpen, setOpen] = useState(true)
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
          className="z-30 max-h-(--radix-popover-content-available-height) w-96 max-w-(--radix-popover-content-available-width) animate-fade overflow-auto rounded-l bg-raised p-1.5 text-13 text-ink shadow-float outline-none"
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
