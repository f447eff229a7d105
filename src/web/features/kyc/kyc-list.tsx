import type { RowData } from '@tanstack/react-table'
import { useMemo, type ReactNode } from 'react'
import type { ExportName } from '#contract/exports.ts'
import { type BulkList, BulkSelection, useCanSelect } from '#web/bulk/bulk-selection.tsx'
import type { Column } from '#web/table/columns.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import type { List } from '#web/table/use-list.ts'

interface KycListProps<Row extends RowData> {
  /** The accessible name: "KYC submissions". */
  label: string
  columns: Column<Row>[]
  list: List
  rows: Row[] | undefined
  exportName: ExportName
  chips?: ReactNode
  empty?: string
  /** What can be done to many of its rows. */
  bulk?: BulkList<Row>
}

const nothingToDo = { actions: [], nameOf: () => '' }

/** One of the five lists (product 5.9): searched by email or name, filtered by status, in pages of 50. */
export function KycList<Row extends RowData & { id: string; user: { id: string } }>({
  exportName,
  bulk,
  ...table
}: KycListProps<Row>) {
  const { list, rows } = table
  const canSelect = useCanSelect(bulk ?? nothingToDo)
  const columns = useMemo(
    () => (canSelect && bulk ? [bulk.column, ...table.columns] : table.columns),
    [canSelect, bulk, table.columns],
  )
  return (
    <BulkSelection bulk={bulk ?? nothingToDo} {...{ list, rows }}>
      <DataTable
        entity="attempt"
        {...table}
        columns={columns}
        rowId={(row) => row.id}
        peek={({ user }) => ({ kind: 'member', id: user.id })}
        origin="Attempts appear here as members submit them on the platform."
        toolbar={<ExportButton name={exportName} query={list.filter} />}
      />
    </BulkSelection>
  )
}
