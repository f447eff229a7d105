import { Bell } from 'lucide-react'
import { Popover } from 'radix-ui'
import { IconButton } from '#web/ui/icon-button.tsx'

export default function NoticesPopover() {
  return (
    <Popover.Root defaultOpen>
      <Popover.Trigger asChild>
        <IconButton label="Notifications">
          <Bell aria-hidden />
        </IconButton>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Notifications"
          className="z-30 w-72 animate-fade rounded-l bg-raised p-4 text-13 text-quiet shadow-float outline-none"
        >
          Notices are not available yet.
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
