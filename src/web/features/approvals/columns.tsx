import { Ban, Check, CircleSlash, Clock, Hourglass, Undo2, type LucideIcon } from 'lucide-react'
import { approvalDesigns, approvalStateLabels, type ApprovalState } from '#contract/approvals.ts'
import type { Approval } from '#contract/schemas/approvals.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { Button } from '#web/ui/button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { Badge, type Tone } from '#web/ui/badge.tsx'

const looks: Record<ApprovalState, { tone: Tone; icon: LucideIcon }> = {
  open: { tone: 'warning', icon: Clock },
  approved: { tone: 'success', icon: Check },
  declined: { tone: 'danger', icon: Ban },
  withdrawn: { tone: 'neutral', icon: Undo2 },
  expired: { tone: 'neutral', icon: Hourglass },
  failed: { tone: 'danger', icon: CircleSlash },
}

export const StateBadge = ({ state }: { state: ApprovalState }) => (
  <Badge {...looks[state]}>{approvalStateLabels[state]}</Badge>
)

const column = createColumns<Approval>()

const OperatorName = ({ name }: { name: string }) => (
  <bdi className="block w-fit max-w-full truncate" title={name}>
    {name}
  </bdi>
)

/** The columns of requests for approval. */
export const approvalColumns = [
  column.accessor('action', {
    header: 'Request',
    cell: ({ row: { original } }) => (
      <div className="min-w-0 leading-4.5">
        <Link
          {...paths.approval(original.id)}
          data-row-link
          className="hit-line block w-fit max-w-full truncate rounded-s outline-offset-0! font-medium link-subject"
          title={approvalDesigns[original.action].label}
        >
          {approvalDesigns[original.action].label}
        </Link>
        <bdi className="block w-fit max-w-full truncate text-12 text-quiet" title={original.target.name}>
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
    meta: { width: '104px', narrow: 'labelled' },
  }),
  column.accessor('requestedBy', {
    header: 'Requested by',
    cell: ({ row: { original } }) => (
      <span className="flex min-w-0 gap-1">
        <OperatorName name={original.requestedBy} />
        {original.isOwn && <span className="shrink-0 text-quiet">(you)</span>}
      </span>
    ),
    meta: { width: '136px', cut: true, narrow: 'labelled' },
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
      return name === null ? <MissingValue>Nobody</MissingValue> : <OperatorName name={name} />
    },
    meta: { width: '136px', cut: true, hideBelow: 880, narrow: 'labelled' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => (
      <RowActions>
        <Button asChild size="small">
          <Link {...paths.approval(original.id)} tabIndex={-1} aria-label={`View request for ${original.target.name}`}>
            View
          </Link>
        </Button>
      </RowActions>
    ),
    // On a phone the request's name leads there.
    meta: { width: '48px', align: 'right', narrow: 'hidden' },
  }),
]
