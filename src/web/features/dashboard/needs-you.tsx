import { useQuery } from '@tanstack/react-query'
import {
  CalendarClock,
  CircleCheck,
  CloudAlert,
  Scale,
  SendHorizontal,
  ShieldAlert,
  ShieldCheck,
  Stamp,
  Undo2,
  type LucideIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { noticeWords } from '#contract/notice-words.ts'
import { noticeRoutes, type NoticeKind } from '#contract/notices.ts'
import type { NoticeDetails } from '#contract/schemas/analytics.ts'
import { buildQuery, describeError } from '#web/api.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths, waitingKyc } from '#web/paths.ts'
import { useCan } from '#web/use-can.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { CurrencySums } from './currency-sums.tsx'
import { formatWait } from './format-wait.ts'
import { mostKinds, NeedsPlaceholder } from './needs-placeholder.tsx'
import { figuresQuery, waitingQuery } from './queries.ts'

type Kind = NoticeKind | 'kyc'
interface Look {
  kind: Kind
  tone: keyof typeof grounds
  icon: LucideIcon
  words: [one: string, more: string]
  /** What stands below: text, or what is told of it once it is there. */
  detail: string | ((waiting: NoticeDetails) => ReactNode)
  /** Sums need more room than a text. */
  isWide?: true
}

const grounds = {
  danger: 'bg-danger-soft text-danger-ink',
  warning: 'bg-warning-soft text-warning-ink',
  info: 'bg-info-soft text-info-ink',
}

const oldest = (instant: string | null) => instant && `oldest ${formatWait(instant)}`

/** In the order of their weight. What else is noticed stands at the bell alone. */
const looks: readonly Look[] = [
  {
    kind: 'critical_events',
    tone: 'danger',
    icon: ShieldAlert,
    words: ['critical event', 'critical events'],
    detail: ({ oldestCritical }) => oldest(oldestCritical),
  },
  {
    kind: 'waiting_approvals',
    tone: 'warning',
    icon: Stamp,
    words: ['approval for you', 'approvals for you'],
    detail: ({ oldestApproval }) => oldest(oldestApproval),
  },
  { kind: 'kyc', tone: 'info', icon: ShieldCheck, words: ['KYC to review', 'KYC to review'], detail: '' },
  {
    kind: 'expiring_orders',
    tone: 'warning',
    icon: CalendarClock,
    words: ['order expires in 24 h', 'orders expire in 24 h'],
    detail: ({ expiringOrders }) => expiringOrders && <CurrencySums sums={expiringOrders} most={2} />,
    isWide: true,
  },
  {
    kind: 'failed_submissions',
    tone: 'danger',
    icon: CloudAlert,
    words: ['failed submission', 'failed submissions'],
    detail: 'in the last 24 hours',
  },
  {
    kind: 'failed_events',
    tone: 'danger',
    icon: SendHorizontal,
    words: ['failed message', 'failed messages'],
    detail: 'no try left',
  },
  {
    kind: 'refunds_due',
    tone: 'warning',
    icon: Undo2,
    words: ['refund due', 'refunds due'],
    detail: 'to be paid back',
  },
  {
    kind: 'overdue_lines',
    tone: 'info',
    icon: Scale,
    words: ['open bank line', 'open bank lines'],
    detail: 'booked over 2 days ago',
  },
]

/** The counts are those of the bell, and of the card Pending KYC: one statement each (product 5.1). */
function useNeeds() {
  const mayReview = useCan('kyc.view')
  const notices = useQuery(buildQuery(noticeRoutes.list))
  const figures = useQuery({ ...figuresQuery(), enabled: mayReview })
  const isReady = notices.data && (figures.data ?? !mayReview)
  const counts = new Map<Kind, number>(notices.data?.notices.map(({ kind, count }) => [kind, count]))
  if (figures.data && figures.data.pendingKyc > 0) counts.set('kyc', figures.data.pendingKyc)
  const failed = [notices, figures].find(({ isError, data }) => isError && !data)
  return {
    counts: isReady ? counts : undefined,
    oldestKyc: figures.data?.oldestPendingKyc ?? null,
    failed,
    notices,
    figures,
  }
}

/** What waits for the operator, each kind a link to the list that has just as many (product 5.1). */
export default function NeedsYou() {
  const { counts, oldestKyc, failed, notices, figures } = useNeeds()
  if (!counts && !failed) return <NeedsPlaceholder />
  const needs = looks.filter(({ kind }) => counts?.has(kind))
  const shown = needs.slice(0, mostKinds)
  const others = (counts?.size ?? 0) - shown.length
  const retry = () => {
    for (const query of [notices, figures]) if (query.isError) void query.refetch()
  }
  return (
    <section aria-labelledby="needs-you" data-needs="known">
      <div className="mb-2.5 flex min-h-5 items-baseline gap-2">
        <h2 id="needs-you">Needs you</h2>
        {others > 0 && (
          <span className="text-12 text-quiet">
            {formatCount(others)} more {others === 1 ? 'kind' : 'kinds'} under Notifications
          </span>
        )}
      </div>
      <div className={cn('overflow-hidden rounded-l border bg-canvas', !failed && 'wide:h-16.5')}>
        {failed ? (
          <ErrorState
            title="What needs you could not be loaded"
            message={describeError(failed.error)}
            onRetry={retry}
            retrying={failed.isFetching}
          />
        ) : shown.length === 0 ? (
          <AllClear hasOthers={others > 0} />
        ) : (
          <ul className="needs">
            {shown.map((look) => (
              <li key={look.kind} className={look.isWide && 'wide:grow-[1.4]!'}>
                <Need look={look} count={counts?.get(look.kind) ?? 0} oldestKyc={oldestKyc} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

const AllClear = ({ hasOthers }: { hasOthers: boolean }) => (
  <p className="flex min-h-14 items-center gap-2.5 px-4 text-13 wide:h-full">
    <CircleCheck aria-hidden className="size-4 shrink-0 text-success-ink" />
    <span>
      <b className="font-semibold">All clear</b>{' '}
      <span className="text-quiet">
        {hasOthers ? 'What else there is stands under Notifications.' : 'Nothing waits for you.'}
      </span>
    </span>
  </p>
)

function Need({ look, count, oldestKyc }: { look: Look; count: number; oldestKyc: string | null }) {
  const { kind, tone, icon: Icon, words, detail } = look
  const { to, search } = kind === 'kyc' ? paths.kyc(waitingKyc) : noticeWords[kind]
  return (
    <Link
      to={to}
      search={search}
      className="flex h-full min-h-14 min-w-0 items-center gap-2.5 px-4 py-1.5 text-13 transition-colors -outline-offset-2! hover:bg-hover"
    >
      <span className={cn('keep-colour grid size-7 shrink-0 place-items-center rounded-full', grounds[tone])}>
        <Icon aria-hidden className="size-3.5" />
      </span>
      <span className="min-w-0 tabular-nums">
        <b className="block font-semibold">
          {formatCount(count)} {count === 1 ? words[0] : words[1]}
        </b>
        <span className="block min-h-4 text-12 text-quiet">
          {kind === 'kyc' ? oldest(oldestKyc) : typeof detail === 'string' ? detail : <WaitingDetail of={detail} />}
        </span>
      </span>
    </Link>
  )
}

/** The count does not wait for it, and stands without it where it fails. */
function WaitingDetail({ of }: { of: (waiting: NoticeDetails) => ReactNode }) {
  const { data, isPending } = useQuery(waitingQuery())
  if (isPending) return <Skeleton className="h-3 w-20" />
  return data && of(data)
}
