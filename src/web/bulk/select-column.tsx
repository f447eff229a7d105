import { createContext, use, useEffect, useRef, useSyncExternalStore, type MouseEvent } from 'react'
import type { RowData } from '@tanstack/react-table'
import { cn } from '#web/lib/cn.ts'
import { isComposingKey, readKey } from '#web/lib/keys.ts'
import { createColumns } from '#web/table/columns.ts'
import { useRowCursor } from '#web/table/row-cursor.tsx'
import { takesLetters } from '#web/ui/use-shortcuts.ts'
import { useChosen, type Selection } from './selection.ts'

/** Cells read it from context, so that the columns stay the same and no box loses its focus. */
export const SelectionContext = createContext<Selection | null>(null)

interface SelectBoxProps {
  label: string
  checked: boolean
  isMixed?: boolean
  disabled?: boolean
  /** A visible label. By default only screen readers get it. */
  text?: string
  className?: string | undefined
  onChange: (event: MouseEvent<HTMLInputElement>) => void
  /** The row that it is of, for the keys. */
  rowId?: string
}

/** A box that chooses a row, or all of a page. */
export const SelectBox = ({
  label,
  checked,
  isMixed = false,
  disabled,
  text,
  className,
  onChange,
  rowId,
}: SelectBoxProps) => (
  // The label is the target, larger than the box.
  <label
    className={cn(
      '-m-2 flex min-h-8 items-center gap-2 p-2 text-13 select-none',
      text === undefined && 'w-8',
      !disabled && 'cursor-pointer',
      className,
    )}
  >
    <input
      type="checkbox"
      aria-label={label}
      checked={checked}
      disabled={disabled}
      {...(rowId !== undefined && { 'data-select': rowId })}
      ref={(box) => {
        if (box) box.indeterminate = isMixed
      }}
      // A click has the Shift key, which a change has not. Space clicks too.
      onClick={onChange}
      onChange={() => {}}
      className="size-4 shrink-0 accent-(--accent)"
    />
    {text}
  </label>
)

function RowBox({ id, name }: { id: string; name: string }) {
  const selection = use(SelectionContext)!
  const isChosen = useSyncExternalStore(selection.subscribe, () => {
    const { rows, isAll } = selection.get()
    return isAll || rows.has(id)
  })
  return (
    <SelectBox
      label={`Select ${name}`}
      rowId={id}
      checked={isChosen}
      onChange={({ shiftKey }) => (shiftKey ? selection.extendTo(id) : selection.toggle(id))}
    />
  )
}

/** All rows of the page: in the table's head, or with a text where the head is hidden. */
export function PageBox({ text, className }: { text?: string; className?: string }) {
  const selection = use(SelectionContext)!
  const { rows, isAll } = useChosen(selection)
  const page = useSyncExternalStore(selection.subscribe, selection.getPage)
  const count = isAll ? page.length : page.filter(({ id }) => rows.has(id)).length
  const isWhole = page.length > 0 && count === page.length
  return (
    <SelectBox
      label="Select all on this page"
      checked={isWhole}
      isMixed={count > 0 && !isWhole}
      disabled={page.length === 0}
      className={className}
      {...(text !== undefined && { text })}
      onChange={() =>
        selection.set(
          page.map(({ id }) => id),
          !isWhole,
        )
      }
    />
  )
}

const overlay = '[role=dialog], [role=alertdialog], [role=menu]'

/** The row of the keys: that of the list's cursor, of the focus, or under the pointer. */
function findActiveRow(): string | undefined {
  const row =
    document.querySelector('main tr[aria-current]') ??
    document.activeElement?.closest('main tr') ??
    document.querySelector('main tr:hover')
  return row?.querySelector<HTMLInputElement>('input[data-select]')?.dataset['select']
}

/**
 * X chooses the active row, Shift with X the rows up to it, Shift with J or K goes on and chooses the rows on the way,
 * Esc lets all go. Not in fields, and not under a dialog.
 */
function SelectionKeys() {
  const selection = use(SelectionContext)!
  const { active, move, canMove } = useRowCursor()
  const activeId = active?.id
  const isExtending = useRef(false)
  useEffect(() => {
    if (isExtending.current && activeId !== undefined) selection.take(activeId)
    isExtending.current = false
  }, [selection, activeId])
  const onKey = (event: KeyboardEvent) => {
    const { target, defaultPrevented, ctrlKey, metaKey, altKey, repeat, shiftKey } = event
    if (defaultPrevented || isComposingKey(event) || ctrlKey || metaKey || altKey || repeat) return
    if (takesLetters(target) || document.querySelector(overlay)) return
    const key = readKey(event)
    if (key === 'Escape') {
      const { rows, isAll } = selection.get()
      if (rows.size === 0 && !isAll) return
      event.preventDefault()
      return selection.clear()
    }
    const step = key === 'j' ? 1 : key === 'k' ? -1 : null
    if (shiftKey && step !== null && canMove(step)) {
      event.preventDefault()
      if (activeId !== undefined) selection.take(activeId)
      isExtending.current = true
      return move(step)
    }
    const id = key === 'x' ? findActiveRow() : undefined
    if (id === undefined) return
    event.preventDefault()
    if (shiftKey) selection.extendTo(id)
    else selection.toggle(id)
  }
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  })
  return null
}

/** The first column of a list whose rows can be chosen. `nameOf` says what a person calls a row. */
export const createSelectColumn = <Row extends RowData & { id: string }>(nameOf: (row: Row) => string) =>
  createColumns<Row>().display({
    id: 'select',
    header: () => (
      <>
        <SelectionKeys />
        <PageBox className="blocks:hidden" />
        <span className="rows:hidden">Select</span>
      </>
    ),
    cell: ({ row: { original } }) => <RowBox id={original.id} name={nameOf(original)} />,
    meta: { width: '20px', narrow: 'before' },
  })
