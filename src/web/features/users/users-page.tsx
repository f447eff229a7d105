import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { userFilters } from '#contract/users.ts'
import type { User } from '#contract/schemas/users.ts'
import { usePrefetchedRules } from '#web/approvals/approval-need.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useExactTotal } from '#web/table/exact-total.ts'
import { ExportButton } from '#web/table/export-button.tsx'
import { useListState } from '#web/table/list-state.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { userColumns } from './columns.tsx'
import { exactTotalQuery, buildFilter, usersQuery } from './queries.ts'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'

const BanDialog = lazy(() => import('./ban-dialog.tsx'))
const UnbanDialog = lazy(() => import('./unban-dialog.tsx'))

const statuses = Object.entries(userFilters).map(([value, { label }]) => ({ value, label }))
const statusValues = Object.keys(userFilters)

/** User Management (product 5.3): every member, with ban and unban. */
export default function UsersPage() {
  const state = useListState(statusValues)
  const users = useQuery(usersQuery(state))
  usePrefetch(users.isSuccess, BanDialog, UnbanDialog)
  usePrefetchedRules()
  const { exactTotal, refresh } = useExactTotal(users, exactTotalQuery(state))
  // The member as shown in the pressed row.
  const [changing, setChanging] = useState<User | null>(null)
  const close = () => setChanging(null)
  const columns = useMemo(() => userColumns(setChanging), [])
  return (
    <>
      <DataTable
        label="Users"
        entity="member"
        columns={columns}
        rows={users.data?.users}
        rowId={(user) => user.id}
        query={users}
        exactTotal={exactTotal}
        state={state}
        search={{ label: 'Search by name or email', placeholder: 'Search by name or email...' }}
        statuses={statuses}
        origin="Members appear here as the platform sends them."
        toolbar={
          <>
            <ExportButton name="users" query={buildFilter(state)} />
            <RefreshButton refresh={refresh} done="User data is up to date." />
          </>
        }
      />
      {changing && (
        <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={close}>
          {changing.kycBanned ? (
            <UnbanDialog user={changing} onClose={close} />
          ) : (
            <BanDialog user={changing} whenEmpty="cancel" onClose={close} />
          )}
        </LazyBoundary>
      )}
    </>
  )
}
