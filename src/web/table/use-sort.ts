import { useSearch } from '@tanstack/react-router'
import type { Sorts } from '#contract/sorts.ts'
import { useSearchChange } from '#web/use-search-change.ts'

export interface ListSort {
  sorts: Sorts
  /** The name of the order that is shown. */
  current: string
  set: (name: string) => void
}

/** The list's order from the address bar, for its call. Undefined is the list's own, and so is an unknown one. */
export function useSort<Name extends string>(sorts: Sorts<Name>): Name | undefined {
  const { sort }: { sort?: unknown } = useSearch({ strict: false })
  // Object.keys only knows that they are strings.
  return (Object.keys(sorts) as Name[]).slice(1).find((name) => name === sort)
}

/** The list's order from the address bar, and how to choose another one, which leads to the first page. */
export function useListSort(sorts: Sorts | undefined): ListSort | undefined {
  const changeSearch = useSearchChange()
  const current = useSort(sorts ?? {})
  if (!sorts) return undefined
  const own = Object.keys(sorts)[0]!
  const set = (name: string) => changeSearch({ sort: name === own ? undefined : name, page: undefined })
  return { sorts, current: current ?? own, set }
}

/** The orders of a column, in the order in which its head chooses them. */
export const findColumnSorts = ({ sorts }: ListSort, columnId: string): string[] =>
  Object.keys(sorts).filter((name) => sorts[name]!.column === columnId)
