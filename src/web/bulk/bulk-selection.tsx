import type { RowData } from '@tanstack/react-table'
import { useEffect, type ReactNode } from 'react'
import { type BulkAction, readBulkDesign } from '#contract/bulk.ts'
import type { Column } from '#web/table/columns.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { usePermissions } from '#web/use-can.ts'
import { createSelectColumn, SelectionContext } from './select-column.tsx'
import { useChosen, useSelection } from './selection.ts'
import { useSelectionKeys } from './use-selection-keys.ts'

const SelectionBar = lazy(() => import('./selection-bar.tsx'))

/** A list whose rows can be chosen. */
export interface BulkList<Row extends RowData> {
  actions: readonly BulkAction[]
  /** What a person calls a row. */
  nameOf: (row: Row) => string
  /** The first column, for who may do one of the actions. */
  column: Column<Row>
}

export const defineBulkList = <Row extends RowData & { id: string }>(
  actions: readonly BulkAction[],
  nameOf: (row: Row) => string,
): BulkList<Row> => ({ actions, nameOf, column: createSelectColumn(nameOf) })

/** What the signed-in admin may do to many rows: what may be done to one. */
function useBulkActions(actions: readonly BulkAction[]): BulkAction[] {
  const granted = usePermissions()
  return actions.filter((action) => readBulkDesign(action).permissions.every((permission) => granted.has(permission)))
}

/** Whether the signed-in admin may do something to many rows of the list: else nothing can be chosen. */
export const useCanSelect = ({ actions }: { actions: readonly BulkAction[] }): boolean =>
  useBulkActions(actions).length > 0

interface BulkSelectionProps<Row extends RowData> {
  list: Pick<BulkList<Row>, 'actions' | 'nameOf'>
  /** The query of the list, without its page. */
  filter: Record<string, string | undefined>
  rows: readonly Row[] | undefined
  data: { total: number; totalExact?: boolean | undefined } | undefined
  exactTotal?: number | undefined
  /** The list, and what it opens. */
  children: ReactNode
}

/** Lets rows of a list be chosen, and shows the bar of what to do with them. */
export function BulkSelection<Row extends RowData & { id: string }>(props: BulkSelectionProps<Row>) {
  const { list, filter, rows, data, exactTotal, children } = props
  const { nameOf } = list
  const selection = useSelection(filter)
  const actions = useBulkActions(list.actions)
  const canSelect = actions.length > 0
  const chosen = useChosen(selection)
  useSelectionKeys(canSelect ? selection : null)
  useEffect(() => {
    if (rows) selection.setPage(rows.map((row) => ({ id: row.id, name: nameOf(row) })))
  }, [selection, rows, nameOf])
  // Counted to the end.
  const total = exactTotal ?? (data?.totalExact === false ? undefined : data?.total)
  const hasChosen = canSelect && (chosen.isAll || chosen.ids.size > 0)
  return (
    <SelectionContext value={canSelect ? selection : null}>
      {children}
      {hasChosen && (
        <LazyBoundary fallback={null} onFailure={() => selection.clear()}>
          <SelectionBar {...{ selection, actions, filter, total }} />
        </LazyBoundary>
      )}
    </SelectionContext>
  )
}
