import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { readListSearch, type ListSearch } from './list-search.ts'

export interface ListState {
  search: string
  status: string
  page: number
  setSearch: (search: string) => void
  setStatus: (status: string) => void
  setPage: (page: number, how?: { replace: boolean }) => void
}

/**
 * The search, filter and page of a list, kept in the address bar: they survive reload, Back and a pasted link.
 * `statuses` are the values of the status filter; whatever narrows the list leads to its first page.
 */
export function useListState(statuses: readonly string[] = []): ListState {
  const navigate = useNavigate()
  const { search = '', status = '', page = 1 } = readListSearch(statuses)(useSearch({ strict: false }))

  const change = useCallback(
    (next: ListSearch, replace: boolean) =>
      void navigate({
        to: '.',
        search: (now: Record<string, unknown>) => ({ ...now, page: undefined, ...next }),
        replace,
      }),
    [navigate],
  )
  return {
    search,
    status,
    page,
    // The first letter makes an entry in the history, the next ones refine it: Back leaves the search at once.
    setSearch: (text) => change({ search: text || undefined }, text !== '' && search !== ''),
    setStatus: (value) => change({ status: value || undefined }, false),
    setPage: (number, how) => change({ page: number > 1 ? number : undefined }, how?.replace ?? false),
  }
}
