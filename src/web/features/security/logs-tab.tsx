import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { securityRoutes } from '#contract/security.ts'
import { adminLogList } from '#contract/lists.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { SearchAsYouType } from '#web/table/search-as-you-type.tsx'
import { useList } from '#web/table/use-list.ts'
import { useSearchChange } from '#web/use-search-change.ts'
import { LogHead } from './altered-note.tsx'
import { groupFaults } from './fault-words.ts'
import { logColumns } from './log-columns.tsx'
import { integrityQuery } from './queries.ts'

function TargetSearch({ target = '', isBusy }: { target: string | undefined; isBusy: boolean }) {
  const changeSearch = useSearchChange()
  return (
    <SearchAsYouType
      label="Search by target"
      placeholder="Order, member or other id..."
      value={target}
      isBusy={isBusy}
      onChange={(text, how) => changeSearch({ target: text || undefined, page: undefined }, how)}
      className="w-60 max-md:w-auto max-md:min-w-32 max-md:flex-1"
    />
  )
}

/** What operators did, with a mark at the rows that are not what was sealed (product 5.12). */
export function LogsTab() {
  const list = useList(adminLogList, securityRoutes.logs, {
    adjust: (_values, search) => ({ search: undefined, actor: search || undefined }),
  })
  const { target, upTo, altered } = list.values
  const faults = useQuery(integrityQuery()).data?.verification?.faults
  const isAltered = altered !== undefined
  const columns = useMemo(() => logColumns(groupFaults(faults ?? []), isAltered), [faults, isAltered])
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] page-scrolls:block page-scrolls:h-auto print:block">
      <LogHead upTo={upTo} isAltered={isAltered} />
      <div className="row-start-2 min-h-0">
        <DataTable
          label="Admin actions"
          entity="action"
          columns={columns}
          rows={list.query.data?.logs}
          peek={({ targetId, targetMember }) => (targetId && targetMember ? { kind: 'member', id: targetId } : null)}
          rowId={(log) => log.id}
          list={list}
          filters={<TargetSearch target={target} isBusy={list.query.isFetching} />}
          toolbar={<ExportButton name="adminLogs" query={list.filter} />}
        />
      </div>
    </div>
  )
}
