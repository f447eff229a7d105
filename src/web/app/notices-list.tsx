import { useQuery } from '@tanstack/react-query'
import {
  AtSign,
  BellOff,
  CalendarClock,
  ChevronRight,
  CircleCheck,
  CircleX,
  CloudAlert,
  FileQuestionMark,
  Glasses,
  Hourglass,
  ListChecks,
  MailWarning,
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
import { noticeWords } from '#contract/notice-words.ts'
import { dangerNotices, noticeRoutes, type NoticeKind } from '#contract/notices.ts'
import { noteRoutes } from '#contract/notes.ts'
import type { Notice } from '#contract/schemas/notices.ts'
import type { Mention } from '#contract/schemas/notes.ts'
import { buildQuery, call, describeError } from '#web/api.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { pathOfNote } from '#web/paths.ts'
import { usePermissions } from '#web/use-can.ts'
import { toneInk } from '#web/ui/badge.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Note } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'

/** One notice for each kind, linked to the list that shows the same count (product 3.6). */
export const noticeIcons: Record<NoticeKind, LucideIcon> = {
  critical_events: ShieldAlert,
  waiting_approvals: Stamp,
  answered_requests: MessageSquareReply,
  unfinished_bulk: ListChecks,
  alarms_failing: BellOff,
  failed_submissions: CloudAlert,
  failed_events: SendHorizontal,
  failed_alerts: MailWarning,
  another_looks: Glasses,
  expiring_orders: CalendarClock,
  overdue_lines: Scale,
  ended_orders_paid: Hourglass,
  payments_taken_back: RotateCcw,
  refunds_due: Undo2,
  statement_differences: CircleX,
  statement_gaps: FileQuestionMark,
  unreadable_imports: FileQuestionMark,
  chain_unread: Unplug,
}

const row = 'group flex items-start gap-2.5 rounded-m px-2.5 py-2 -outline-offset-2! hover:bg-hover'

/** Opening refetches them, because some counts change with time alone and are not announced. */
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
      {data && data.mentions.length > 0 && <Mentions mentions={data.mentions} onChoose={onChoose} />}
      {data && (data.notices.length > 0 || data.mentions.length === 0) && (
        <Notices notices={data.notices} onChoose={onChoose} />
      )}
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

/** Notes that name the operator. Each leads to what it is on, and leaves with the others on it. */
function Mentions({ mentions, onChoose }: { mentions: Mention[]; onChoose: () => void }) {
  return (
    <ul>
      {mentions.map(({ id, userId, bankLineId, order, text, author, createdAt }) => (
        <li key={id}>
          <Link
            {...pathOfNote({ userId, bankLineId, order })}
            onClick={() => {
              void call(noteRoutes.see, { params: { id } }).catch(() => {})
              onChoose()
            }}
            className={row}
          >
            <AtSign aria-hidden className="mt-px size-4 shrink-0 text-accent-ink" />
            <span className="min-w-0 flex-1">
              <span className="block font-medium">
                <bdi>{author}</bdi> mentions you{order && ` on ${order.orderNumber}`}
              </span>
              <span dir="auto" className="line-clamp-2 text-12 wrap-anywhere text-quiet">
                {text}
              </span>
              <Instant value={createdAt} className="block text-12 text-quiet" />
            </span>
          </Link>
        </li>
      ))}
    </ul>
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
    granted.has('kyc.view') && 'cases that need another look',
    granted.has('orders.view') && 'orders about to expire',
    granted.has('bank.view') && "the bank's money that waits",
  ].filter((words) => words !== false)
  if (watched.length === 0) return 'Your role gets no notices.'
  const sentence = new Intl.ListFormat('en-US').format(watched)
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)} show up here.`
}

function NoticeLink({ notice: { kind, count }, onChoose }: { notice: Notice; onChoose: () => void }) {
  const Icon = noticeIcons[kind]
  const { words, where, to, search } = noticeWords[kind]
  return (
    <Link to={to} search={search} onClick={onChoose} className={row}>
      <Icon
        aria-hidden
        className={`mt-px size-4 shrink-0 ${toneInk[dangerNotices.has(kind) ? 'danger' : 'warning']}`}
      />
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
