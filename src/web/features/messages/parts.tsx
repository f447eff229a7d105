import { useQuery } from '@tanstack/react-query'
import {
  ArrowDownLeft,
  ArrowUpRight,
  Ban,
  CircleCheck,
  CircleMinus,
  CircleX,
  Clock,
  Copy,
  FlaskConical,
  LoaderCircle,
  NotebookPen,
  ShieldAlert,
  ShieldCheck,
  type LucideIcon,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { type MessageKind, type MessageState, messageStateLabels } from '#contract/messages.ts'
import type { Message } from '#contract/schemas/messages.ts'
import { getServerNow } from '#web/lib/clock.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { Hash } from '#web/ui/hash.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { formatTimeUntil } from './time-until.ts'
import { endpointsQuery, takesEvents } from './endpoints.ts'

const ways: Record<MessageKind, string> = {
  event: 'to the platform',
  case: 'to the KYC provider',
  result: 'from the KYC provider',
  alert: 'to operators',
}

/** Where it went or came from; an event to which endpoint, an alert to which operator. */
export const describeWay = ({ kind, endpoint, operator }: Message) => {
  const recipient = endpoint ?? operator
  return recipient === null ? ways[kind] : `to ${recipient}`
}

const looks: Record<MessageState, { tone: Tone; icon: LucideIcon }> = {
  waiting: { tone: 'warning', icon: Clock },
  sending: { tone: 'info', icon: LoaderCircle },
  delivered: { tone: 'success', icon: CircleCheck },
  failed: { tone: 'danger', icon: CircleX },
  dropped: { tone: 'neutral', icon: CircleMinus },
  applied: { tone: 'success', icon: CircleCheck },
  recorded: { tone: 'neutral', icon: NotebookPen },
  duplicate: { tone: 'neutral', icon: Copy },
  refused: { tone: 'danger', icon: Ban },
}

export const StateBadge = ({ state }: { state: MessageState }) => (
  <Badge {...looks[state]}>{messageStateLabels[state]}</Badge>
)

/** A test changes nothing. */
export const TestBadge = () => (
  <Badge plain className="text-12!" icon={FlaskConical}>
    Test
  </Badge>
)

const verdicts: Record<NonNullable<Message['signature']>, string> = {
  valid: 'Signature valid',
  missing: 'No signature',
  invalid: 'Signature invalid',
  stale: 'Signature stale',
  replayed: 'Replayed',
}

/** The verdict on an incoming message's signature. */
export const Signature = ({ verdict }: { verdict: NonNullable<Message['signature']> }) => (
  <Badge
    plain
    className="text-12!"
    tone={verdict === 'valid' ? 'success' : 'danger'}
    icon={verdict === 'valid' ? ShieldCheck : ShieldAlert}
  >
    {verdicts[verdict]}
  </Badge>
)

export function Direction({ direction }: { direction: Message['direction'] }) {
  const Icon = direction === 'out' ? ArrowUpRight : ArrowDownLeft
  return (
    <span title={direction === 'out' ? 'Sent' : 'Received'} className="grid size-6 shrink-0 place-items-center">
      <Icon aria-hidden className="size-4 text-quiet" />
      <span className="sr-only">{direction === 'out' ? 'Sent' : 'Received'}</span>
    </span>
  )
}

const linkLook = 'hash-text hit-line block truncate font-medium link-subject'

/** The member, order or token of a message, linked; of an alert its operator's name. */
export function Entity({ message: { entityType, entityId, operator } }: { message: Message }) {
  if (entityId === null) return <MissingValue>None named</MissingValue>
  if (operator !== null) return <bdi className="block truncate font-medium">{operator}</bdi>
  if (entityType === 'token') return <Hash value={entityId.replace(/^.*\//, '')} name="address" />
  const place = { member: paths.member(entityId), order: paths.orders({ search: entityId }) }[entityType]
  if (!place) return <span className="hash-text block truncate">{entityId}</span>
  return (
    <Link {...place} title={entityId} className={linkLook}>
      {entityId}
    </Link>
  )
}

/** How a try went, in words. A mail server has no HTTP status. */
export function describeTry(kind: MessageKind, success: boolean, httpStatus: number | null): string {
  if (httpStatus !== null) return `HTTP ${httpStatus}`
  if (success) return 'Taken'
  return kind === 'alert' ? 'Not taken' : 'No answer'
}

/** The answer in words. For an incoming message, ours. */
export const describeAnswer = ({ kind, state, lastTriedAt, lastStatus }: Message) =>
  lastTriedAt === null ? 'Not tried yet' : describeTry(kind, state === 'delivered', lastStatus)

/** The part of a note that the status beside it does not say. */
export const trimNote = (note: string | null, status: number | null): string | undefined => {
  if (note === null || status === null) return note ?? undefined
  const said = [`HTTP ${status}`, `Refused redirect ${status}`]
  if (note === said[1]) return 'Redirects are refused'
  return note === said[0] ? undefined : note.replace(`${said[0]}: `, '')
}

export const formatLatency = (ms: number | null) => ms !== null && `${formatCount(ms)} ms`

const updateEverySeconds = 5

/** What a message that waits is waiting for. */
export function NextTryNote({ message, className }: { message: Message; className: string }) {
  const { endpointId, isBlocked, nextTryAt } = message
  const { data } = useQuery(endpointsQuery())
  if (!isBlocked && nextTryAt === null) return null
  const endpoint = data?.endpoints.find(({ id }) => id === endpointId)
  const hasNoEndpoint = endpoint && !takesEvents(endpoint)
  return (
    <span className={className}>
      {isBlocked && 'After an earlier one'}
      {!isBlocked && hasNoEndpoint && 'Waits for the endpoint'}
      {!isBlocked && !hasNoEndpoint && nextTryAt && (
        <>
          Next try <NextTry at={nextTryAt} />
        </>
      )}
    </span>
  )
}

/** The time until the next try, updated by the clock. The instant is on hover. */
function NextTry({ at }: { at: string }) {
  const [now, setNow] = useState(getServerNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(getServerNow()), updateEverySeconds * 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={at} className="tabular-nums">
      {formatTimeUntil(at, now)}
    </time>
  )
}
