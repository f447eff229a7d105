import type { QueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { findViewList, tidyViewSearch, unsavedParameters, viewRoutes } from '#contract/views.ts'
import { buildQuery } from '#web/api.ts'
import { getTimeZone } from '#web/lib/dates.ts'
import type { List } from '#web/table/use-list.ts'

/** The saved views that the admin may see, with their counts. */
export const viewsQuery = () => buildQuery(viewRoutes.list, { query: { timeZone: getTimeZone() } })

export const refetchViews = (client: QueryClient) =>
  client.invalidateQueries({ predicate: ({ queryKey: [first] }) => first === viewRoutes.list.path })

/** For what is counted and summed of the list on the screen: its address, without what does not narrow it. */
export function useNarrowedList({ design, values, unknown }: Pick<List, 'design' | 'values' | 'unknown'>) {
  const { pathname, searchStr } = useLocation()
  const search = new URLSearchParams(searchStr)
  const list = findViewList(pathname, search.get('tab'))
  for (const name of [...unsavedParameters, 'sort', ...unknown]) if (name !== 'search') search.delete(name)
  // Of several values those that the list knows.
  for (const [name, { parameter = name }] of Object.entries(design.filters))
    if (values[name] !== undefined) search.set(parameter, values[name])
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
