import { Bell } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#web/ui/icon-button.tsx'
import { fetchAhead, lazy, Lazily } from '#web/ui/lazily.tsx'

const loadPopover = () => import('./notices-popover.tsx')
const NoticesPopover = lazy(loadPopover)

/** The button alone until it is used: the popover's code comes with the pointer. */
export function Notices() {
  const [isAsked, setAsked] = useState(false)
  const button = (
    <IconButton
      label="Notifications"
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={() => setAsked(true)}
      onPointerEnter={() => fetchAhead(loadPopover)}
      onFocus={() => fetchAhead(loadPopover)}
    >
      <Bell aria-hidden />
    </IconButton>
  )
  if (!isAsked) return button
  return (
    <Lazily fallback={button} onFailure={() => setAsked(false)}>
      <NoticesPopover />
    </Lazily>
  )
}
