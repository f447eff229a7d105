import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { useState } from 'react'
import { noticeRoutes } from '#contract/notices.ts'
import { buildQuery } from '#web/api.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'

const NoticesPopover = lazy(() => import('./notices-popover.tsx'))

/** The button with the number of notices (product 3.6). Pointing at it loads the popover's code. */
export function Notices() {
  const [isRequested, setAsked] = useState(false)
  // Fetched once, then at each change that the event stream reports. Never polled (product 8.2).
  const count = useQuery(buildQuery(noticeRoutes.list)).data?.notices.length
  const label = count ? `Notifications, ${count} notice${count > 1 ? 's' : ''}` : 'Notifications'
  const icon = (
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
      onPointerEnter={NoticesPopover.prefetch}
      onFocus={NoticesPopover.prefetch}
    >
      {icon}
    </IconButton>
  )
  if (!isRequested) return button
  return (
    <LazyBoundary fallback={button} onFailure={() => setAsked(false)}>
      <NoticesPopover trigger={<IconButton label={label}>{icon}</IconButton>} />
    </LazyBoundary>
  )
}
