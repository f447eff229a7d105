import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { pageSize } from '#contract/common.ts'
import { securityRoutes, severities } from '#contract/security.ts'
import type { createdSorts } from '#contract/sorts.ts'
import { buildQuery } from '#web/api.ts'
import { withZone } from '#web/lib/dates.ts'
import { refetchReads } from '#web/refetch-reads.ts'

type CreatedSort = keyof typeof createdSorts

interface SecurityListState {
  /** The filter's value, as it stands in the address bar; empty is not a filter. */
  status: string
  /** Days of the browser's time zone. */
  from: string | undefined
  to: string | undefined
  sort: CreatedSort | undefined
  page: number
}

/** Which events are shown: those that nobody has resolved yet, equal ones together, unless the address bar asks for others. */
export const eventViews = ['each', 'true', 'all'] as const
export type EventView = (typeof eventViews)[number] | undefined

export const buildEventFilter = ({ status, from, to, sort }: Omit<SecurityListState, 'page'>, view: EventView) => ({
  severity: severities.find((known) => known === status),
  resolved: view === 'true' || view === 'all' ? view : 'false',
  together: view === undefined ? ('true' as const) : undefined,
  ...withZone({ from, to }),
  sort,
})

/** One page of the events. The old rows stay until the new ones come. */
export const eventsQuery = ({ page, ...state }: SecurityListState, view: EventView) => ({
  ...buildQuery(securityRoutes.events, { query: { ...buildEventFilter(state, view), page, limit: pageSize } }),
  placeholderData: keepPreviousData,
})

interface LogListState extends SecurityListState {
  /** The whole name of who acted; empty is everybody. */
  search: string
  /** An order's number, a member, or the id of what else something was done to. */
  target: string | undefined
  /** The id of the row that the list begins with. */
  upTo: string | undefined
  altered: 'true' | undefined
}

export const buildLogFilter = ({
  status,
  search,
  target,
  from,
  to,
  upTo,
  altered,
  sort,
}: Omit<LogListState, 'page'>) => ({
  action: status,
  actor: search || undefined,
  target,
  ...withZone({ from, to }),
  upTo,
  altered,
  sort,
})

/** One page of what operators did; `status` names a family of actions. */
export const logsQuery = (state: LogListState) => ({
  ...buildQuery(securityRoutes.logs, { query: { ...buildLogFilter(state), page: state.page, limit: pageSize } }),
  placeholderData: keepPreviousData,
})

export const figuresQuery = () => buildQuery(securityRoutes.figures)
export const integrityQuery = () => buildQuery(securityRoutes.integrity)

/** Fetches again what is shown of events and of the log; resolves when it is there. */
export const refetchSecurity = (client: QueryClient) => refetchReads(client, '/api/security', '/api/admin/logs')
