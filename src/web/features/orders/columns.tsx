import { Link } from '@tanstack/react-router'
import type { Order } from '#contract/orders.ts'
import { paths } from '#web/paths.ts'
import { columnsOf } from '#web/table/columns.ts'
import { Button } from '#web/ui/button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Money } from './money.tsx'
import { StatusBadge } from './status-badge.tsx'
import { isOpen, memberName } from './words.ts'

const column = columnsOf<Order>()

function Member({ order }: { order: Order }) {
  const name = memberName(order)
  return (
    <div className="min-w-0 leading-4.5">
      <span className="block truncate" title={name}>
        <bdi>{name}</bdi>
      </span>
      {name !== order.userEmail && (
        <span className="block truncate text-12 text-quiet" title={order.userEmail}>
          <bdi>{order.userEmail}</bdi>
        </span>
      )}
    </div>
  )
}

/** The columns of the list (SPEC section 2, Orders list); `onPay` and `onCancel` open the dialog. */
export const orderColumns = ({ onPay, onCancel }: Record<'onPay' | 'onCancel', (order: Order) => void>) => [
  column.accessor('orderNumber', {
    header: 'Order Number',
    cell: ({ row: { original: order } }) => (
      <Link
        {...paths.order(order.id)}
        title={order.orderNumber}
        className="block truncate font-medium hover:underline hover:decoration-border-control hover:underline-offset-3"
      >
        {order.orderNumber}
      </Link>
    ),
    meta: { width: '128px' },
  }),
  column.display({
    id: 'user',
    header: 'User',
    cell: ({ row: { original: order } }) => <Member order={order} />,
    meta: { narrow: 'full' },
  }),
  column.accessor('projectName', {
    header: 'Project',
    cell: ({ row: { original: order } }) => (
      <span className="block truncate" title={`${order.projectName} (${order.projectId})`}>
        <bdi>{order.projectName}</bdi>
      </span>
    ),
    meta: { narrow: 'full', hideBelowWide: true },
  }),
  column.accessor('investmentAmount', {
    header: 'Investment',
    cell: ({ row: { original: order } }) => <Money order={order} />,
    meta: { width: '132px', align: 'right' },
  }),
  column.accessor('status', {
    header: 'Status',
    cell: ({ row: { original: order } }) => <StatusBadge status={order.status} />,
    meta: { width: '152px', narrow: 'end' },
  }),
  column.accessor('expiresAt', {
    header: 'Expires',
    cell: ({ row: { original: order } }) => <When value={order.expiresAt} />,
    meta: { width: '116px', narrow: 'labelled' },
  }),
  column.accessor('createdAt', {
    header: 'Created',
    cell: ({ row: { original: order } }) => <When value={order.createdAt} />,
    meta: { width: '116px', narrow: 'hidden', hideBelowWide: true },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original: order } }) => (
      <span className="flex justify-end gap-1.5">
        <Button asChild size="small">
          <Link {...paths.order(order.id)} aria-label={`View ${order.orderNumber}`}>
            View
          </Link>
        </Button>
        {isOpen(order) && (
          <>
            <Button size="small" aria-label={`Mark Paid ${order.orderNumber}`} onClick={() => onPay(order)}>
              Mark Paid
            </Button>
            <Button
              size="small"
              variant="hover-danger"
              aria-label={`Cancel ${order.orderNumber}`}
              onClick={() => onCancel(order)}
            >
              Cancel
            </Button>
          </>
        )}
      </span>
    ),
    meta: { width: '246px', align: 'right', narrow: 'end' },
  }),
]

/** Day over hour, so that two instants leave room for names. */
const When = ({ value }: { value: string }) => (
  <Instant value={value} className="block text-12 leading-4.5 text-quiet md:whitespace-normal!" />
)
