import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  BellOff,
  CalendarClock,
  ChevronRight,
  CircleCheck,
  CircleX,
  CloudAlert,
  FileQuestionMark,
  Hourglass,
  MessageSquareReply,
  RotateCcw,
  Scale,
  SendHorizontal,
  ShieldAlert,
  Stamp,
  Undo2,
  Unplug,
  type LucideIcon,
} from 'lucide-react'
import { noticeRoutes, type NoticeKind } from '#contract/notices.ts'
import type { Notice } from '#contract/schemas/notices.ts'
import { buildQuery, describeError } from '#web/api.ts'
import { formatCount } from '#web/lib/money.ts'
import { paths } from '#web/paths.ts'
import { usePermissions } from '#web/use-can.ts'
import { toneInk, type Tone } from '#web/ui/badge.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Note } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'

interface NoticeLook {
  icon: LucideIcon
  tone: Tone
  /** The text behind the count, singular and plural. */
  words: [one: string, more: string]
  /** Where it leads, in the sidebar's words. */
  where: string
  to: ReturnType<
    (typeof paths)['approvals' | 'security' | 'kycWebhooks' | 'orders' | 'reconciliation' | 'transactions']
  >
}

/** One notice for each kind, linked to the list that shows the same count (product 3.6). */
const looks: Record<NoticeKind, NoticeLook> = {
  critical_events: {
    icon: ShieldAlert,
    tone: 'danger',
    words: ['unresolved critical event', 'unresolved critical events'],
    where: 'Security Logs',
    to: paths.security({ status: 'critical' }),
  },
  waiting_approvals: {
    icon: Stamp,
    tone: 'warning',
    words: ['approval waits for you', 'approvals wait for you'],
    where: 'Approvals, for me to decide',
    to: paths.approvals({ view: 'others' }),
  },
  answered_requests: {
    icon: MessageSquareReply,
    tone: 'warning',
    words: ['request of yours was decided or has expired', 'requests of yours were decided or have expired'],
    where: 'Approvals, not seen yet',
    to: paths.approvals({ view: 'answered' }),
  },
  alarms_failing: {
    icon: BellOff,
    tone: 'danger',
    words: ['output of alarms fails', 'outputs of alarms fail'],
    where: 'Security Logs, alarms',
    to: paths.security(),
  },
  failed_submissions: {
    icon: CloudAlert,
    tone: 'warning',
    words: ['KYC submission failed to reach the provider', 'KYC submissions failed to reach the provider'],
    where: 'KYC Webhooks, the last 24 hours',
    to: paths.kycWebhooks({ unreached: '24h' }),
  },
  failed_events: {
    icon: SendHorizontal,
    tone: 'danger',
    words: ['event was not delivered to the platform', 'events were not delivered to the platform'],
    where: 'Deliveries, failed events',
    to: paths.kycWebhooks({ tab: 'deliveries', kind: 'event', status: 'failed' }),
  },
  expiring_orders: {
    icon: CalendarClock,
    tone: 'warning',
    words: ['order expires within 24 hours', 'orders expire within 24 hours'],
    where: 'Orders, waiting for payment',
    to: paths.orders({ expiring: '24h' }),
  },
  overdue_lines: {
    icon: Scale,
    tone: 'warning',
    words: ['bank line has waited for more than two days', 'bank lines have waited for more than two days'],
    where: 'Reconciliation, overdue lines',
    to: paths.reconciliation({ tab: 'lines', attention: 'overdue' }),
  },
  ended_orders_paid: {
    icon: Hourglass,
    tone: 'danger',
    words: ['payment is on an order that has ended', 'payments are on orders that have ended'],
    where: 'Reconciliation, money on ended orders',
    to: paths.reconciliation({ tab: 'lines', attention: 'ended_order' }),
  },
  payments_taken_back: {
    icon: RotateCcw,
    tone: 'danger',
    words: [
      'payment was taken back after its order was completed',
      'payments were taken back after their orders were completed',
    ],
    where: 'Reconciliation, taken back after completion',
    to: paths.reconciliation({ tab: 'lines', attention: 'taken_back' }),
  },
  refunds_due: {
    icon: Undo2,
    tone: 'warning',
    words: ['payment is to be paid back', 'payments are to be paid back'],
    where: 'Reconciliation, refunds due',
    to: paths.reconciliation({ tab: 'lines', attention: 'refund_due' }),
  },
  statement_differences: {
    icon: CircleX,
    tone: 'danger',
    words: ['bank statement does not add up', 'bank statements do not add up'],
    where: 'Reconciliation, statements',
    to: paths.reconciliation({ tab: 'statements', attention: 'difference' }),
  },
  statement_gaps: {
    icon: FileQuestionMark,
    tone: 'warning',
    words: ['bank statement is missing', 'bank statements are missing'],
    where: 'Reconciliation, statements',
    to: paths.reconciliation({ tab: 'statements', attention: 'gap' }),
  },
  unreadable_imports: {
    icon: FileQuestionMark,
    tone: 'danger',
    words: ['bank file could not be read whole', 'bank files could not be read whole'],
    where: 'Reconciliation, imports',
    to: paths.reconciliation({ tab: 'imports', attention: 'unreadable' }),
  },
  chain_unread: {
    icon: Unplug,
    tone: 'danger',
    words: ['chain is not being read', 'chains are not being read'],
    where: 'Transactions, state of the chain',
    to: paths.transactions(),
  },
}

/** The present notices. Opening refetches them, because some counts change with time alone and are not announced. */
export function NoticeList({ onChoose }: { onChoose: () => void }) {
  const query = useQuery({ ...buildQuery(noticeRoutes.list), staleTime: 0 })
  const { data, isError, error, isFetching } = query
  const message = describeError(error)
  return (
    <section className="outline-none">
      <h2 className="px-2.5 pt-1.5 pb-2">Notifications</h2>
      {isError && data && (
        <Note tone="danger" role="alert" className="mx-1 mb-1.5">
          The notices could not be refreshed: {message}
        </Note>
      )}
      {data && <Notices notices={data.notices} onChoose={onChoose} />}
      {!data && !isError && <LoadingNotices />}
      {!data && isError && (
        <ErrorState
          title="The notices could not be loaded"
          message={message}
          retrying={isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
    </section>
  )
}

function Notices({ notices, onChoose }: { notices: Notice[]; onChoose: () => void }) {
  if (notices.length === 0)
    return (
      <EmptyState icon={CircleCheck} title="All clear">
        <WatchedKinds />
      </EmptyState>
    )
  return (
    <ul>
      {notices.map((notice) => (
        <li key={notice.kind}>
          <NoticeLink notice={notice} onChoose={onChoose} />
        </li>
      ))}
    </ul>
  )
}

/** What is noticed, of what the admin may view. */
function WatchedKinds() {
  const granted = usePermissions()
  const watched = [
    granted.has('security.view') && 'critical events',
    granted.has('messages.view') && 'KYC submissions and events that fail to arrive',
    granted.has('orders.view') && 'orders about to expire',
    granted.has('bank.view') && "the bank's money that waits",
  ].filter((words) => words !== false)
  if (watched.length === 0) return 'Your role gets no notices.'
  const sentence = new Intl.ListFormat('en-US').format(watched)
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)} show up here.`
}

function NoticeLink({ notice: { kind, count }, onChoose }: { notice: Notice; onChoose: () => void }) {
  const { icon: Icon, tone, words, where, to } = looks[kind]
  return (
    <Link
      {...to}
      onClick={onChoose}
      className="group flex items-start gap-2.5 rounded-m px-2.5 py-2 -outline-offset-2! hover:bg-hover"
    >
      <Icon aria-hidden className={`mt-px size-4 shrink-0 ${toneInk[tone]}`} />
      <span className="min-w-0 flex-1">
        <span className="block font-medium">
          <span className="tabular-nums">{formatCount(count)}</span> {count === 1 ? words[0] : words[1]}
        </span>
        <span className="block text-12 text-quiet">{where}</span>
      </span>
      <ChevronRight aria-hidden className="mt-px size-4 shrink-0 text-quiet" />
    </Link>
  )
}

const LoadingNotices = () => (
  <output className="block space-y-3 px-2.5 pb-2.5">
    <span className="sr-only">Loading...</span>
    <Skeleton className="h-9" />
    <Skeleton className="h-9" />
    <Skeleton className="h-9" />
  </output>
)
