import type { RowData } from '@tanstack/react-table'
import { type ReactNode, useEffect } from 'react'
import { type BulkAction, readBulkDesign } from '#contract/bulk.ts'
import { isComposingKey, readKey } from '#web/lib/keys.ts'
import type { Column } from '#web/table/columns.ts'
import type { List } from '#web/table/use-list.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { isField } from '#web/ui/use-shortcuts.ts'
import { usePermissions } from '#web/use-can.ts'
import { createSelectColumn, SelectionContext } from './select-column.tsx'
import { type Selection, useChosen, useSelection } from './selection.ts'

const overlay = '[role=dialog], [role=alertdialog], [role=menu]'

/** The row of the keys: that of the list's cursor, of the focus, or under the pointer. */
function findActiveRow(): string | undefined {
  const row =
    document.querySelector('main tr[aria-current]') ??
    document.activeElement?.closest('main tr') ??
    document.querySelector('main tr:hover')
  return row?.querySelector<HTMLInputElement>('input[data-select]')?.dataset['select']
}

/** X chooses the active row, Shift with X the rows up to it, Esc lets all go. Not in fields, and not under a dialog. */
function useSelectionKeys(selection: Selection | null): void {
  useEffect(() => {
    if (!selection) return
    const onKey = (event: KeyboardEvent) => {
      const { target, defaultPrevented, ctrlKey, metaKey, altKey, repeat, shiftKey } = event
      if (defaultPrevented || isComposingKey(event) || ctrlKey || metaKey || altKey || repeat) return
      // A box of the list is a field to which letters mean nothing.
      const isBox = target instanceof HTMLInputElement && target.type === 'checkbox'
      if ((isField(target) && !isBox) || document.querySelector(overlay)) return
      const key = readKey(event)
      if (key === 'Escape') {
        const { ids, isAll } = selection.get()
        if (ids.size === 0 && !isAll) return
        event.preventDefault()
        return selection.clear()
      }
      const id = key === 'x' ? findActiveRow() : undefined
      if (id === undefined) return
      event.preventDefault()
      if (shiftKey) selection.extendTo(id)
      else selection.toggle(id)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [selection])
}

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
  bulk: Pick<BulkList<Row>, 'actions' | 'nameOf'>
  list: List
  rows: readonly Row[] | undefined
  /** The list, and what it opens. */
  children: ReactNode
}

/** Lets rows of a list be chosen, and shows the bar of what to do with them. */
export function BulkSelection<Row extends RowData & { id: string }>(props: BulkSelectionProps<Row>) {
  const { bulk, list, rows, children } = props
  const { nameOf } = bulk
  const { filter, exactTotal } = list
  const { data } = list.query
  const selection = useSelection(filter)
  const actions = useBulkActions(bulk.actions)
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
