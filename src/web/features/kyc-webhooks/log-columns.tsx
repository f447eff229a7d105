import { Popover } from 'radix-ui'
import type { WebhookLog } from '#contract/schemas/kyc-webhooks.ts'
import { createColumns } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { describeStarter } from '#web/lib/words.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { usePopover } from '#web/ui/use-popover.ts'
import { describeStatus, describeTry, formatLatency, Member, OutcomeBadge } from './parts.tsx'
import { RetryButton } from './retry-button.tsx'

const column = createColumns<WebhookLog>()
const secondLine = 'block truncate text-12 text-quiet'

/** The columns of the log (product 5.11, 11.1). */
export const logColumns = [
  column.accessor('success', {
    header: 'Status',
    cell: ({ getValue }) => <OutcomeBadge success={getValue<boolean>()} />,
    meta: { width: '84px', narrow: 'aside' },
  }),
  column.accessor('userId', {
    header: 'User',
    cell: ({ row: { original } }) => (
      <div className="min-w-0 leading-4.5">
        <Member userId={original.userId} />
        <span className={secondLine}>{describeTry(original)}</span>
      </div>
    ),
    meta: { min: '96px', narrow: 'subject' },
  }),
  column.display({
    id: 'response',
    header: 'Response',
    cell: ({ row: { original } }) => <Response log={original} />,
    meta: { min: '172px', narrow: 'note' },
  }),
  column.accessor('createdAt', {
    header: 'Date',
    cell: ({ row: { original } }) => <TryTime log={original} />,
    meta: { width: '148px', narrow: 'aside' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => (
      <RowActions>
        <RetryButton log={original} />
      </RowActions>
    ),
    meta: { width: '64px', align: 'right', narrow: 'button' },
  }),
]

function Response({ log }: { log: WebhookLog }) {
  // "HTTP 500" need not stand twice.
  const error = log.errorMessage?.replace(describeStatus(log), '').replace(/^: /, '')
  return (
    <div className="min-w-0 leading-4.5 rows:py-1.5">
      <span className="flex flex-wrap items-baseline gap-x-2 whitespace-nowrap tabular-nums">
        <span className={log.success ? '' : 'text-danger-ink'}>{describeStatus(log)}</span>
        <span className="text-quiet">{formatLatency(log)}</span>
        {(log.errorMessage || log.responseExcerpt) && <DetailsPopover log={log} />}
      </span>
      {error && (
        <bdi title={error} className="block truncate text-left text-12 text-danger-ink">
          {error}
        </bdi>
      )}
    </div>
  )
}

/** When and by whom it was tried, or when the queue tries next. */
function TryTime({ log }: { log: WebhookLog }) {
  const { createdAt, nextTryAt } = log
  return (
    <div className="leading-4.5">
      <Instant value={createdAt} className="text-quiet" />
      {/* Wraps, since truncation would hide the time. */}
      <span className={nextTryAt ? 'block text-12 whitespace-normal text-quiet' : `${secondLine} blocks:hidden`}>
        {nextTryAt ? (
          <>
            Next try <Instant value={nextTryAt} />
          </>
        ) : (
          <bdi>{describeStarter(log.startedBy)}</bdi>
        )}
      </span>
    </div>
  )
}

/** The provider's answer and the whole error, on request. */
function DetailsPopover({ log }: { log: WebhookLog }) {
  const [isOpen, setOpen] = usePopover()
  const { userId, errorMessage, responseExcerpt } = log
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger
        type="button"
        aria-label={`Details of ${userId}, ${describeTry(log)}`}
        className="hit-area rounded-s text-12 link-popover text-quiet max-md:after:absolute max-md:after:-inset-3"
      >
        Details
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={`${userId}, ${describeTry(log)}`}
          className="popover w-105 p-4"
        >
          <Facts>
            <Fact name="Status">
              {describeStatus(log)} <span className="text-quiet tabular-nums">{formatLatency(log)}</span>
            </Fact>
            {errorMessage && (
              <Fact name="Error">
                <bdi className="text-danger-ink">{errorMessage}</bdi>
              </Fact>
            )}
            <Fact name="Started by">{log.startedBy === 'queue' ? 'Automatic' : <bdi>{log.startedBy}</bdi>}</Fact>
            <Fact name="Answer">
              {responseExcerpt ? (
                <pre dir="auto" className="hash-text max-h-60 overflow-y-auto break-words whitespace-pre-wrap">
                  {responseExcerpt}
                </pre>
              ) : (
                <MissingValue>None</MissingValue>
              )}
            </Fact>
          </Facts>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
