import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useRef } from 'react'
import { useEscapeHandler } from '#web/ui/escape.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Sidebar } from './sidebar.tsx'

interface DrawerProps {
  /** The button that opened it. The focus returns there. */
  opener: HTMLElement
  onClose: () => void
}

/** The sidebar below 768 px. */
export default function Drawer({ opener, onClose }: DrawerProps) {
  const content = useRef<HTMLDivElement>(null)
  const isChosen = useRef(false)
  useEscapeHandler(onClose)
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-20 animate-fade bg-scrim" />
        <Dialog.Content
          ref={content}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            content.current?.querySelector('a')?.focus()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            const target = isChosen.current ? document.querySelector('main') : opener
            target?.focus({ preventScroll: true })
          }}
          className="fixed inset-y-0 left-0 z-20 flex w-[min(280px,85vw)] animate-slide-in flex-col bg-canvas text-ink shadow-dialog outline-none"
        >
          <Dialog.Title className="sr-only">Menu</Dialog.Title>
          <Sidebar
            onChoose={() => {
              isChosen.current = true
              onClose()
            }}
          />
          <Dialog.Close asChild>
            <IconButton label="Close menu" className="absolute! top-2 right-2">
              <X aria-hidden />
            </IconButton>
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
