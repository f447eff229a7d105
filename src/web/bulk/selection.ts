import { useState, useSyncExternalStore } from 'react'
import { mostBulkIds } from '#contract/bulk.ts'

/** A row of the page that is shown. */
export interface SelectableRow {
  id: string
  /** What a person calls it. */
  name: string
}

/** What is chosen of a list: rows one by one, of any of its pages, or all that its filters show. */
export interface ChosenRows {
  ids: ReadonlySet<string>
  isAll: boolean
}

const nothing: ChosenRows = { ids: new Set(), isAll: false }

/**
 * The chosen rows of one list under one filter. Outside React's state, so that a choice renders its row and the bar,
 * and not the table.
 */
export class Selection {
  #chosen = nothing
  #page: readonly SelectableRow[] = []
  /** Where a range begins. */
  #anchor: string | null = null
  readonly #listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  readonly get = (): ChosenRows => this.#chosen
  readonly getPage = (): readonly SelectableRow[] => this.#page

  #change(ids: ReadonlySet<string>, isAll = false) {
    this.#chosen = ids.size === 0 && !isAll ? nothing : { ids, isAll }
    for (const listener of this.#listeners) listener()
  }

  /** The rows that are shown now. Those that are chosen stay so when they are on no page any more. */
  setPage(rows: readonly SelectableRow[]) {
    this.#page = rows
    for (const listener of this.#listeners) listener()
  }

  /** Chooses rows or lets them go. Of “all that match”, the page stays chosen. At most as many as a job takes. */
  set(ids: readonly string[], isChosen: boolean) {
    const { isAll, ids: before } = this.#chosen
    const now = new Set(isAll ? this.#page.map(({ id }) => id) : before)
    for (const id of ids) {
      if (!isChosen) now.delete(id)
      else if (now.size < mostBulkIds) now.add(id)
    }
    this.#change(now)
  }

  toggle(id: string) {
    this.#anchor = id
    this.set([id], !(this.#chosen.isAll || this.#chosen.ids.has(id)))
  }

  /** Chooses all rows of the page from the last one that was touched to this one. */
  extendTo(id: string) {
    const ids = this.#page.map((row) => row.id)
    const from = ids.indexOf(this.#anchor ?? id)
    const to = ids.indexOf(id)
    if (from < 0 || to < 0) return this.toggle(id)
    this.#anchor = id
    this.set(ids.slice(Math.min(from, to), Math.max(from, to) + 1), true)
  }

  chooseAll() {
    this.#change(new Set(), true)
  }

  clear() {
    this.#anchor = null
    if (this.#chosen !== nothing) this.#change(new Set())
  }
}

/** The selection of a list. Another search or filter begins another one; other pages and changes of rows keep it. */
export function useSelection(filter: Record<string, string | undefined>): Selection {
  const { sort: _order, ...narrowing } = filter
  const place = JSON.stringify(narrowing)
  const [held, setHeld] = useState(() => ({ place, selection: new Selection() }))
  if (held.place === place) return held.selection
  const next = { place, selection: new Selection() }
  setHeld(next)
  return next.selection
}

export const useChosen = (selection: Selection): ChosenRows => useSyncExternalStore(selection.subscribe, selection.get)
