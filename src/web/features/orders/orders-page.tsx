import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type OperatorMove, orderStatuses, orderStatusLabels } from '#contract/order-moves.ts'
import { expiryLabels, expiryWindows } from '#contract/orders.ts'
import { orderSorts } from '#contract/sorts.ts'
import type { ListedOrder, Order } from '#contract/schemas/orders.ts'
import { MemberChip, useMemberFilter } from '#web/members/member-filter.tsx'
import { usePrefetchedRules } from '#web/approvals/approval-need.ts'
import { dayParameters, DayRangeFilter, useDays } from '#web/table/day-filter.tsx'
import { BulkSelection, defineBulkList, useCanSelect } from '#web/bulk/bulk-selection.tsx'
import { useChoice } from '#web/table/choice-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { useExactTotal } from '#web/table/exact-total.ts'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useListState } from '#web/table/list-state.ts'
import { useSort } from '#web/table/use-sort.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { orderColumns } from './columns.tsx'
import { exactTotalQuery, buildFilter, ordersQuery } from './queries.ts'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { getMember } from './order-facts.ts'

const StatusDialog = lazy(() => import('./status-dialog.tsx'))

const list = defineBulkList<ListedOrder>(['cancel_orders'], ({ orderNumber }) => `order ${orderNumber}`)
const otherFilters = ['expiring', 'userId', ...dayParameters]
const statuses = orderStatuses.map((value) => ({ value, label: orderStatusLabels[value] }))

function findOwner(orders: Order[] | undefined, userId: string) {
  const order = orders?.find((each) => each.userId === userId)
  return order && getMember(order)
}

/** Order Management (product 5.5): every order, with mark paid and cancel. */
export default function OrdersPage() {
  const state = useListState(orderStatuses, otherFilters)
  const expiring = useChoice('expiring', expiryWindows)
  const userId = useMemberFilter()
  const place = { ...state, expiring, userId, ...useDays(), sort: useSort(orderSorts) }
  const orders = useQuery(ordersQuery(place))
  usePrefetch(orders.isSuccess, StatusDialog)
  usePrefetchedRules()
  const { exactTotal, refresh } = useExactTotal(orders, exactTotalQuery(place))
  // The order as it was when the dialog opened. A change meanwhile becomes a conflict.
  const [deciding, setDeciding] = useState<{ order: Order; to: OperatorMove } | null>(null)
  const close = () => setDeciding(null)
  const canSelect = useCanSelect(list)
  const columns = useMemo(
    () => [...(canSelect ? [list.column] : []), ...orderColumns((order, to) => setDeciding({ order, to }))],
    [canSelect],
  )
  const filter = buildFilter(place)
  const rows = orders.data?.orders
  return (
    <BulkSelection {...{ list, filter, rows, exactTotal }} data={orders.data}>
      <DataTable
        label="Orders"
        entity="order"
        columns={columns}
        rows={rows}
        rowId={(order) => order.id}
        peek={({ id }) => ({ kind: 'order', id })}
        query={orders}
        exactTotal={exactTotal}
        state={state}
        search={{ label: 'Search by user, project or order number', placeholder: 'User, project or order number...' }}
        statuses={statuses}
        sorts={orderSorts}
        origin="Orders appear here as the platform sends them."
        filters={
          <>
            <DayRangeFilter />
            {expiring && <FilterChip label={expiryLabels[expiring]} parameter="expiring" />}
            {userId && <MemberChip userId={userId} member={findOwner(orders.data?.orders, userId)} />}
          </>
        }
        toolbar={
          <>
            <ExportButton name="orders" query={filter} />
            <RefreshButton refresh={refresh} done="Order data is up to date." />
          </>
        }
      />
      <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={close}>
        {deciding && <StatusDialog {...deciding} onClose={close} />}
      </LazyBoundary>
    </BulkSelection>
  )
}
