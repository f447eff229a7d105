import { useQuery } from '@tanstack/react-query'
import { createdSorts } from '#contract/sorts.ts'
import { parseKeyBeginning } from '#contract/whole-key.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useListState } from '#web/table/list-state.ts'
import { useSort } from '#web/table/use-sort.ts'
import { ChainFilters, chainFilterNames, useChainFilters } from './chain-filters.tsx'
import { ChainHealthStrip } from './chain-health.tsx'
import { monitorColumns } from './chain-columns.tsx'
import { Figures } from './figures.tsx'
import { buildMonitorFilter, monitorQuery } from './queries.ts'
import { statuses, statusValues } from './statuses.ts'

const needsKey =
  'No data available. Transactions are found by their hash or wallet address, or by at least 6 digits of its beginning.'

/** Every transfer on the chain, with its figures. */
export function ChainTab() {
  const state = useListState(statusValues, chainFilterNames)
  const filter = buildMonitorFilter({ ...state, ...useChainFilters(), sort: useSort(createdSorts) })
  const history = useQuery(monitorQuery(filter, state.page))
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(20rem,1fr)] page-scrolls:block print:block">
      <div className="gutter max-w-table pt-4">
        <Figures />
        <ChainHealthStrip />
      </div>
      <DataTable
        label="Transactions"
        entity="transaction"
        columns={monitorColumns}
        rows={history.data?.transactions}
        rowId={(transaction) => transaction.id}
        query={history}
        state={state}
        search={{ label: 'Transaction hash or wallet address', placeholder: 'Transaction hash or wallet address...' }}
        statuses={statuses}
        sorts={createdSorts}
        origin="Transfers appear here as they are read from the chain."
        filters={<ChainFilters rows={history.data?.transactions} />}
        {...(state.search && parseKeyBeginning(state.search) === null && { empty: needsKey })}
        toolbar={<ExportButton name="chainTransactions" query={filter} />}
      />
    </div>
  )
}
