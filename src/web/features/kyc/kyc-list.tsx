import { keepPreviousData, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import type { RowData } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import type { ExportName } from '#contract/exports.ts'
import type { Column } from '#web/table/columns.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useExactTotal } from '#web/table/exact-total.ts'
import { ExportButton } from '#web/table/export-button.tsx'
import { useListState } from '#web/table/list-state.ts'
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
}

/** One of the five lists (product 5.9): searched by email or name, filtered by status, in pages of 50. */
export function KycList<Reply extends Page, Row extends RowData & { id: string }>({
  query,
  rowsOf,
  exportName,
  exportFilter,
  ...table
}: KycListProps<Reply, Row>) {
  const state = useListState(
    table.statuses.map(({ value }) => value),
    ['undecided'],
  )
  const list = useQuery({ ...query(state, 'page'), placeholderData: keepPreviousData })
  // The total does not depend on the page.
  const { exactTotal } = useExactTotal(list, query({ ...state, page: 1 }, 'total'))
  const { search, status } = state
  return (
    <DataTable
      entity="attempt"
      {...table}
      rows={list.data && rowsOf(list.data)}
      rowId={(row) => row.id}
      query={list}
      exactTotal={exactTotal}
      state={state}
      search={{ label: 'Search by email or name', placeholder: 'Search by email or name...' }}
      origin="Attempts appear here as members submit them on the platform."
      toolbar={<ExportButton name={exportName} query={{ search, status, ...exportFilter }} />}
    />
  )
}
