import { type BulkAction, readBulkDesign } from '#contract/bulk.ts'
import type { BulkItem } from '#contract/schemas/bulk.ts'
import { displayName } from '#contract/members.ts'
import { formatMachineName } from '#web/lib/words.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { Instant } from '#web/ui/instant.tsx'
import { ItemBadge } from './looks.tsx'

const column = createColumns<BulkItem>()

function findLink(action: BulkAction, { entityId, user }: BulkItem) {
  if (readBulkDesign(action).noun[0] === 'order') return paths.order(entityId)
  if (action === 'resolve_events') return paths.security({ resolved: 'all' })
  if (action === 'resend_messages') return paths.kycWebhooks({ tab: 'deliveries' })
  return user && paths.member(user.id, readBulkDesign(action).noun[0] === 'case' ? { tab: 'kyc' } : {})
}

/** A row by what a person calls it: an order's number, a member's name, the type of a message or event. */
function nameItem(action: BulkAction, { entityId, label, user }: BulkItem): { name: string; more: string | null } {
  if (action === 'resolve_events') return { name: formatMachineName(label ?? entityId), more: null }
  if (action === 'resend_messages') return { name: label ?? entityId, more: user ? displayName(user) : null }
  if (label !== null) return { name: label, more: user ? displayName(user) : null }
  return user ? { name: displayName(user), more: user.email } : { name: entityId, more: null }
}

function Subject({ action, item }: { action: BulkAction; item: BulkItem }) {
  const { name, more } = nameItem(action, item)
  const link = findLink(action, item)
  const look = 'block w-fit max-w-full truncate font-medium'
  return (
    <div className="min-w-0 leading-4.5">
      {link ? (
        <Link {...link} title={name} className={`hit-line ${look} rounded-s outline-offset-0! link-subject`}>
          <bdi>{name}</bdi>
        </Link>
      ) : (
        <bdi className={look} title={name}>
          {name}
        </bdi>
      )}
      {more !== null && more !== name && (
        <bdi className="block w-fit max-w-full truncate text-12 text-quiet" title={more}>
          {more}
        </bdi>
      )}
    </div>
  )
}

/** The columns of a job's rows. */
export const itemColumns = (action: BulkAction) => [
  column.display({
    id: 'subject',
    header: 'Row',
    cell: ({ row: { original } }) => <Subject action={action} item={original} />,
    meta: { min: '180px', narrow: 'full' },
  }),
  column.accessor('state', {
    header: 'Result',
    cell: ({ getValue }) => <ItemBadge state={getValue()} />,
    meta: { width: '148px', narrow: 'inline' },
  }),
  column.display({
    id: 'reason',
    header: 'Reason',
    cell: ({ row: { original } }) =>
      original.approvalId ? (
        <Link {...paths.approval(original.approvalId)} className="link-reference">
          View request
        </Link>
      ) : (
        original.message && (
          <span className="line-clamp-2 leading-4.5 wrap-anywhere" title={original.message}>
            {original.message}
          </span>
        )
      ),
    meta: { min: '220px', narrow: 'full' },
  }),
  column.accessor('doneAt', {
    header: 'At',
    cell: ({ getValue }) => {
      const at = getValue<string | null>()
      return at && <Instant value={at} className="text-quiet" />
    },
    meta: { width: instantWidth(960), hideBelow: 740, narrow: 'hidden' },
  }),
]
