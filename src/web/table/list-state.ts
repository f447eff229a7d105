import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { readListSearch, type ListSearch } from './list-search.ts'

export interface ListState {
  search: string
  status: string
  page: number
  setSearch: (search: string, how?: { replace: boolean }) => void
  setStatus: (status: string) => void
  setPage: (page: number, how?: { replace: boolean }) => void
  /** Whether anything but the search narrows the list. */
  isFiltered: boolean
  clearFilters: () => void
}

const noParameters: readonly string[] = []

/**
 * The search, filter and page of a list, kept in the address bar: they survive reload, Back and a pasted link.
 * `statuses` are the values of the status filter, `parameters` the names of further filters in the address bar; whatever
 * narrows the list leads to its first page.
 */
export function useListState(
  statuses: readonly string[] = [],
  parameters: readonly string[] = noParameters,
): ListState {
  const navigate = useNavigate()
  const read = readListSearch(statuses)(useSearch({ strict: false }))
  const { search = '', status = '', page = 1 } = read

  const change = useCallback(
    (next: ListSearch & Record<string, unknown>, replace: boolean) =>
      void navigate({
        to: '.',
        search: (now: Record<string, unknown>) => ({ ...now, page: undefined, ...next }),
        replace,
        // The list itself goes to its first row.
        resetScroll: false,
      }),
    [navigate],
  )
  return {
    search,
    status,
    page,
    setSearch: (text, how) => change({ search: text || undefined }, how?.replace ?? false),
    setStatus: (value) => change({ status: value || undefined }, false),
    isFiltered: status !== '' || parameters.some((name) => Boolean(read[name])),
    clearFilters: () =>
      change({ status: undefined, ...Object.fromEntries(parameters.map((name) => [name, undefined])) }, false),
    setPage: (number, how) => change({ page: number > 1 ? number : undefined }, how?.replace ?? false),
  }
}
