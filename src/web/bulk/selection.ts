import { useState, useSyncExternalStore } from 'react'
import { mostBulkIds } from '#contract/bulk.ts'
import type { BulkPrepared } from '#contract/schemas/bulk.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { createStore } from '#web/lib/store.ts'

/** A row of the page that is shown. */
export interface SelectableRow {
  id: string
  /** What a person calls it. */
  name: string
  /** What it comes to, where it is money. */
  money?: Money | undefined
}

export type Money = BulkPrepared['sums'][number]
/** “34,970.92 EUR · 120.00 GBP”, the sum of each currency. */
export const formatSums = (sums: readonly Money[]): string =>
  sums.map(({ amount, currency }) => `${formatAmount(amount)} ${currency}`).join(' · ')

/** What is chosen of a list: rows one by one, of any of its pages, or all that its filters show. */
export interface ChosenRows {
  rows: ReadonlyMap<string, SelectableRow>
  isAll: boolean
}

const nothing: ChosenRows = { rows: new Map(), isAll: false }

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

  #change(rows: ReadonlyMap<string, SelectableRow>, isAll = false) {
    this.#chosen = rows.size === 0 && !isAll ? nothing : { rows, isAll }
    for (const listener of this.#listeners) listener()
  }

  /** The rows that are shown now. Those that are chosen stay so when they are on no page any more. */
  setPage(rows: readonly SelectableRow[]) {
    this.#page = rows
    const { rows: chosen, isAll } = this.#chosen
    const shown = rows.flatMap((row) => (chosen.has(row.id) ? [[row.id, row] as const] : []))
    this.#change(new Map([...chosen, ...shown]), isAll)
  }

  /** Chooses rows or lets them go. Of “all that match”, the page stays chosen. At most as many as a job takes. */
  set(ids: readonly string[], isChosen: boolean) {
    const { isAll, rows: before } = this.#chosen
    const page = new Map(this.#page.map((row) => [row.id, row]))
    const now = new Map(isAll ? page : before)
    for (const id of ids) {
      const row = page.get(id)
      if (!isChosen) now.delete(id)
      else if (row && now.size < mostBulkIds) now.set(id, row)
    }
    this.#change(now)
  }

  toggle(id: string) {
    this.#anchor = id
    this.set([id], !(this.#chosen.isAll || this.#chosen.rows.has(id)))
  }

  /** Chooses a row, and begins a range there. */
  take(id: string) {
    this.#anchor = id
    if (!this.#chosen.isAll) this.set([id], true)
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
    this.#change(new Map(), true)
  }

  clear() {
    this.#anchor = null
    if (this.#chosen !== nothing) this.#change(new Map())
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

/** In px with the distance above it; 0 without a bar. As a property of the root it would style the whole page again. */
export const selectionBarHeight = createStore(0)
