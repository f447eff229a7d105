import { OctagonX } from 'lucide-react'
import type { AdminLog, AuditFault } from '#contract/schemas/security.ts'
import { displayName } from '#contract/members.ts'
import { cn } from '#web/lib/cn.ts'
import { formatMachineName } from '#web/lib/words.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { lowBlocks, ShownBelow } from '#web/table/table-widths.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { buildDetailLines } from '#web/activity/detail-lines.ts'
import { Badge } from '#web/ui/badge.tsx'
import { describeAction } from '#web/activity/action-words.ts'
import { IpAddress } from './event-columns.tsx'
import { describeShownFault, faultLabels } from './fault-words.ts'

/** A refused call may name a member who does not exist. */
const isRefusedCall = ({ action, details }: AdminLog) => action === 'platform_call' && details['outcome'] === undefined

/** Links a member, and of any other target what was done to it. */
function Target({ log }: { log: AdminLog }) {
  const { targetType, targetId, targetMember } = log
  if (targetType === null || targetId === null) return <span className="text-quiet">None</span>
  const text = (
    <>
      {formatMachineName(targetType)} <bdi>{targetId}</bdi>
    </>
  )
  if (targetMember)
    return (
      <div className="min-w-0 leading-4.5">
        <Link
          {...paths.member(targetId)}
          data-row-link
          title={displayName(targetMember)}
          dir="auto"
          className="hit-line block truncate text-left link-reference"
        >
          {displayName(targetMember)}
        </Link>
        <span title={targetId} className="block truncate text-12 text-quiet blocks:hidden">
          {text}
        </span>
      </div>
    )
  return (
    <span title={targetId} className="block truncate">
      {!isRefusedCall(log) ? (
        <Link
          {...(targetType === 'user' ? paths.member(targetId) : paths.security({ tab: 'actions', target: targetId }))}
          className="link-reference"
        >
          {text}
        </Link>
      ) : (
        text
      )}
    </span>
  )
}

/** What was given and what changed, a line each; a long text is cut, the whole on hover. */
function Details({ details }: { details: AdminLog['details'] }) {
  const lines = buildDetailLines(details)
  if (lines.length === 0) return <span className="text-12 text-quiet rows:text-13">None</span>
  return (
    <ul className="text-12 leading-4.5 rows:py-0.5 blocks:min-w-0 blocks:truncate blocks:text-quiet">
      {lines.map(({ label, from, to }) => (
        <li
          key={label}
          title={from === undefined ? to : `${from} → ${to}`}
          className="rows:line-clamp-2 rows:break-words blocks:inline blocks:not-first:before:content-['_·_']"
        >
          <span className="text-quiet">{label}: </span>
          {from !== undefined && (
            <>
              <bdi>{from}</bdi>
              <span className="text-quiet"> → </span>
            </>
          )}
          <bdi className={cn(from !== undefined && 'font-medium')}>{to}</bdi>
        </li>
      ))}
    </ul>
  )
}

const column = createColumns<AdminLog>()

const actionColumn = (faults: RowFaults) =>
  column.accessor('action', {
    header: 'Action',
    cell: ({ getValue, row: { original } }) => (
      <>
        <span className="block truncate font-medium">{describeAction(getValue())}</span>
        <FaultMark faults={faults.get(original.id)} />
        <ShownBelow width={740} className="text-12 text-quiet">
          <Target log={original} />
        </ShownBelow>
      </>
    ),
    meta: { width: '136px', cut: true, narrow: 'subject' },
  })

/**
 * The columns of what operators did (product 5.12, 6.9): who, when, from where, on what, before and after. `faults` are those of the
 * last verification by the row that shows them; `hasLinks`: each leads to its place in the log.
 */
export const logColumns = (faults: RowFaults, hasLinks: boolean) => [
  actionColumn(faults),
  column.accessor('actor', {
    header: 'Admin',
    cell: ({ getValue, row: { original } }) => (
      <>
        <Link
          {...paths.security({ tab: 'actions', search: getValue() })}
          title={`Actions of ${getValue()}`}
          className="block truncate link-reference"
        >
          {getValue()}
        </Link>
        {original.ipAddress !== null && (
          <ShownBelow width={960} className="text-quiet blocks:hidden">
            <IpAddress value={original.ipAddress} />
          </ShownBelow>
        )}
      </>
    ),
    meta: { min: '96px', narrow: 'aside' },
  }),
  column.display({
    id: 'target',
    header: 'Target',
    cell: ({ row: { original } }) => <Target log={original} />,
    meta: { min: '128px', hideBelow: 740, narrow: 'hidden' },
  }),
  column.accessor('details', {
    header: 'Details',
    cell: ({ getValue, row: { original } }) => (
      <>
        <FaultSentences id={original.id} faults={faults.get(original.id)} hasLink={hasLinks} />
        <div className="blocks:flex blocks:items-baseline blocks:gap-2">
          {original.ipAddress !== null && (
            <ShownBelow width={lowBlocks} className="shrink-0 text-quiet">
              <IpAddress value={original.ipAddress} />
            </ShownBelow>
          )}
          <Details details={getValue<AdminLog['details']>()} />
        </div>
      </>
    ),
    meta: { min: '180px', narrow: 'note' },
  }),
  column.accessor('ipAddress', {
    header: 'IP Address',
    cell: ({ getValue }) => <IpAddress value={getValue<string | null>()} />,
    meta: { width: '116px', cut: true, hideBelow: 960, narrow: 'hidden' },
  }),
  column.accessor('createdAt', {
    header: 'Date',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: instantWidth(1180), narrow: 'aside' },
  }),
]

/** The faults of the last verification, by the row that shows them. */
type RowFaults = ReadonlyMap<string, readonly AuditFault[]>

/** Marks a row that is not what was sealed, or beside which something is gone: an icon and a word for each kind of fault. */
const FaultMark = ({ faults = [] }: { faults: readonly AuditFault[] | undefined }) =>
  [...new Set(faults.map(({ kind }) => faultLabels[kind]))].map((label) => (
    <Badge key={label} tone="danger" icon={OctagonX} className="my-0.5 mr-1">
      {label}
    </Badge>
  ))

interface FaultSentencesProps {
  id: string
  faults: readonly AuditFault[] | undefined
  /** Leads to the row among its neighbours. */
  hasLink: boolean
}

/** What is wrong at a row, a sentence for each fault. */
const FaultSentences = ({ id, faults = [], hasLink }: FaultSentencesProps) =>
  faults.length > 0 && (
    <div className="text-12 leading-4.5 text-danger-ink rows:pt-2">
      {faults.map((fault) => (
        <p key={`${fault.seq} ${fault.kind}`}>{describeShownFault(fault)}</p>
      ))}
      {hasLink && (
        <Link {...paths.security({ tab: 'actions', upTo: id })} className="underline underline-offset-3">
          Show among its neighbours
        </Link>
      )}
    </div>
  )
