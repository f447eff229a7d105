import { useEffect } from 'react'
import { isComposingKey, readKey } from '#web/lib/keys.ts'
import { isField } from '#web/ui/use-shortcuts.ts'
import type { Selection } from './selection.ts'

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
export function useSelectionKeys(selection: Selection | null): void {
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
