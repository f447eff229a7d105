import { keepPreviousData, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import type { RowData } from '@tanstack/react-table'
import { useMemo, type ReactNode } from 'react'
import type { ExportName } from '#contract/exports.ts'
import { submittedSorts } from '#contract/sorts.ts'
import { type BulkList, BulkSelection, useCanSelect } from '#web/bulk/bulk-selection.tsx'
import type { Column } from '#web/table/columns.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useExactTotal } from '#web/table/exact-total.ts'
import { ExportButton } from '#web/table/export-button.tsx'
import { useListState } from '#web/table/list-state.ts'
import { useSort } from '#web/table/use-sort.ts'
import type { Option } from '#web/ui/select.tsx'
import type { ListState } from './queries.ts'

interface Page {
  total: number
  totalExact?: boolean | undefined
  page: number
  limit: number
}

interface KycListProps<Reply extends Page, Row extends RowData> {
  /** The accessible name: "KYC submissions". */
  label: string
  columns: Column<Row>[]
  query: (place: ListState, wanted: 'page' | 'total') => UseQueryOptions<Reply, Error, Reply, string[]>
  rowsOf: (reply: Reply) => Row[]
  statuses: readonly Option[]
  exportName: ExportName
  /** Further filters, and their parameters for the export. */
  filters?: ReactNode
  exportFilter?: Record<string, string | undefined>
  empty?: string
  /** What can be done to many of its rows. */
  bulk?: BulkList<Row>
}

const nothingToDo = { actions: [], nameOf: () => '' }

/** One of the five lists (product 5.9): searched by email or name, filtered by status, in pages of 50. */
export function KycList<Reply extends Page, Row extends RowData & { id: string; user: { id: string } }>({
  query,
  rowsOf,
  exportName,
  exportFilter,
  bulk,
  ...table
}: KycListProps<Reply, Row>) {
  const sort = useSort(submittedSorts)
  const state = {
    ...useListState(
      table.statuses.map(({ value }) => value),
      ['undecided', 'anotherLook', 'waiting'],
    ),
    sort,
  }
  const list = useQuery({ ...query(state, 'page'), placeholderData: keepPreviousData })
  // The total does not depend on the page.
  const { exactTotal } = useExactTotal(list, query({ ...state, page: 1 }, 'total'))
  const { search, status } = state
  const rows = list.data && rowsOf(list.data)
  const canSelect = useCanSelect(bulk ?? nothingToDo)
  const columns = useMemo(
    () => (canSelect && bulk ? [bulk.column, ...table.columns] : table.columns),
    [canSelect, bulk, table.columns],
  )
  const filter = { search, status, sort, ...exportFilter }
  return (
    <BulkSelection list={bulk ?? nothingToDo} {...{ filter, rows, exactTotal }} data={list.data}>
      <DataTable
        entity="attempt"
        {...table}
        columns={columns}
        rows={rows}
        rowId={(row) => row.id}
        peek={({ user }) => ({ kind: 'member', id: user.id })}
        query={list}
        exactTotal={exactTotal}
        state={state}
        sorts={submittedSorts}
        search={{ label: 'Search by email or name', placeholder: 'Search by email or name...' }}
        origin="Attempts appear here as members submit them on the platform."
        toolbar={<ExportButton name={exportName} query={filter} />}
      />
    </BulkSelection>
  )
}
