import { useLayoutEffect, useRef, type FocusEvent, type RefObject } from 'react'
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

const tabStops = 'a[href], button, input, select, textarea, summary, [tabindex]'

/** Of all rows of a list Tab passes through the active one, else the first. What a row leaves out itself stays so. */
export function useTabRow(
  table: RefObject<HTMLTableElement | null>,
  activeId: string | undefined,
  isOn: boolean,
): void {
  useLayoutEffect(() => {
    const body = isOn && table.current?.tBodies[0]
    if (!body) return
    const mark = () => {
      const rows = listRows(body)
      const passed = rows.find(({ dataset }) => dataset.row === activeId) ?? rows[0]
      for (const row of rows)
        for (const control of row.querySelectorAll<HTMLElement>(tabStops)) {
          if (row !== passed && control.tabIndex >= 0) {
            control.tabIndex = -1
            control.dataset['tabStop'] = ''
          } else if (row === passed && control.dataset['tabStop'] === '') {
            control.tabIndex = 0
            delete control.dataset['tabStop']
          }
        }
    }
    mark()
    const observer = new MutationObserver(mark)
    observer.observe(body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [table, activeId, isOn])
}
