import { CircleAlert, Info, OctagonAlert, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { SecurityEvent, Severity } from '#contract/security.ts'
import { nameInWords } from '#web/lib/words.ts'
import { columnsOf } from '#web/table/columns.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Instant } from '#web/ui/instant.tsx'

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

const column = columnsOf<SecurityEvent>()

/** The columns of the unresolved events (SPEC section 2, PRODUCT 3.19); `onResolve` opens the dialog. */
export const eventColumns = ({ onResolve }: { onResolve: (event: SecurityEvent) => void }) => [
  column.accessor('severity', {
    header: 'Severity',
    cell: ({ getValue }) => <SeverityBadge severity={getValue<Severity>()} />,
    meta: { width: '124px' },
  }),
  column.accessor('eventType', {
    header: 'Event',
    cell: ({ getValue }) => <span className="block truncate font-medium">{nameInWords(getValue())}</span>,
    meta: { width: '200px' },
  }),
  column.accessor('description', {
    header: 'Description',
    cell: ({ getValue }) => (
      <bdi title={getValue()} className="block break-words md:truncate">
        {getValue()}
      </bdi>
    ),
    meta: { narrow: 'full' },
  }),
  column.accessor('ipAddress', {
    header: 'IP Address',
    cell: ({ getValue }) => <IpAddress value={getValue<string | null>()} />,
    meta: { width: '148px', hideBelowWide: true, narrow: 'labelled' },
  }),
  column.accessor('createdAt', {
    header: 'Date',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: '184px' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => (
      <Button
        size="small"
        aria-label={`Resolve ${nameInWords(original.eventType)}: ${original.description}`}
        onClick={() => onResolve(original)}
      >
        Resolve
      </Button>
    ),
    meta: { width: '120px', align: 'right', narrow: 'end' },
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
