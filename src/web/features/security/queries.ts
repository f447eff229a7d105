import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { pageSize } from '#contract/common.ts'
import { securityRoutes, severities } from '#contract/security.ts'
import { buildQuery } from '#web/api.ts'
import { getBrowserTimeZone } from '#web/lib/dates.ts'

interface SecurityListState {
  /** The filter's value, as it stands in the address bar; empty is no filter. */
  status: string
  page: number
}

/** Which events are shown: those that nobody has resolved yet, unless the address bar asks for others. */
export const eventViews = ['true', 'all'] as const
export type EventView = (typeof eventViews)[number] | undefined

export const buildEventFilter = (status: string, view: EventView) => ({
  severity: severities.find((known) => known === status),
  resolved: view ?? 'false',
})

/** One page of the events. The old rows stay until the new ones come. */
export const eventsQuery = ({ status, page }: SecurityListState, view: EventView) => ({
  ...buildQuery(securityRoutes.events, { query: { ...buildEventFilter(status, view), page, limit: pageSize } }),
  placeholderData: keepPreviousData,
})

interface LogListState extends SecurityListState {
  /** The whole name of who acted; empty is everybody. */
  search: string
  from: string | undefined
  to: string | undefined
  /** The id of the row that the list begins with. */
  upTo: string | undefined
  altered: 'true' | undefined
}

export const buildLogFilter = ({ status, search, from, to, upTo, altered }: Omit<LogListState, 'page'>) => ({
  action: status,
  actor: search || undefined,
  from,
  to,
  upTo,
  altered,
  ...((from || to) && { timeZone: getBrowserTimeZone() }),
})

/** One page of what operators did; `status` names a family of actions. */
export const logsQuery = (state: LogListState) => ({
  ...buildQuery(securityRoutes.logs, { query: { ...buildLogFilter(state), page: state.page, limit: pageSize } }),
  placeholderData: keepPreviousData,
})

export const figuresQuery = () => buildQuery(securityRoutes.figures)
export const integrityQuery = () => buildQuery(securityRoutes.integrity)

const reads = ['/api/security', '/api/admin/logs']

/** Fetches again what is shown of events and of the log; resolves when it is there. */
export const refetchSecurity = (client: QueryClient) =>
  client.invalidateQueries({
    predicate: ({ queryKey: [first] }) =>
      typeof first === 'string' && reads.some((read) => first === read || first.startsWith(`${read}/`)),
  })
