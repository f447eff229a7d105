import { testType } from '#contract/endpoints.ts'
import type { Message } from '#contract/schemas/messages.ts'
import { cn } from '#web/lib/cn.ts'
import { formatInstant } from '#web/lib/dates.ts'
import { formatCount } from '#web/lib/money.ts'
import { usePeek } from '#web/peek/use-peek.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { lowBlocks, ShownBelow } from '#web/table/table-widths.tsx'
import { Instant } from '#web/ui/instant.tsx'
import {
  describeAnswer,
  Direction,
  Entity,
  describeWay,
  TestBadge,
  formatLatency,
  NextTryNote,
  trimNote,
  Signature,
  StateBadge,
} from './parts.tsx'
import { ResendButton } from './resend-button.tsx'

const column = createColumns<Message>()
const secondLine = 'block truncate text-12 text-quiet'

/** Without a valid signature the sender may be anybody. */
const isProven = ({ signature }: Message) => signature !== 'missing' && signature !== 'invalid'

/** The columns of the log of messages. */
export const messageColumns = [
  column.accessor('type', {
    header: 'Message',
    cell: ({ row: { original } }) => <MessageCell message={original} />,
    meta: { min: '148px', narrow: 'subject' },
  }),
  column.accessor('entityId', {
    header: 'Entity',
    cell: ({ row: { original } }) => (
      <div className="min-w-0 leading-4.5 [&_button]:-my-1">
        <Entity message={original} />
        <span className={secondLine}>
          {original.operator === null ? original.entityType : 'operator'}
          {original.attemptNumber !== null && `, attempt ${original.attemptNumber}`}
        </span>
      </div>
    ),
    meta: { min: '112px', narrow: 'hidden' },
  }),
  column.accessor('state', {
    header: 'State',
    cell: ({ row: { original } }) => <State message={original} />,
    meta: { width: '128px', narrow: 'aside' },
  }),
  column.display({
    id: 'answer',
    header: 'Last Answer',
    cell: ({ row: { original } }) => <Answer message={original} />,
    meta: { min: '176px', hideBelow: 800, narrow: 'hidden' },
  }),
  column.accessor('createdAt', {
    header: 'Created',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: instantWidth(1180), hideBelow: 880, narrow: 'aside' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => (
      <RowActions>
        <ResendButton message={original} />
      </RowActions>
    ),
    // On a phone the details have it.
    meta: { width: '72px', align: 'right', narrow: 'hidden' },
  }),
]

/** The type, which opens the details, and the way that the message goes. */
function MessageCell({ message }: { message: Message }) {
  const { id, type, entityId, direction } = message
  const { open } = usePeek()
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <Direction direction={direction} />
      <div className="min-w-0 leading-4.5">
        <span className="flex min-w-0 items-center gap-2">
          <button
            type="button"
            data-row-link
            aria-label={`Details of ${type} of ${entityId ?? 'nobody named'}`}
            onClick={() => open({ kind: 'message', id })}
            className="hit-line block max-w-full truncate rounded-s text-left font-medium link-subject"
          >
            {type}
          </button>
          {type === testType && <TestBadge />}
        </span>
        <span className={secondLine}>
          <ShownBelow width={lowBlocks}>{entityId ?? 'Nobody named'}</ShownBelow>
          {isProven(message) ? describeWay(message) : 'sender not proven'}
        </span>
      </div>
    </div>
  )
}

const State = ({ message }: { message: Message }) => (
  <div className="flex flex-col items-start leading-4 blocks:items-end">
    <StateBadge state={message.state} />
    {message.signature && <Signature verdict={message.signature} />}
    <NextTryNote message={message} className={secondLine} />
  </div>
)

function Answer({ message }: { message: Message }) {
  const { direction, state, tries, lastLatencyMs, lastNote, lastStatus, lastTriedAt } = message
  const isBad = state === 'failed' || state === 'refused' || (direction === 'out' && lastNote !== null)
  const note = trimNote(lastNote, lastStatus)
  return (
    <div className="min-w-0 leading-4.5">
      <span className="flex items-baseline gap-x-2 whitespace-nowrap tabular-nums">
        <span
          className={cn(lastTriedAt === null ? 'text-quiet' : isBad && 'text-danger-ink')}
          title={
            lastTriedAt === null
              ? undefined
              : `${direction === 'out' ? 'Last tried' : 'Answered'} ${formatInstant(lastTriedAt)}`
          }
        >
          {describeAnswer(message)}
        </span>
        <span className="text-quiet">{formatLatency(lastLatencyMs)}</span>
        {direction === 'out' && tries > 0 && (
          <span className="text-12 text-quiet">{tries === 1 ? '1 try' : `${formatCount(tries)} tries`}</span>
        )}
      </span>
      {note && (
        <bdi title={note} className={cn('block truncate text-left text-12', isBad ? 'text-danger-ink' : 'text-quiet')}>
          {note}
        </bdi>
      )}
    </div>
  )
}
