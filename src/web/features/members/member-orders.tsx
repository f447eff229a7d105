import { useQuery } from '@tanstack/react-query'
import type { Order } from '#contract/schemas/orders.ts'
import { describeError } from '#web/api.ts'
import { formatCount, formatDecimal } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { OrderBadge } from '#web/members/order-badge.tsx'
import { paths } from '#web/paths.ts'
import { RefreshFailure } from '#web/refresh-failure.tsx'
import { createColumns } from '#web/table/columns.ts'
import { StaticTable } from '#web/table/static-table.tsx'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Quiet, Section } from '#web/ui/section.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { memberOrdersQuery, memberOrdersShown, openMemberOrdersQuery } from './queries.ts'

const column = createColumns<Order>()
const columns = [
  column.accessor('orderNumber', {
    header: 'Order',
    cell: ({ row: { original: order } }) => (
      <div className="min-w-0 leading-4.5">
        <Link
          {...paths.order(order.id)}
          data-row-link
          title={order.orderNumber}
          className="hit-line block truncate font-medium link-subject"
        >
          <bdi>{order.orderNumber}</bdi>
        </Link>
        <span className="flex min-w-0 text-12 text-quiet">
          <bdi title={order.projectName} className="min-w-0 truncate">
            {order.projectName}
          </bdi>
          {order.status === 'waiting_payment' && (
            <TimeLeft
              until={order.expiresAt}
              className="whitespace-pre before:font-regular before:text-quiet before:content-['_·_']"
            />
          )}
        </span>
      </div>
    ),
    meta: { min: '120px', narrow: 'full' },
  }),
  column.accessor('investmentAmount', {
    header: 'Investment',
    cell: ({ row: { original: order } }) => (
      <span className="whole-number">
        {formatDecimal(order.investmentAmount, 2)} <span className="text-quiet">{order.currency}</span>
      </span>
    ),
    meta: { width: '112px', align: 'right' },
  }),
  column.accessor('status', {
    header: 'Status',
    cell: ({ row: { original: order } }) => <OrderBadge status={order.status} />,
    meta: { width: '124px', narrow: 'end' },
  }),
]

/** Those that wait for payment first, which expire soonest first, then the newest. */
const chooseShown = (open: Order[], newest: Order[]) =>
  [
    ...open.toSorted((a, b) => a.expiresAt.localeCompare(b.expiresAt)),
    ...newest.filter(({ id }) => !open.some((order) => order.id === id)),
  ].slice(0, memberOrdersShown)

/** Some of the member's orders, and the way to all of them (product 5.4). */
export function MemberOrders({ userId, total }: { userId: string; total: number }) {
  const newest = useQuery({ ...memberOrdersQuery(userId), enabled: total > 0 })
  const open = useQuery({ ...openMemberOrdersQuery(userId), enabled: total > 0 })
  const failed = [newest, open].find(({ isError }) => isError)
  const isLoaded = total === 0 || (newest.data !== undefined && open.data !== undefined)
  const waiting = open.data?.total ?? 0
  return (
    <Section
      title="Orders"
      count={waiting > 0 ? `${formatCount(total)}, ${formatCount(waiting)} waiting for payment` : formatCount(total)}
      end={
        total > 0 && (
          <Button asChild variant="ghost" size="small" className="-mr-2.5">
            <Link {...paths.orders({ userId })} aria-label="View all orders of this member">
              View All
            </Link>
          </Button>
        )
      }
    >
      {isLoaded ? (
        <>
          {failed && <RefreshFailure what="The orders" query={failed} className="mb-3" />}
          {total === 0 ? (
            <Quiet>No orders yet. They appear as the platform sends them.</Quiet>
          ) : (
            <StaticTable
              label="Orders"
              columns={columns}
              rows={chooseShown(open.data?.orders ?? [], newest.data?.orders ?? [])}
              rowId={({ id }) => id}
            />
          )}
        </>
      ) : failed ? (
        <div className="rounded-l border">
          <ErrorState
            title="The orders could not be loaded"
            message={describeError(failed.error)}
            onRetry={() => void Promise.all([newest.refetch(), open.refetch()])}
            retrying={newest.isFetching || open.isFetching}
          />
        </div>
      ) : (
        <>
          <output className="sr-only">Loading...</output>
          <div className="grid gap-px">
            {Array.from({ length: Math.min(total, memberOrdersShown) + 1 }, (_, index) => (
              <Skeleton key={index} className="h-10.5 w-full" />
            ))}
          </div>
        </>
      )}
    </Section>
  )
}
