import type { RowData } from '@tanstack/react-table'
import { type RefObject, useState } from 'react'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { useShortcuts } from '#web/ui/use-shortcuts.ts'
import type { Column } from './columns.ts'
import { findRowLink } from './row-cursor.tsx'

const KeysDialog = lazy(async () => ({ default: (await import('#web/ui/keys-dialog.tsx')).KeysDialog }))

interface ListKeysProps<Row extends RowData> {
  columns: Column<Row>[]
  hasPeek: boolean
  hasFilters: boolean
  region: RefObject<HTMLElement | null>
}

/** What `?` shows: the keys that mean something in this list. */
export function ListKeys<Row extends RowData>({ columns, hasPeek, hasFilters, region }: ListKeysProps<Row>) {
  const [isOpen, setOpen] = useState(false)
  useShortcuts({ '?': () => setOpen(true) })
  if (!isOpen) return null
  const canSelect = columns.some(({ id }) => id === 'select')
  const keys: [keys: string[], words: string, isThere?: boolean][] = [
    [['J', 'K'], 'Next and previous row'],
    [['↵'], 'Open the page of the row', Boolean(findRowLink(region.current))],
    [['Space'], 'Look at the row beside the list', hasPeek],
    [['X'], 'Select the row', canSelect],
    [['⇧', 'J', 'K'], 'Select the next or previous row too', canSelect],
    [['.'], 'Go to what can be done with the selected rows', canSelect],
    [['F'], 'Filter', hasFilters],
    [['/'], 'Search the console'],
    [['['], 'Fold or unfold the sidebar'],
    [['Esc'], canSelect ? 'Close what is open, then clear the selection' : 'Close what is open'],
    [['?'], 'This list'],
  ]
  const close = () => setOpen(false)
  return (
    <LazyBoundary fallback={null} onFailure={close}>
      <KeysDialog
        keys={keys.filter(([, , isThere = true]) => isThere).map(([names, words]) => [names, words])}
        note="In a field these keys are text."
        onClose={close}
      />
    </LazyBoundary>
  )
}
