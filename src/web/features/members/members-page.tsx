import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { createdSorts } from '#contract/sorts.ts'
import { displayName, submissionFilters, submissionLabels, memberFilters } from '#contract/members.ts'
import type { Member } from '#contract/schemas/members.ts'
import { usePrefetchedRules } from '#web/approvals/approval-need.ts'
import { BulkSelection, defineBulkList, useCanSelect } from '#web/bulk/bulk-selection.tsx'
import { useChoice } from '#web/table/choice-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { DayRangeFilter, dayParameters, useDays } from '#web/table/day-filter.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { useExactTotal } from '#web/table/exact-total.ts'
import { ExportButton } from '#web/table/export-button.tsx'
import { useListState } from '#web/table/list-state.ts'
import { useSort } from '#web/table/use-sort.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { memberColumns } from './columns.tsx'
import { exactTotalQuery, buildFilter, membersQuery } from './queries.ts'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'

const BanDialog = lazy(() => import('./ban-dialog.tsx'))
const UnbanDialog = lazy(() => import('./unban-dialog.tsx'))

const list = defineBulkList<Member>(['ban_users', 'unban_users'], displayName)
const statuses = Object.entries(memberFilters).map(([value, { label }]) => ({ value, label }))
const otherFilters = ['submission', ...dayParameters]
const statusValues = Object.keys(memberFilters)

/** User Management (product 5.3): every member, with ban and unban. */
export default function MembersPage() {
  const submission = useChoice('submission', submissionFilters)
  const state = { ...useListState(statusValues, otherFilters), ...useDays(), submission, sort: useSort(createdSorts) }
  const members = useQuery(membersQuery(state))
  usePrefetch(members.isSuccess, BanDialog, UnbanDialog)
  usePrefetchedRules()
  const { exactTotal, refresh } = useExactTotal(members, exactTotalQuery(state))
  // The member as shown in the pressed row.
  const [changing, setChanging] = useState<Member | null>(null)
  const close = () => setChanging(null)
  const canSelect = useCanSelect(list)
  const columns = useMemo(() => [...(canSelect ? [list.column] : []), ...memberColumns(setChanging)], [canSelect])
  const filter = buildFilter(state)
  const rows = members.data?.users
  return (
    <BulkSelection {...{ list, filter, rows, exactTotal }} data={members.data}>
      <DataTable
        label="Users"
        entity="member"
        columns={columns}
        rows={rows}
        rowId={(member) => member.id}
        peek={({ id }) => ({ kind: 'member', id })}
        query={members}
        exactTotal={exactTotal}
        state={state}
        search={{ label: 'Search by name or email', placeholder: 'Search by name or email...' }}
        statuses={statuses}
        sorts={createdSorts}
        filters={
          <>
            <DayRangeFilter />
            {submission && <FilterChip label={submissionLabels[submission]} parameter="submission" />}
          </>
        }
        origin="Members appear here as the platform sends them."
        toolbar={
          <>
            <ExportButton name="users" query={filter} />
            <RefreshButton refresh={refresh} done="User data is up to date." />
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
