import { useQuery } from '@tanstack/react-query'
import { platformTransactionSorts } from '#contract/sorts.ts'
import { MemberChip, useMemberFilter } from '#web/members/member-filter.tsx'
import { transactionTypes } from '#web/members/transactions.tsx'
import { ChoiceFilter, useChoice } from '#web/table/choice-filter.tsx'
import { dayParameters, DayRangeFilter, useDays } from '#web/table/day-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { useExactTotal } from '#web/table/exact-total.ts'
import { ExportButton } from '#web/table/export-button.tsx'
import { useListState } from '#web/table/list-state.ts'
import { useSort } from '#web/table/use-sort.ts'
import { platformColumns } from './platform-columns.tsx'
import { buildPlatformFilter, platformQuery, platformTotalQuery } from './queries.ts'
import { statuses, statusValues } from './statuses.ts'

const types = Object.entries(transactionTypes).map(([value, { label }]) => ({ value, label }))
const typeValues = ['deposit', 'withdrawal', 'other'] as const

const otherFilters = ['type', 'userId', ...dayParameters]
const none = 'No data available'
const origin = `${none}. Deposits and withdrawals appear here as soon as the platform sends them.`
const noHits = `${none}. Transactions are found by their member's name or email, or by their whole id.`

/** Movements on the members' accounts with the platform: what the dashboard's figure of today counts. */
export function PlatformTab() {
  const state = useListState(statusValues, otherFilters)
  const type = useChoice('type', typeValues)
  const days = useDays()
  const userId = useMemberFilter()
  const filter = buildPlatformFilter({ ...state, type, ...days, userId, sort: useSort(platformTransactionSorts) })
  const list = useQuery(platformQuery(filter, state.page))
  const { exactTotal } = useExactTotal(list, platformTotalQuery(filter))
  const rows = list.data?.transactions
  const isNarrowed = state.isFiltered
  return (
    <DataTable
      label="Platform transactions"
      entity="transaction"
      columns={platformColumns}
      rows={rows}
      peek={({ user }) => ({ kind: 'member', id: user.id })}
      rowId={(transaction) => transaction.id}
      query={list}
      exactTotal={exactTotal}
      state={state}
      search={{ label: 'Search by name, email or transaction id', placeholder: 'Name, email or transaction id...' }}
      statuses={statuses}
      sorts={platformTransactionSorts}
      empty={state.search ? noHits : isNarrowed ? none : origin}
      filters={
        <>
          <ChoiceFilter label="Type filter" parameter="type" all="All Types" options={types} />
          <DayRangeFilter />
          {userId && <MemberChip userId={userId} member={rows?.find(({ user }) => user.id === userId)?.user} />}
        </>
      }
      toolbar={<ExportButton name="platformTransactions" query={filter} />}
    />
  )
}
