import { useQueryClient } from '@tanstack/react-query'
import type { RowData } from '@tanstack/react-table'
import {
  createContext,
  use,
  useEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
} from 'react'
import { peekList, type PeekList } from '#web/peek/peek-list.ts'
import { type PeekTarget, writePeek } from '#web/peek/peek-target.ts'
import { prefetchPeekPanel } from '#web/peek/peek-slot.tsx'
import { prefetchPeek } from '#web/peek/queries.ts'
import { type Peek, usePeek } from '#web/peek/use-peek.ts'
import { useShortcuts } from '#web/ui/use-shortcuts.ts'
import type { ListState } from './use-list.ts'
import { useRowFocus } from './use-row-focus.ts'

/*
 * Three things act on the rows of a list, and each needs only the one before it.
 *
 * 1. Columns, sorting and density decide what a row shows. The cell of the row's subject marks its link with `data-row-link`
 *    (`Subject` does): it covers the row, and every other link and button lies above it.
 * 2. The cursor, in this file, is the one active row: J and K move it, the focus and Peek take it along, Enter follows its link,
 *    Space and a click open Peek. `useRowCursor()` gives the active row to whatever is inside `DataTable`.
 * 3. A selection is any number of rows. It takes the row under the cursor for its keys, and for Shift+J and Shift+K
 *    moves it as anything inside `DataTable` may. The cursor knows nothing of it.
 */

type Step = 1 | -1

export interface RowCursor<Row extends RowData = RowData> {
  /** The row that keys act on. Null before the first of J, K, a focus or a click. */
  active: { id: string; row: Row } | null
  /** Makes the next or previous row active, also that of the page after or before. */
  move: (step: Step) => void
  canMove: (step: Step) => boolean
  /** The target of the active row and its neighbours, for Peek. Null where the list has none. */
  peek: ((row: Row) => PeekTarget | null) | undefined
}

interface CursorContext extends RowCursor {
  setActive: (id: string) => void
  open: Peek['open']
}

const noCursor: CursorContext = {
  active: null,
  move: () => {},
  canMove: () => false,
  peek: undefined,
  setActive: () => {},
  open: () => {},
}
export const RowCursorContext = createContext<CursorContext>(noCursor)

/** The active row of the surrounding list. */
export const useRowCursor = <Row extends RowData>(): RowCursor<Row> => use(RowCursorContext) as RowCursor<Row>

interface CursorRows<Row extends RowData> extends Pick<PeekList, 'total' | 'isExact'> {
  region: RefObject<HTMLElement | null>
  rows: Row[] | undefined
  rowId: (row: Row) => string
  peek?: ((row: Row) => PeekTarget | null) | undefined
  state: Pick<ListState, 'page' | 'setPage'>
  /** How many rows stand before those of this page. */
  offset: number
  /** The rows are those of the page that `state` names. */
  isSettled: boolean
  hasNextPage: boolean
}

const findRow = (region: HTMLElement | null, id: string) =>
  region?.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(id)}"]`)
export const findRowLink = (row: Element | null | undefined) => row?.querySelector<HTMLElement>('[data-row-link]')

/** Shows the row, and takes the focus along unless it is in Peek. */
function goToRow(region: HTMLElement | null, id: string) {
  const row = findRow(region, id)
  row?.scrollIntoView({ block: 'nearest' })
  if (!document.activeElement?.closest('[data-peek]')) findRowLink(row)?.focus({ preventScroll: true })
}

/** Holds the cursor of a list. Provide it with `RowCursorContext`. */
export function useCursor<Row extends RowData>(list: CursorRows<Row>): CursorContext {
  const { region, rows, rowId, peek, state, isSettled, hasNextPage } = list
  const { shown, open } = usePeek()
  const [activeId, setActive] = useState<string | null>(null)
  /** The cursor has left the page by this step and waits for the rows of the next. */
  const left = useRef<Step>(null)

  const isShown = (row: Row) => {
    const target = peek?.(row)
    return target !== undefined && target !== null && writePeek(target) === shown
  }
  const activated = rows?.find((each) => rowId(each) === activeId)
  // Of several rows that show the same record, the one that was activated.
  const row = shown === undefined || (activated && isShown(activated)) ? activated : (rows?.find(isShown) ?? activated)
  const at = row && rows ? rows.indexOf(row) : -1

  const activate = (next: Row) => {
    setActive(rowId(next))
    goToRow(region.current, rowId(next))
    const target = shown !== undefined && peek?.(next)
    if (target) open(target)
  }
  const canMove = (step: Step) =>
    rows !== undefined && (rows[at + step] !== undefined || (step > 0 ? hasNextPage : state.page > 1))
  const move = (step: Step) => {
    if (!rows || !isSettled || !canMove(step)) return
    const next = at < 0 ? rows[0] : rows[at + step]
    if (next) return activate(next)
    left.current = step
    state.setPage(state.page + step, { replace: shown !== undefined })
  }
  useEffect(() => {
    if (!left.current || !isSettled || !rows) return
    const next = rows.at(left.current > 0 ? 0 : -1)
    left.current = null
    if (!next) return
    activate(next)
    // The list goes to the top of each new page, at the latest with this frame.
    const frame = requestAnimationFrame(() => goToRow(region.current, rowId(next)))
    return () => cancelAnimationFrame(frame)
    // Only new rows end the wait.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [rows, isSettled])

  useShortcuts({ j: () => move(1), k: () => move(-1) })
  usePublished(list, { at: row && isShown(row) ? at : -1, canMove, move })
  const active = row ? { id: rowId(row), row } : null
  return { active, move, canMove, peek: peek as CursorContext['peek'], setActive, open }
}

/** Tells Peek where it stands in this list. */
function usePublished<Row extends RowData>(
  { rows, peek, offset, total, isExact }: CursorRows<Row>,
  { at, canMove, move }: { at: number } & Pick<RowCursor, 'canMove' | 'move'>,
) {
  useEffect(() => {
    if (!peek) return
    const near = at < 0 ? [] : [rows?.[at + 1], rows?.[at - 1]]
    const neighbours = near.flatMap((row) => (row && peek(row)) ?? [])
    peekList.set({ place: at < 0 ? null : offset + at + 1, total, isExact, canMove, move, neighbours })
  })
  const isPublished = peek !== undefined
  useEffect(() => (isPublished ? () => peekList.set(null) : undefined), [isPublished])
}

/** What is pressed for itself, and not for its row. */
const control = 'a, button, input, select, textarea, label, summary'

/** A row that the pointer or the focus rests on this long may be opened next. */
const restMs = 120

/** Fetches ahead what a row opens once something rests on it. */
function usePrefetchIntent() {
  const client = useQueryClient()
  const waiting = useRef<{ key: string; timer: ReturnType<typeof setTimeout> }>(null)
  return (target: PeekTarget | null | undefined) => {
    const key = target ? writePeek(target) : ''
    if (waiting.current?.key === key) return
    clearTimeout(waiting.current?.timer)
    if (!target) return
    const timer = setTimeout(() => {
      prefetchPeekPanel()
      prefetchPeek(client, target)
    }, restMs)
    waiting.current = { key, timer }
  }
}

/** The handlers of a table's body: a press anywhere in a row is one of its link, which opens Peek where the list has it. */
export function useRowHandlers<Row extends RowData>(rows: readonly Row[], rowId: (row: Row) => string) {
  const { peek, setActive, open } = use(RowCursorContext)
  const intent = usePrefetchIntent()
  const noteFocus = useRowFocus()
  const findPressed = (target: EventTarget) => {
    const element = target instanceof Element ? target : null
    const place = element?.closest<HTMLElement>('tr[data-row]')
    const link = findRowLink(place)
    const row = rows.find((each) => rowId(each) === place?.dataset.row)
    return { pressed: element?.closest(control), link, row, target: row && peek?.(row) }
  }
  return {
    /** Before the link follows it. The Enter key has no clicks to count, and goes to the page. */
    onClickCapture: (event: MouseEvent) => {
      const { pressed, link, target } = findPressed(event.target)
      if (!link || (pressed && pressed !== link)) return
      // Pressed in one cell and released in another, after a focus scrolled the list: the click is of the row itself.
      if (event.target instanceof HTMLTableRowElement) return
      const isMarking = !pressed && getSelection()?.isCollapsed === false
      if (isMarking) return
      const { ctrlKey, metaKey, shiftKey, altKey, detail } = event
      const isPlain = detail > 0 && !ctrlKey && !metaKey && !shiftKey && !altKey
      if (isPlain && target) {
        event.preventDefault()
        link.focus({ preventScroll: true })
        open(target)
      } else if (!pressed) {
        link.dispatchEvent(
          new window.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
        )
      }
    },
    onKeyDown: (event: KeyboardEvent) => {
      const { pressed, link, target } = findPressed(event.target)
      if (event.key !== ' ' || !target || pressed !== link) return
      event.preventDefault()
      open(target)
    },
    onFocus: (event: FocusEvent<HTMLElement>) => {
      noteFocus(event)
      const { row, target } = findPressed(event.target)
      if (row) setActive(rowId(row))
      intent(target)
    },
    onPointerOver: (event: PointerEvent) => intent(findPressed(event.target).target),
    onPointerLeave: () => intent(null),
  }
}
