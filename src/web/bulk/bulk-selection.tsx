import type { RowData } from '@tanstack/react-table'
import { type ReactNode, useEffect } from 'react'
import { type BulkAction, readBulkDesign } from '#contract/bulk.ts'
import type { ChosenExport } from '#contract/exports.ts'
import type { Column } from '#web/table/columns.ts'
import type { List } from '#web/table/use-list.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { useCan, usePermissions } from '#web/use-can.ts'
import { createSelectColumn, SelectionContext } from './select-column.tsx'
import { type Money, useChosen, useSelection } from './selection.ts'

const SelectionBar = lazy(() => import('./selection-bar.tsx'))

/** A list whose rows can be chosen. */
export interface BulkList<Row extends RowData> {
  actions: readonly BulkAction[]
  /** What a person calls a row. */
  nameOf: (row: Row) => string
  /** What a row comes to, where rows are money. */
  moneyOf?: (row: Row) => Money
  exportName?: ChosenExport
  /** The first column, for who may do one of the actions or export the list. */
  column: Column<Row>
}

export const defineBulkList = <Row extends RowData & { id: string }>(
  design: Omit<BulkList<Row>, 'column'>,
): BulkList<Row> => ({ ...design, column: createSelectColumn(design.nameOf) })

/** What the signed-in admin may do to many rows: what may be done to one. */
function useBulkActions(actions: readonly BulkAction[]): BulkAction[] {
  const granted = usePermissions()
  return actions.filter((action) => readBulkDesign(action).permissions.every((permission) => granted.has(permission)))
}

/** Whether the signed-in admin may do something to many rows of the list or export them: else none can be chosen. */
export function useCanSelect({ actions, exportName }: Pick<BulkList<never>, 'actions' | 'exportName'>): boolean {
  const mayExport = useCan('exports.take') && exportName !== undefined
  return useBulkActions(actions).length > 0 || mayExport
}

interface BulkSelectionProps<Row extends RowData> {
  bulk: Omit<BulkList<Row>, 'column'>
  list: List
  rows: readonly Row[] | undefined
  /** The list, and what it opens. */
  children: ReactNode
}

/** Lets rows of a list be chosen, and shows the bar of what to do with them. */
export function BulkSelection<Row extends RowData & { id: string }>(props: BulkSelectionProps<Row>) {
  const { bulk, list, rows, children } = props
  const { nameOf, moneyOf, exportName } = bulk
  const { filter, exactTotal } = list
  const { data } = list.query
  const selection = useSelection(filter)
  const actions = useBulkActions(bulk.actions)
  const canSelect = useCanSelect(bulk)
  const chosen = useChosen(selection)
  useEffect(() => {
    if (rows) selection.setPage(rows.map((row) => ({ id: row.id, name: nameOf(row), money: moneyOf?.(row) })))
  }, [selection, rows, nameOf, moneyOf])
  // Counted to the end.
  const total = exactTotal ?? (data?.totalExact === false ? undefined : data?.total)
  const hasChosen = canSelect && (chosen.isAll || chosen.rows.size > 0)
  return (
    <SelectionContext value={canSelect ? selection : null}>
      {children}
      {hasChosen && (
        <LazyBoundary fallback={null} onFailure={() => selection.clear()}>
          <SelectionBar {...{ selection, actions, exportName, filter, total }} />
        </LazyBoundary>
      )}
    </SelectionContext>
  )
}
