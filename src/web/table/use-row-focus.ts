import { useLayoutEffect, useRef, type FocusEvent } from 'react'
import { findFocusSuccessor, setFocusSuccessor } from '#web/lib/focus-successor.ts'

const listRows = (body: Element) => [...body.querySelectorAll<HTMLTableRowElement>('tr[data-row]')]

/** Finds what does the same in another row: its link, or the button of the same name in the same column. */
function buildFindSame(control: Element) {
  const { tagName, textContent } = control
  const column = control.closest('td')?.cellIndex ?? -1
  return (row: HTMLTableRowElement) =>
    control.matches('[data-row-link]')
      ? row.querySelector<HTMLElement>('[data-row-link]')
      : [...row.cells[column]!.querySelectorAll<HTMLElement>(tagName)].find((each) => each.textContent === textContent)
}

/**
 * Notes which control of a row has the focus. When it leaves the list, as with its row, the focus goes to the same one of the next
 * row, else of the row before, else to the list.
 */
export function useRowFocus(): (event: FocusEvent<HTMLElement>) => void {
  const focused = useRef<Element>(null)
  useLayoutEffect(() => {
    const control = focused.current
    if (!control || control.isConnected) return
    focused.current = null
    if (document.activeElement === document.body) findFocusSuccessor(control)?.focus({ preventScroll: true })
  })
  return ({ target, currentTarget: body }) => {
    const order = listRows(body).map(({ dataset }) => dataset.row)
    const at = order.indexOf(target.closest<HTMLElement>('tr[data-row]')?.dataset.row)
    if (at < 0) return
    focused.current = target
    const findSame = buildFindSame(target)
    setFocusSuccessor(target, () => {
      const shown = new Map(listRows(body).map((row) => [row.dataset.row, row]))
      const nearest = [...order.slice(at), ...order.slice(0, at).toReversed()]
      const found = nearest.map((id) => shown.has(id) && findSame(shown.get(id)!)).find(Boolean)
      return found || body.closest<HTMLElement>('section[tabindex]')
    })
  }
}
