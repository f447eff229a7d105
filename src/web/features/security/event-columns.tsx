import { CircleAlert, Info, OctagonAlert, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { Severity } from '#contract/security.ts'
import type { ListedEvent, SecurityEvent } from '#contract/schemas/security.ts'
import { formatCount } from '#web/lib/money.ts'
import { formatMachineName } from '#web/lib/words.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { ShownBelow } from '#web/table/table-widths.tsx'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { TruncatedText } from '#web/ui/truncated-text.tsx'
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
  <PermissionGate permission="security.resolve">
    <ChangeButton
      size="small"
      aria-label={`Resolve ${formatMachineName(event.eventType)}: ${event.description}`}
      onClick={() => onResolve(event)}
    >
      Resolve
    </ChangeButton>
  </PermissionGate>
)

const ResolveAction = (props: ResolveProps) => (
  <RowActions>
    <ResolveButton {...props} />
  </RowActions>
)

const EventName = ({ name, equal = 1 }: { name: string; equal: number | undefined }) => (
  <>
    <span className="block truncate font-medium" title={name}>
      {name}
    </span>
    {equal > 1 && <span className="block truncate text-12 text-quiet">{formatCount(equal)} equal events</span>}
  </>
)

/** By whom, when, and with what note. */
const Resolution = ({ event: { resolvedBy, resolvedAt, resolutionNote } }: { event: SecurityEvent }) => (
  <div className="min-w-0 py-1 leading-4.5">
    <span className="block truncate text-12 text-quiet">
      by <bdi>{resolvedBy}</bdi> on {resolvedAt && <Instant value={resolvedAt} />}
    </span>
    {resolutionNote ? <TruncatedText>{resolutionNote}</TruncatedText> : <span className="text-quiet">No note</span>}
  </div>
)

interface EventColumns {
  /** Opens the dialog. */
  onResolve: (event: ListedEvent) => void
  view: EventView
}

/** The columns of security events, with the resolution where resolved ones are listed. */
export const eventColumns = ({ onResolve, view }: EventColumns) => [
  column.accessor('severity', {
    header: 'Severity',
    cell: ({ getValue }) => <SeverityBadge severity={getValue<Severity>()} />,
    meta: { width: '80px' },
  }),
  column.accessor('eventType', {
    header: 'Event',
    cell: ({ getValue, row: { original } }) => (
      <EventName name={formatMachineName(getValue())} equal={original.equal} />
    ),
    // Wide enough for every event where there is space.
    meta: { width: 'clamp(120px, (100cqw - 1100px) * 999, 176px)', cut: true },
  }),
  column.accessor('description', {
    header: 'Description',
    cell: ({ getValue, row: { original } }) => (
      <>
        <bdi title={getValue()} className="block break-words rows:truncate">
          {getValue()}
        </bdi>
        {original.ipAddress !== null && (
          <ShownBelow width={880} className="text-quiet">
            <IpAddress value={original.ipAddress} />
          </ShownBelow>
        )}
      </>
    ),
    meta: { min: '180px', narrow: 'full' },
  }),
  column.accessor('ipAddress', {
    header: 'IP Address',
    cell: ({ getValue }) => <IpAddress value={getValue<string | null>()} />,
    meta: { width: '116px', cut: true, hideBelow: 880, narrow: 'labelled' },
  }),
  column.accessor('createdAt', {
    header: 'Date',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: instantWidth(1100) },
  }),
  view === undefined || view === 'each'
    ? column.display({
        id: 'actions',
        header: 'Actions',
        cell: ({ row: { original } }) => <ResolveAction event={original} onResolve={onResolve} />,
        meta: { width: '68px', align: 'right', narrow: 'end' },
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
        meta: { min: '168px', narrow: 'full' },
      }),
]

export const IpAddress = ({ value }: { value: string | null }) =>
  value === null ? (
    <span className="text-quiet">None</span>
  ) : (
    <span title={value} className="hash-text block truncate">
      {value}
    </span>
  )
