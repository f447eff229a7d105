import { useQuery } from '@tanstack/react-query'
import { isWholeKey } from '#contract/search.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useListState } from '#web/table/list-state.ts'
import { ChainHealthStrip } from './chain-health.tsx'
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

const needsWholeKey = 'No data available. Transactions are found by a whole hash or wallet address.'

/** Transaction Monitoring (SPEC section 2): every transfer on the chain, and what they come to. */
export function TransactionsPage() {
  const state = useListState(statusValues)
  const history = useQuery(monitorQuery(state))
  return (
    <div className="grid h-full grid-rows-[auto_minmax(20rem,1fr)]">
      <div className="gutter mx-auto w-full max-w-content pt-4">
        <Figures />
        <ChainHealthStrip />
      </div>
      <DataTable
        label="Transactions"
        columns={monitorColumns}
        rows={history.data?.transactions}
        rowId={(transaction) => transaction.id}
        query={history}
        state={state}
        search={{ label: 'Transaction hash or wallet address', placeholder: 'Transaction hash or wallet address...' }}
        statuses={statuses}
        {...(state.search && !isWholeKey(state.search.trim()) && { empty: needsWholeKey })}
        toolbar={<ExportButton name="chainTransactions" query={{ search: state.search, status: state.status }} />}
      />
    </div>
  )
}
