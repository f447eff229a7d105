import { testType } from '#contract/endpoints.ts'
import type { Delivery } from '#contract/schemas/deliveries.ts'
import { cn } from '#web/lib/cn.ts'
import { formatInstant } from '#web/lib/dates.ts'
import { formatCount } from '#web/lib/money.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
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
import { PageCheckbox, RowCheckbox } from './selection.tsx'

const column = createColumns<Delivery>()
const secondLine = 'block truncate text-12 text-quiet'

/** Anyone who sends without a signature of ours may be anybody. */
const isProven = ({ signature }: Delivery) => signature !== 'missing' && signature !== 'invalid'

/** The columns of the log of messages. `onOpen` shows one with its body and its tries. */
export const deliveryColumns = ({ onOpen }: Pick<MessageProps, 'onOpen'>) => [
  column.display({
    id: 'select',
    header: () => (
      <>
        <PageCheckbox className="blocks:hidden" />
        <span className="rows:hidden">Select</span>
      </>
    ),
    cell: ({ row: { original } }) => <RowCheckbox delivery={original} />,
    meta: { width: '20px' },
  }),
  column.accessor('type', {
    header: 'Message',
    cell: ({ row: { original } }) => <Message delivery={original} onOpen={onOpen} />,
    meta: { min: '148px' },
  }),
  column.accessor('entityId', {
    header: 'Entity',
    cell: ({ row: { original } }) => (
      <div className="min-w-0 leading-4.5">
        <Entity delivery={original} />
        <span className={secondLine}>
          {original.operator === null ? original.entityType : 'operator'}
          {original.attemptNumber !== null && `, attempt ${original.attemptNumber}`}
        </span>
      </div>
    ),
    meta: { min: '112px', narrow: 'inline' },
  }),
  column.accessor('state', {
    header: 'State',
    cell: ({ row: { original } }) => <State delivery={original} />,
    meta: { width: '128px', narrow: 'end' },
  }),
  column.display({
    id: 'answer',
    header: 'Last Answer',
    cell: ({ row: { original } }) => <Answer delivery={original} />,
    meta: { min: '144px', hideBelow: 740, narrow: 'full' },
  }),
  column.accessor('createdAt', {
    header: 'Created',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: instantWidth(1180), hideBelow: 880 },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => (
      <div className="flex justify-end">
        <ResendButton delivery={original} />
      </div>
    ),
    meta: { width: '72px', align: 'right', narrow: 'end' },
  }),
]

interface MessageProps {
  delivery: Delivery
  onOpen: (delivery: Delivery) => void
}

/** The type, which opens the details, and the way that the message goes. */
function Message({ delivery, onOpen }: MessageProps) {
  const { type, entityId, direction } = delivery
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <Direction direction={direction} />
      <div className="min-w-0 leading-4.5">
        <span className="flex min-w-0 items-center gap-2">
          <button
            type="button"
            aria-label={`Details of ${type} of ${entityId ?? 'nobody named'}`}
            onClick={() => onOpen(delivery)}
            className="hit-line block max-w-full truncate rounded-s text-left font-medium hover:underline hover:decoration-border-control hover:underline-offset-3"
          >
            {type}
          </button>
          {type === testType && <TestBadge />}
        </span>
        <span className={secondLine}>{isProven(delivery) ? describeWay(delivery) : 'sender not proven'}</span>
      </div>
    </div>
  )
}

const State = ({ delivery }: { delivery: Delivery }) => (
  <div className="flex flex-col items-start leading-4.5 blocks:items-end">
    <StateBadge state={delivery.state} />
    {delivery.signature && <Signature verdict={delivery.signature} />}
    <NextTryNote delivery={delivery} className={secondLine} />
  </div>
)

function Answer({ delivery }: { delivery: Delivery }) {
  const { direction, state, tries, lastLatencyMs, lastNote, lastStatus, lastTriedAt } = delivery
  const isBad = state === 'failed' || state === 'refused' || (direction === 'out' && lastNote !== null)
  const note = trimNote(lastNote, lastStatus)
  return (
    <div className="min-w-0 leading-4.5">
      <span className="flex items-baseline gap-x-2 whitespace-nowrap blocks:flex-wrap tabular-nums">
        <span
          className={cn(lastTriedAt === null ? 'text-quiet' : isBad && 'text-danger-ink')}
          title={
            lastTriedAt === null
              ? undefined
              : `${direction === 'out' ? 'Last tried' : 'Answered'} ${formatInstant(lastTriedAt)}`
          }
        >
          {describeAnswer(delivery)}
        </span>
        <span className="text-quiet">{formatLatency(lastLatencyMs)}</span>
        {direction === 'out' && tries > 0 && (
          <span className="text-12 text-quiet">{tries === 1 ? '1 try' : `${formatCount(tries)} tries`}</span>
        )}
      </span>
      {note && (
        <bdi
          title={note}
          className={cn('block text-left text-12 break-words rows:truncate', isBad ? 'text-danger-ink' : 'text-quiet')}
        >
          {note}
        </bdi>
      )}
    </div>
  )
}
