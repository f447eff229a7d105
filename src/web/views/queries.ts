import type { QueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { findViewList, tidyViewSearch, viewRoutes } from '#contract/views.ts'
import { buildQuery } from '#web/api.ts'
import { getTimeZone } from '#web/lib/dates.ts'

/** The saved views that the admin may see, with their counts. */
export const viewsQuery = () => buildQuery(viewRoutes.list, { query: { timeZone: getTimeZone() } })

export const refetchViews = (client: QueryClient) =>
  client.invalidateQueries({ predicate: ({ queryKey: [first] }) => first === viewRoutes.list.path })

/** For what is counted and summed of the list on the screen: its address, without what does not narrow it. */
export function useNarrowedList() {
  const { pathname, searchStr } = useLocation()
  const search = new URLSearchParams(searchStr)
  const list = findViewList(pathname, search.get('tab'))
  for (const name of ['page', 'tab', 'peek', 'sort']) search.delete(name)
  return {
    isKnown: list !== null,
    query: { list: list ?? 'users', search: search.toString(), timeZone: getTimeZone() } as const,
  }
}

/** The list on the screen, null where none can be saved, and what of its address is. */
export function useShownList() {
  const { pathname, searchStr } = useLocation()
  return { list: findViewList(pathname, new URLSearchParams(searchStr).get('tab')), search: tidyViewSearch(searchStr) }
}
