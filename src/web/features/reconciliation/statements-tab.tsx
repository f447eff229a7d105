import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { statementAttentions } from '#contract/bank.ts'
import { useChoice } from '#web/table/choice-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { useListState } from '#web/table/list-state.ts'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { statementAttentionLabels } from './attention-labels.ts'
import { statementsQuery } from './queries.ts'
import { statementColumns } from './statement-columns.tsx'

const otherFilters = ['attention']

/** The imported statements of one account, or of all, with their balances. */
export function StatementsTab({ accountId }: { accountId: string | undefined }) {
  const state = useListState([], otherFilters)
  const attention = useChoice('attention', statementAttentions)
  const statements = useQuery(statementsQuery({ accountId, attention }, state.page))
  const columns = useMemo(() => statementColumns(accountId === undefined), [accountId])
  const refresh = async () => (await statements.refetch()).isSuccess
  return (
    <DataTable
      label="Bank statements"
      entity="statement"
      columns={columns}
      rows={statements.data?.statements}
      rowId={(statement) => statement.id ?? ''}
      query={statements}
      state={state}
      origin="Statements appear here once you import a file of the bank."
      filters={attention && <FilterChip label={statementAttentionLabels[attention]} parameter="attention" />}
      toolbar={<RefreshButton refresh={refresh} done="Statements are up to date." />}
    />
  )
}
