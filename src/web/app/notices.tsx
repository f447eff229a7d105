import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { useState } from 'react'
import { noticeRoutes } from '#contract/notices.ts'
import { queryOf } from '#web/api.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { lazy, Lazily } from '#web/ui/lazily.tsx'

const NoticesPopover = lazy(() => import('./notices-popover.tsx'))

/** The button with the number of notices (product 3.6); the popover's code comes with the pointer. */
export function Notices() {
  const [isAsked, setAsked] = useState(false)
  // Asked once, then whenever the event stream tells of a change: never polled (product 8.2).
  const count = useQuery(queryOf(noticeRoutes.list)).data?.notices.length
  const label = count ? `Notifications, ${count} notice${count > 1 ? 's' : ''}` : 'Notifications'
  const face = (
    <>
      <Bell aria-hidden />
      {!!count && (
        <span className="absolute -top-0.5 -right-0.5 grid h-4 min-w-4 place-items-center rounded-full bg-danger-solid px-1 text-12 leading-none font-semibold text-on-danger tabular-nums ring-2 ring-surface max-md:top-0.5 max-md:right-0.5">
          {count}
        </span>
      )}
    </>
  )
  const button = (
    <IconButton
      label={label}
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={() => setAsked(true)}
      onPointerEnter={NoticesPopover.fetchAhead}
      onFocus={NoticesPopover.fetchAhead}
    >
      {face}
    </IconButton>
  )
  if (!isAsked) return button
  return (
    <Lazily fallback={button} onFailure={() => setAsked(false)}>
      <NoticesPopover trigger={<IconButton label={label}>{face}</IconButton>} />
    </Lazily>
  )
}
