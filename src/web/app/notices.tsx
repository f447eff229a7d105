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
        // With larger text it grows less than the bell, which would else be hidden under it.
        <span className="absolute -top-0.5 -right-0.5 grid h-[min(1rem,20px)] min-w-[min(1rem,20px)] place-items-center rounded-full bg-danger-solid px-[4px] text-[min(0.75rem,14px)] leading-none font-semibold text-on-danger tabular-nums ring-2 ring-surface max-md:top-[max(-2px,10px-0.5rem)] max-md:right-[max(-2px,10px-0.5rem)]">
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
