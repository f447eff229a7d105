import { useMemo, useState } from 'react'
import type { OperatorMove } from '#contract/order-moves.ts'
import { orderList } from '#contract/lists.ts'
import { expiryWindows, orderRoutes } from '#contract/orders.ts'
import type { ListedOrder, Order } from '#contract/schemas/orders.ts'
import { MemberChip } from '#web/members/member-filter.tsx'
import { usePrefetchedRules } from '#web/approvals/approval-need.ts'
import { BulkSelection, defineBulkList, useCanSelect } from '#web/bulk/bulk-selection.tsx'
import { useChoice } from '#web/table/choice-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useList } from '#web/table/use-list.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { orderColumns } from './columns.tsx'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { getMember } from './order-facts.ts'

const StatusDialog = lazy(() => import('./status-dialog.tsx'))

const bulk = defineBulkList<ListedOrder>({
  actions: ['mark_orders_paid', 'cancel_orders'],
  nameOf: ({ orderNumber }) => `order ${orderNumber}`,
  moneyOf: ({ investmentAmount, currency }) => ({ amount: investmentAmount, currency }),
  exportName: 'orders',
})

function findOwner(orders: Order[] | undefined, userId: string) {
  const order = orders?.find((each) => each.userId === userId)
  return order && getMember(order)
}

/** Order Management (product 5.5): every order, with mark paid and cancel. */
export default function OrdersPage() {
  const list = useList(orderList, orderRoutes.list, {
    // What expires soon changes with time, without an event. So each visit fetches it again.
    ...(useChoice('expiring', expiryWindows) && { staleTime: 0 }),
  })
  const rows = list.query.data?.orders
  usePrefetch(list.query.isSuccess, StatusDialog)
  usePrefetchedRules()
  // The order as it was when the dialog opened. A change meanwhile becomes a conflict.
  const [deciding, setDeciding] = useState<{ order: Order; to: OperatorMove } | null>(null)
  const close = () => setDeciding(null)
  const canSelect = useCanSelect(bulk)
  const columns = useMemo(
    () => [...(canSelect ? [bulk.column] : []), ...orderColumns((order, to) => setDeciding({ order, to }))],
    [canSelect],
  )
  const { userId } = list.values
  return (
    <BulkSelection {...{ bulk, list, rows }}>
      <DataTable
        label="Orders"
        entity="order"
        columns={columns}
        rows={rows}
        rowId={(order) => order.id}
        peek={({ id }) => ({ kind: 'order', id })}
        list={list}
        chips={userId && <MemberChip userId={userId} member={findOwner(rows, userId)} />}
        origin="Orders appear here as the platform sends them."
        toolbar={
          <>
            <ExportButton name="orders" query={list.filter} />
            <RefreshButton refresh={list.refresh} done="Order data is up to date." />
          </>
        }
      />
      <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={close}>
        {deciding && <StatusDialog {...deciding} onClose={close} />}
      </LazyBoundary>
    </BulkSelection>
  )
}
