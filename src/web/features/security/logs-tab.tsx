import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { createdSorts } from '#contract/sorts.ts'
import { actionFamilies } from '#contract/security.ts'
import { useChoice } from '#web/table/choice-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { dayParameters, DayRangeFilter, useDays } from '#web/table/day-filter.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { readSearch } from '#web/table/list-search.ts'
import { useListState } from '#web/table/list-state.ts'
import { SearchAsYouType } from '#web/table/search-as-you-type.tsx'
import { useSort } from '#web/table/use-sort.ts'
import { LogHead } from './altered-note.tsx'
import { groupFaults } from './fault-words.ts'
import { logColumns } from './log-columns.tsx'
import { buildLogFilter, integrityQuery, logsQuery } from './queries.ts'

const options = Object.entries(actionFamilies).map(([value, { label }]) => ({ value, label }))
const values = options.map(({ value }) => value)

/** The id of a row from the address bar. Anything else is not one. */
function useRowId(parameter: string): string | undefined {
  const { [parameter]: given }: Record<string, unknown> = useSearch({ strict: false })
  return typeof given === 'string' && /^[1-9]\d{0,17}$/.test(given) ? given : undefined
}

/** What something was done to, from the address bar. */
function useTarget(): string | undefined {
  const { target }: { target?: unknown } = useSearch({ strict: false })
  return readSearch(target)
}

function TargetSearch({ target = '', isBusy }: { target: string | undefined; isBusy: boolean }) {
  const navigate = useNavigate()
  return (
    <SearchAsYouType
      label="Search by target"
      placeholder="Order, member or other id..."
      value={target}
      isBusy={isBusy}
      onChange={(text, how) =>
        void navigate({
          to: '.',
          search: (now: Record<string, unknown>) => ({ ...now, target: text || undefined, page: undefined }),
          replace: how?.replace ?? false,
          resetScroll: false,
        })
      }
      className="w-60 max-md:w-auto max-md:min-w-32 max-md:flex-1"
    />
  )
}

/** What operators did, with a mark at the rows that are not what was sealed (product 5.12). */
export function LogsTab() {
  const state = {
    ...useListState(values, [...dayParameters, 'target', 'upTo', 'altered']),
    ...useDays(),
    target: useTarget(),
    upTo: useRowId('upTo'),
    altered: useChoice('altered', ['true']),
    sort: useSort(createdSorts),
  }
  const logs = useQuery(logsQuery(state))
  const faults = useQuery(integrityQuery()).data?.verification?.faults
  const isAltered = state.altered !== undefined
  const columns = useMemo(() => logColumns(groupFaults(faults ?? []), isAltered), [faults, isAltered])
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] page-scrolls:block page-scrolls:h-auto print:block">
      <LogHead upTo={state.upTo} isAltered={isAltered} />
      <div className="row-start-2 min-h-0">
        <DataTable
          label="Admin actions"
          entity="action"
          columns={columns}
          rows={logs.data?.logs}
          peek={({ targetId, targetMember }) => (targetId && targetMember ? { kind: 'member', id: targetId } : null)}
          rowId={(log) => log.id}
          query={logs}
          state={state}
          statuses={options}
          sorts={createdSorts}
          statusFilter={{ label: 'Action filter', all: 'All Actions' }}
          search={{ label: 'Search by admin', placeholder: 'Whole name of an admin...' }}
          filters={
            <>
              <TargetSearch target={state.target} isBusy={logs.isFetching} />
              <DayRangeFilter />
            </>
          }
          toolbar={<ExportButton name="adminLogs" query={buildLogFilter(state)} />}
        />
      </div>
    </div>
  )
}
