import { CircleAlert, Info, OctagonAlert, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { Severity } from '#contract/security.ts'
import type { ListedEvent, SecurityEvent } from '#contract/schemas/security.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { formatMachineName } from '#web/lib/words.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { lowBlocks, ShownBelow } from '#web/table/table-widths.tsx'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import type { EventView } from './queries.ts'

const looks: Record<Severity, { tone: Tone; icon: LucideIcon; label: string }> = {
  critical: { tone: 'danger', icon: OctagonAlert, label: 'Critical' },
  high: { tone: 'warning', icon: TriangleAlert, label: 'High' },
  medium: { tone: 'info', icon: CircleAlert, label: 'Medium' },
  low: { tone: 'neutral', icon: Info, label: 'Low' },
}

export function SeverityBadge({ severity }: { severity: Severity }) {
  const { tone, icon, label } = looks[severity]
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  )
}

const column = createColumns<ListedEvent>()

interface ResolveProps {
  event: ListedEvent
  onResolve: (event: ListedEvent) => void
}

const ResolveButton = ({ event, onResolve }: ResolveProps) => (
  <RowActions>
    <PermissionGate permission="security.resolve">
      <ChangeButton
        size="small"
        aria-label={`Resolve ${formatMachineName(event.eventType)}: ${event.description}`}
        onClick={() => onResolve(event)}
      >
        Resolve
      </ChangeButton>
    </PermissionGate>
  </RowActions>
)

const EventName = ({ event: { eventType, equal = 1 } }: { event: ListedEvent }) => (
  <>
    <span className="block truncate font-medium" title={formatMachineName(eventType)}>
      {formatMachineName(eventType)}
    </span>
    {equal > 1 && (
      <span className="block truncate text-12 text-quiet blocks:hidden">{formatCount(equal)} equal events</span>
    )}
  </>
)

/** What happened. On a phone there is room for two lines, unless how it was resolved stands below. */
const Description = ({ event: { description, resolvedAt } }: { event: SecurityEvent }) => (
  <bdi
    title={description}
    className={cn('block rows:truncate', resolvedAt === null ? 'blocks:line-clamp-2' : 'blocks:truncate')}
  >
    {description}
  </bdi>
)

/** When it was, and in a low block what else has no column there. */
const EventTime = ({ event: { createdAt, ipAddress, equal = 1 } }: { event: ListedEvent }) => (
  <>
    <Instant value={createdAt} className="text-quiet blocks:text-12" />
    <ShownBelow width={lowBlocks} className="inline text-12 text-quiet">
      {ipAddress !== null && <span className="hash-text whitespace-normal wrap-anywhere"> · {ipAddress}</span>}
      {equal > 1 && ` · ${formatCount(equal)} equal events`}
    </ShownBelow>
  </>
)

/** By whom, when, and with what note. */
const Resolution = ({ event: { resolvedBy, resolvedAt, resolutionNote } }: { event: SecurityEvent }) => (
  <div className="min-w-0 leading-4.5 rows:py-1 blocks:truncate blocks:text-12">
    <span className="block truncate text-12 text-quiet blocks:inline">
      by <bdi>{resolvedBy}</bdi> on {resolvedAt && <Instant value={resolvedAt} />}
    </span>
    {resolutionNote ? (
      <bdi title={resolutionNote} className="block truncate text-left blocks:ml-1.5 blocks:inline">
        {resolutionNote}
      </bdi>
    ) : (
      <span className="text-quiet"> No note</span>
    )}
  </div>
)

interface EventColumns {
  /** Opens the dialog. */
  onResolve: (event: ListedEvent) => void
  view: EventView
}

const resolutionColumn = ({ onResolve, view }: EventColumns) =>
  view === undefined || view === 'each'
    ? column.display({
        id: 'actions',
        header: 'Actions',
        cell: ({ row: { original } }) => <ResolveButton event={original} onResolve={onResolve} />,
        meta: { width: '68px', align: 'right', narrow: 'button' },
      })
    : column.display({
        id: 'resolution',
        header: 'Resolution',
        cell: ({ row: { original } }) =>
          original.resolvedAt === null ? (
            <ResolveButton event={original} onResolve={onResolve} />
          ) : (
            <Resolution event={original} />
          ),
        meta: { min: '168px', narrow: 'note' },
      })

/** The columns of security events, with the resolution where resolved ones are listed. */
export const eventColumns = (given: EventColumns) => [
  column.accessor('severity', {
    header: 'Severity',
    cell: ({ getValue }) => <SeverityBadge severity={getValue<Severity>()} />,
    meta: { width: '80px', narrow: 'aside' },
  }),
  column.accessor('eventType', {
    header: 'Event',
    cell: ({ row: { original } }) => (
      <>
        <EventName event={original} />
        <ShownBelow width={lowBlocks} className="text-12 leading-4 text-quiet">
          <Description event={original} />
        </ShownBelow>
      </>
    ),
    // Wide enough for every event where there is space.
    meta: { width: 'clamp(120px, (100cqw - 1100px) * 999, 176px)', cut: true, narrow: 'subject' },
  }),
  column.accessor('description', {
    header: 'Description',
    cell: ({ row: { original } }) => (
      <>
        <Description event={original} />
        {original.ipAddress !== null && (
          <ShownBelow width={880} className="text-quiet">
            <IpAddress value={original.ipAddress} />
          </ShownBelow>
        )}
      </>
    ),
    meta: { min: '180px', narrow: 'hidden' },
  }),
  column.accessor('ipAddress', {
    header: 'IP Address',
    cell: ({ getValue }) => <IpAddress value={getValue<string | null>()} />,
    meta: { width: '116px', cut: true, hideBelow: 880, narrow: 'hidden' },
  }),
  column.accessor('createdAt', {
    header: 'Date',
    cell: ({ row: { original } }) => <EventTime event={original} />,
    meta: { width: instantWidth(1100), narrow: 'note' },
  }),
  resolutionColumn(given),
]

export const IpAddress = ({ value }: { value: string | null }) =>
  value === null ? (
    <span className="text-quiet">None</span>
  ) : (
    <span title={value} className="hash-text block truncate">
      {value}
    </span>
  )
