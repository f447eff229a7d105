import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { addressForm } from '#contract/common.ts'
import { parseKeyBeginning } from '#contract/whole-key.ts'
import { shortenHash } from '#web/lib/hashes.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { useListState } from '#web/table/list-state.ts'
import { ChainHealthStrip } from './chain-health.tsx'
import { monitorColumns } from './chain-columns.tsx'
import { Figures } from './figures.tsx'
import { monitorQuery } from './queries.ts'
import { statuses, statusValues } from './statuses.ts'

const needsKey =
  'No data available. Transactions are found by their hash or wallet address, or by at least 6 digits of its beginning.'

/** The token filter from the address bar. An invalid address is no filter. */
function useTokenFilter(): string | undefined {
  const { token }: { token?: unknown } = useSearch({ strict: false })
  return typeof token === 'string' && addressForm.test(token) ? token.toLowerCase() : undefined
}

/** Every transfer on the chain, with its figures. */
export function ChainTab() {
  const state = useListState(statusValues, ['token'])
  const tokenAddress = useTokenFilter()
  const history = useQuery(monitorQuery({ ...state, tokenAddress }))
  const symbol = history.data?.transactions.find((each) => each.tokenAddress === tokenAddress)?.tokenSymbol
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
        origin="Transfers appear here as they are read from the chain."
        filters={
          tokenAddress && <FilterChip label={`Token ${symbol ?? shortenHash(tokenAddress)}`} parameter="token" />
        }
        {...(state.search && parseKeyBeginning(state.search) === null && { empty: needsKey })}
        toolbar={
          <ExportButton name="chainTransactions" query={{ search: state.search, status: state.status, tokenAddress }} />
        }
      />
    </div>
  )
}
