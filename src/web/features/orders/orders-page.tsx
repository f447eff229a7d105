import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type OperatorMove, orderStatuses, orderStatusLabels } from '#contract/order-moves.ts'
import type { Order } from '#contract/schemas/orders.ts'
import { MemberChip, useMemberFilter } from '#web/members/member-filter.tsx'
import { usePrefetchedRules } from '#web/approvals/approval-need.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useExactTotal } from '#web/table/exact-total.ts'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useListState } from '#web/table/list-state.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { orderColumns } from './columns.tsx'
import { exactTotalQuery, buildFilter, ordersQuery, type Expiring } from './queries.ts'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { getMember } from './order-facts.ts'

const StatusDialog = lazy(() => import('./status-dialog.tsx'))

const otherFilters = ['expiring', 'userId']
const statuses = orderStatuses.map((value) => ({ value, label: orderStatusLabels[value] }))

function findOwner(orders: Order[] | undefined, userId: string) {
  const order = orders?.find((each) => each.userId === userId)
  return order && getMember(order)
}

/** Order Management (product 5.5): every order, with mark paid and cancel. */
export default function OrdersPage() {
  const state = useListState(orderStatuses, otherFilters)
  const { expiring }: { expiring?: Expiring } = useSearch({ strict: false })
  const userId = useMemberFilter()
  const place = { ...state, expiring, userId }
  const orders = useQuery(ordersQuery(place))
  usePrefetch(orders.isSuccess, StatusDialog)
  usePrefetchedRules()
  const { exactTotal, refresh } = useExactTotal(orders, exactTotalQuery(place))
  // The order as it was when the dialog opened. A change meanwhile becomes a conflict.
  const [deciding, setDeciding] = useState<{ order: Order; to: OperatorMove } | null>(null)
  const close = () => setDeciding(null)
  const columns = useMemo(() => orderColumns((order, to) => setDeciding({ order, to })), [])
  return (
    <>
      <DataTable
        label="Orders"
        entity="order"
        columns={columns}
        rows={orders.data?.orders}
        rowId={(order) => order.id}
        query={orders}
        exactTotal={exactTotal}
        state={state}
        search={{ label: 'Search by user, project or order number', placeholder: 'User, project or order number...' }}
        statuses={statuses}
        origin="Orders appear here as the platform sends them."
        filters={
          (expiring || userId) && (
            <>
              {expiring && <FilterChip label="Expiring within 24 hours" parameter="expiring" />}
              {userId && <MemberChip userId={userId} member={findOwner(orders.data?.orders, userId)} />}
            </>
          )
        }
        toolbar={
          <>
            <ExportButton name="orders" query={buildFilter(place)} />
            <RefreshButton refresh={refresh} done="Order data is up to date." />
          </>
        }
      />
      <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={close}>
        {deciding && <StatusDialog {...deciding} onClose={close} />}
      </LazyBoundary>
    </>
  )
}
