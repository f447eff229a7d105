import { useQuery } from '@tanstack/react-query'
import { actionFamilies } from '#contract/security.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { dayParameters, DayRangeFilter, useDays } from '#web/table/day-filter.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useListState } from '#web/table/list-state.ts'
import { logColumns } from './log-columns.tsx'
import { buildLogFilter, logsQuery } from './queries.ts'

const options = Object.entries(actionFamilies).map(([value, { label }]) => ({ value, label }))
const values = options.map(({ value }) => value)

/** What operators did (product 5.12). */
export function LogsTab() {
  const state = { ...useListState(values, dayParameters), ...useDays() }
  const logs = useQuery(logsQuery(state))
  return (
    <DataTable
      label="Admin actions"
      entity="action"
      columns={logColumns}
      rows={logs.data?.logs}
      rowId={(log) => log.id}
      query={logs}
      state={state}
      statuses={options}
      statusFilter={{ label: 'Action filter', all: 'All Actions' }}
      search={{ label: 'Search by admin', placeholder: 'Whole name of an admin...' }}
      filters={<DayRangeFilter />}
      toolbar={<ExportButton name="adminLogs" query={buildLogFilter(state)} />}
    />
  )
}
