import { approvalDesigns } from '#contract/approvals.ts'
import type { Approval } from '#contract/schemas/approvals.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { Instant } from '#web/ui/instant.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { StateBadge } from './state-badge.tsx'

const column = createColumns<Approval>()

/** The columns of requests for approval. */
export const approvalColumns = [
  column.accessor('action', {
    header: 'Request',
    cell: ({ row: { original } }) => (
      <div className="min-w-0 leading-4.5">
        <Link
          {...paths.approval(original.id)}
          className="block truncate font-medium underline decoration-border-control underline-offset-3"
          title={approvalDesigns[original.action].label}
        >
          {approvalDesigns[original.action].label}
        </Link>
        <bdi className="block truncate text-12 text-quiet" title={original.target.name}>
          {original.target.name}
        </bdi>
      </div>
    ),
    meta: { min: '180px', narrow: 'full' },
  }),
  column.accessor('amount', {
    header: 'Amount',
    cell: ({ row: { original } }) =>
      original.amount === null ? (
        <MissingValue>None</MissingValue>
      ) : (
        <span className="whole-number tabular-nums">
          {formatAmount(original.amount)} <span className="text-quiet">{original.currency}</span>
        </span>
      ),
    meta: { width: '128px', align: 'right', hideBelow: 680, narrow: 'labelled' },
  }),
  column.accessor('state', {
    header: 'State',
    cell: ({ getValue }) => <StateBadge state={getValue()} />,
    meta: { width: '104px', narrow: 'end' },
  }),
  column.accessor('requestedBy', {
    header: 'Requested by',
    cell: ({ row: { original } }) => (
      <bdi className="block truncate" title={original.requestedBy}>
        {original.requestedBy}
        {original.isOwn && <span className="text-quiet"> (you)</span>}
      </bdi>
    ),
    meta: { width: '120px', narrow: 'labelled' },
  }),
  column.accessor('requestedAt', {
    header: 'Requested',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: instantWidth(960), hideBelow: 740, narrow: 'labelled' },
  }),
  column.accessor('decidedBy', {
    header: 'Decided by',
    cell: ({ getValue }) => {
      const name = getValue<string | null>()
      return name === null ? <MissingValue>Nobody</MissingValue> : <bdi className="block truncate">{name}</bdi>
    },
    meta: { width: '112px', hideBelow: 880, narrow: 'labelled' },
  }),
]
