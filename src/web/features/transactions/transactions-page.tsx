import { useQuery } from '@tanstack/react-query'
import { DataTable } from '#web/table/data-table.tsx'
import { useListState } from '#web/table/list-state.ts'
import { monitorColumns } from './columns.tsx'
import { Figures } from './figures.tsx'
import { monitorQuery } from './queries.ts'

/** In SPEC's order. */
const statuses = [
  { value: 'completed', label: 'Completed' },
  { value: 'pending', label: 'Pending' },
  { value: 'failed', label: 'Failed' },
]
const statusValues = statuses.map(({ value }) => value)

/** Transaction Monitoring (SPEC section 2): every transfer on the chain, and what they come to. */
export function TransactionsPage() {
  const state = useListState(statusValues)
  const history = useQuery(monitorQuery(state))
  return (
    <div className="grid h-full grid-rows-[auto_minmax(20rem,1fr)]">
      <div className="gutter mx-auto w-full max-w-content pt-4">
        <Figures />
      </div>
      <DataTable
        label="Transactions"
        columns={monitorColumns}
        rows={history.data?.transactions}
        rowId={(transaction) => transaction.id}
        query={history}
        state={state}
        statuses={statuses}
      />
    </div>
  )
}
