import { useEffect, type RefObject } from 'react'
import type { Apply } from './use-apply.ts'

/** Where the operator goes on after a refusal or a reload, the first that is there. */
const places = [
  'input[data-amount][aria-invalid=true]',
  '[data-refusal] button',
  'input[data-amount]',
  '[data-candidate][aria-pressed=true]',
  '[data-candidate]',
]

/** The button that was pressed may be off now, or gone: moves the focus to what is wrong, else back to the row. */
export function useFocusOnRefusal(form: RefObject<HTMLElement | null>, { refusal, conflict: { wasReloaded } }: Apply) {
  useEffect(() => {
    // A dialog shows the refusal itself.
    if ((refusal === null && !wasReloaded) || document.querySelector('[role=dialog], [role=alertdialog]')) return
    const target = places.map((place) => form.current?.querySelector<HTMLElement>(`${place}:enabled`)).find(Boolean)
    target?.focus()
  }, [form, refusal, wasReloaded])
}
