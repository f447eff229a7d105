import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { orderStatusLabels, type Order } from '#contract/orders.ts'
import { orderFilters } from '#web/paths.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useListState } from '#web/table/list-state.ts'
import { lazy, Lazily } from '#web/ui/lazily.tsx'
import { orderColumns } from './columns.tsx'
import { exactTotalQuery, filterOf, ordersQuery, type Expiring } from './queries.ts'
import { RefreshButton } from '#web/ui/refresh-button.tsx'

const StatusDialog = lazy(() => import('./status-dialog.tsx'))

const statuses = orderFilters.map((value) => ({ value, label: orderStatusLabels[value] }))

/** Order Management (SPEC section 2): every order, with mark paid and cancel. */
export function OrdersPage() {
  const state = useListState(orderFilters)
  const { expiring }: { expiring?: Expiring } = useSearch({ strict: false })
  const place = { ...state, expiring }
  const orders = useQuery(ordersQuery(place))
  const isCounted = orders.data?.totalExact !== false
  const exact = useQuery({ ...exactTotalQuery(place), enabled: !isCounted && !orders.isPlaceholderData })
  // The order as it was when the dialog opened: a change that comes in meanwhile is a conflict, not a surprise.
  const [deciding, setDeciding] = useState<{ order: Order; to: 'paid' | 'cancelled' } | null>(null)
  const close = () => setDeciding(null)
  const columns = useMemo(
    () =>
      orderColumns({
        onPay: (order) => setDeciding({ order, to: 'paid' }),
        onCancel: (order) => setDeciding({ order, to: 'cancelled' }),
      }),
    [],
  )

  async function refresh() {
    const [page] = await Promise.all([orders.refetch(), !isCounted && exact.refetch()])
    return page.isSuccess
  }
  return (
    <>
      <DataTable
        label="Orders"
        columns={columns}
        rows={orders.data?.orders}
        rowId={(order) => order.id}
        query={orders}
        exactTotal={isCounted ? undefined : exact.data?.total}
        state={state}
        search={{ label: 'Search by user, project or order number', placeholder: 'User, project or order number...' }}
        statuses={statuses}
        origin="Orders stand here once the platform brings them in."
        filters={expiring && <FilterChip label="Expiring within 24 hours" parameter="expiring" />}
        toolbar={
          <>
            <ExportButton name="orders" query={filterOf(place)} />
            <RefreshButton refresh={refresh} done="Order data is up to date." />
          </>
        }
      />
      <Lazily fallback={null} onFailure={close}>
        {deciding && <StatusDialog {...deciding} onClose={close} />}
      </Lazily>
    </>
  )
}
