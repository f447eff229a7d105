import { useMemo, useState } from 'react'
import { statusSelect } from '#contract/list.ts'
import { memberList } from '#contract/lists.ts'
import { displayName, memberFilters, memberRoutes } from '#contract/members.ts'
import type { Member } from '#contract/schemas/members.ts'
import { usePrefetchedRules } from '#web/approvals/approval-need.ts'
import { BulkSelection, defineBulkList, useCanSelect } from '#web/bulk/bulk-selection.tsx'
import { ChoiceFilter, useChoice } from '#web/table/choice-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useList } from '#web/table/use-list.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { memberColumns } from './columns.tsx'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'

const BanDialog = lazy(() => import('./ban-dialog.tsx'))
const UnbanDialog = lazy(() => import('./unban-dialog.tsx'))

const bulk = defineBulkList<Member>({ actions: ['ban_users', 'unban_users'], nameOf: displayName, exportName: 'users' })
const statuses = Object.entries(memberFilters).map(([value, { label }]) => ({ value, label }))
const statusNames = Object.keys(memberFilters) as (keyof typeof memberFilters)[]

/** User Management (product 5.3): every member, with ban and unban. */
export default function MembersPage() {
  const status = useChoice('status', statusNames)
  const list = useList(memberList, memberRoutes.list, {
    ...(status && { adjust: () => memberFilters[status].query }),
    parameters: ['status'],
  })
  const rows = list.query.data?.users
  usePrefetch(list.query.isSuccess, BanDialog, UnbanDialog)
  usePrefetchedRules()
  // The member as shown in the pressed row.
  const [changing, setChanging] = useState<Member | null>(null)
  const close = () => setChanging(null)
  const canSelect = useCanSelect(bulk)
  const columns = useMemo(() => [...(canSelect ? [bulk.column] : []), ...memberColumns(setChanging)], [canSelect])
  return (
    <BulkSelection {...{ bulk, list, rows }}>
      <DataTable
        label="Users"
        entity="member"
        columns={columns}
        rows={rows}
        rowId={(member) => member.id}
        peek={({ id }) => ({ kind: 'member', id })}
        list={list}
        filters={<ChoiceFilter {...statusSelect} parameter="status" options={statuses} />}
        origin="Members appear here as the platform sends them."
        toolbar={
          <>
            <ExportButton name="users" query={list.filter} />
            <RefreshButton refresh={list.refresh} done="User data is up to date." />
          </>
        }
      />
      {changing && (
        <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={close}>
          {changing.kycBanned ? (
            <UnbanDialog member={changing} onClose={close} />
          ) : (
            <BanDialog member={changing} whenEmpty="cancel" onClose={close} />
          )}
        </LazyBoundary>
      )}
    </BulkSelection>
  )
}
