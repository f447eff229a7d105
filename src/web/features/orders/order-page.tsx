import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { FileX } from 'lucide-react'
import type { Order } from '#contract/schemas/orders.ts'
import { OpenApprovals } from '#web/approvals/approval-note.tsx'
import { DetailPage } from '#web/detail-page.tsx'
import { usePageTitle } from '#web/lib/page.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { useCan } from '#web/use-can.ts'
import { OrderDetails } from './order-details.tsx'
import { OrderHeader } from './order-header.tsx'
import { isUnknownOrder, orderQuery, paymentsQuery } from './queries.ts'

const parent = { label: 'Order Management', to: '/orders' }
const backLink = <Link {...paths.orders()}>Back to Order Management</Link>

/** The page of an order (product 5.6, order detail). */
export default function OrderPage() {
  const { id } = useParams({ from: '/orders/$id' })
  const query = useQuery(orderQuery(id))
  // What the bank paid sizes half of the panels: it is fetched beside the order, and nothing moves when it comes.
  const payments = useQuery({ ...paymentsQuery(id), enabled: useCan('bank.view') })
  return (
    <DetailPage
      entity="order"
      query={query}
      unknown={isUnknownOrder(query.error) && <UnknownOrder id={id} />}
      back={backLink}
      skeleton={<OrderSkeleton />}
    >
      {({ order }, refresh) =>
        payments.isLoading && !payments.isFetched ? (
          <OrderSkeleton />
        ) : (
          <OrderView key={id} order={order} refresh={refresh} />
        )
      }
    </DetailPage>
  )
}

function OrderView({ order, refresh }: { order: Order; refresh: () => Promise<boolean> }) {
  usePageTitle({ title: `Order #${order.orderNumber}`, parent })
  return (
    <>
      <OrderHeader order={order} refresh={refresh} />
      <OpenApprovals type="order" id={order.id} />
      <OrderDetails order={order} />
    </>
  )
}

function UnknownOrder({ id }: { id: string }) {
  usePageTitle({ title: 'Order Not Found', parent })
  return (
    <EmptyState icon={FileX} title="Order Not Found">
      There is no order with this id.{' '}
      <Link {...paths.orders({ search: id })} className="link-reference font-medium">
        Search the orders for “{id}”
      </Link>
    </EmptyState>
  )
}

/** Has the order's layout, so that nothing moves when the data loads. */
const OrderSkeleton = () => (
  <div>
    <output className="sr-only">Loading...</output>
    <div aria-hidden>
      <div className="mb-4 flex h-13 items-start justify-between gap-4">
        <Skeleton className="h-6 w-60 max-w-full" />
        <Skeleton className="h-(--control) w-52 rounded-m! max-md:hidden" />
      </div>
      <div className="grid gap-4 wide:grid-cols-[7fr_5fr]">
        {['h-52 wide:col-span-2', 'h-60', 'h-58', 'h-58', 'h-60'].map((height, at) => (
          <div key={at} className={`${height} space-y-5 overflow-hidden rounded-l border bg-card p-4`}>
            {['w-36', 'w-64', 'w-52', 'w-60', 'w-48'].map((width) => (
              <Skeleton key={width} className={`h-4 max-w-full ${width}`} />
            ))}
          </div>
        ))}
      </div>
    </div>
  </div>
)
