import { useQuery } from '@tanstack/react-query'
import { type NoticeKind, noticeRoutes } from '#contract/notices.ts'
import { buildQuery } from '#web/api.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import SidebarViews from '#web/views/sidebar-views.tsx'

/** The notices about what each screen lists. */
const noticesOf: Readonly<Record<string, readonly NoticeKind[]>> = {
  '/orders': ['expiring_orders'],
  '/reconciliation': ['overdue_lines', 'ended_orders_paid', 'payments_taken_back', 'refunds_due'],
  '/kyc': ['another_looks'],
  '/kyc-webhooks': ['failed_submissions', 'failed_events', 'failed_alerts'],
  '/security': ['critical_events'],
  '/approvals': ['waiting_approvals'],
}

interface Waiting {
  count: number
  /** There is a notice about some of it. */
  isUrgent: boolean
}

/** What waits on a screen: its queue, or else what its notices count. Null: nothing. */
function useWaiting(path: string): Waiting | null {
  const { data } = useQuery(buildQuery(noticeRoutes.list))
  const noticed = data?.notices.filter(({ kind }) => noticesOf[path]?.includes(kind)) ?? []
  const queue = { '/kyc': data?.queues.cases, '/reconciliation': data?.queues.lines }[path]
  const count = queue ?? noticed.reduce((sum, notice) => sum + notice.count, 0)
  return count > 0 ? { count, isUrgent: noticed.length > 0 } : null
}

interface ScreenDetailsProps {
  path: string
  foldable: boolean
  onChoose: (() => void) | undefined
}

/** Beside a screen's entry in the sidebar how much waits there, and below it the saved views of its lists. */
export default function ScreenDetails({ path, foldable, onChoose }: ScreenDetailsProps) {
  const waiting = useWaiting(path)
  return (
    <>
      {waiting && (
        <span
          className={cn(
            'pointer-events-none absolute top-0 right-2 text-12 leading-8 text-quiet tabular-nums max-md:leading-10',
            waiting.isUrgent && 'font-semibold text-warning-ink',
            // Folded it is a dot.
            foldable &&
              'folded:top-1 folded:right-1.5 folded:size-1.5 folded:overflow-hidden folded:rounded-full folded:indent-4',
            foldable && (waiting.isUrgent ? 'folded:bg-warning-solid' : 'folded:hidden'),
          )}
        >
          {formatCount(waiting.count)}
          <span className="sr-only"> waiting</span>
        </span>
      )}
      <SidebarViews path={path} className={foldable ? 'folded:hidden' : undefined} onChoose={onChoose} />
    </>
  )
}
