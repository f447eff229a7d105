import type { QueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { findViewList, tidyViewSearch, viewRoutes } from '#contract/views.ts'
import { buildQuery } from '#web/api.ts'
import { getTimeZone } from '#web/lib/dates.ts'

/** The saved views that the admin may see, with their counts. */
export const viewsQuery = () => buildQuery(viewRoutes.list, { query: { timeZone: getTimeZone() } })

export const refetchViews = (client: QueryClient) =>
  client.invalidateQueries({ predicate: ({ queryKey: [first] }) => first === viewRoutes.list.path })

/** The list on the screen, null where none can be saved, and what of its address is. */
export function useShownList() {
  const { pathname, searchStr } = useLocation()
  return { list: findViewList(pathname, new URLSearchParams(searchStr).get('tab')), search: tidyViewSearch(searchStr) }
}
