import { dayRangeNames, resolveDayRange } from '#contract/day-ranges.ts'
import { SubmissionsQuery, VerificationsQuery } from '#contract/schemas/kyc-reviews.ts'
import { OrdersQuery } from '#contract/schemas/orders.ts'
import { EventsQuery, LogsQuery } from '#contract/schemas/security.ts'
import { PlatformTransactionsQuery, TransactionsQuery } from '#contract/schemas/transactions.ts'
import { MembersQuery } from '#contract/schemas/members.ts'
import { memberFilters } from '#contract/members.ts'
import type { ViewList } from '#contract/views.ts'
import { countUpTo } from '#server/db/list-rows.ts'
import type { ListRequest } from '#server/db/list.ts'
import type { Reads } from '#server/db/reads.ts'
import { buildSubmissionList, buildVerificationList } from '#server/features/kyc/service.ts'
import { buildOrderList } from '#server/features/orders/service.ts'
import { buildEventList, buildLogList } from '#server/features/security/service.ts'
import { buildChainTransactionList, buildPlatformTransactionList } from '#server/features/transactions/service.ts'
import { buildMemberList } from '#server/features/members/service.ts'
import { todayIn } from '#server/lib/calendar.ts'

/** Parameters of an address. */
type Parameters = Readonly<Record<string, string | undefined>>

const isMemberFilter = (status: string | undefined): status is keyof typeof memberFilters =>
  status !== undefined && Object.hasOwn(memberFilters, status)

/** What the address says of the state of events, where it is not a state. */
const eventViews: Readonly<Record<string, Parameters>> = {
  '': { resolved: 'false', together: 'true' },
  each: { resolved: 'false' },
}

/** For each list, the list that its address asks for. A schema throws at what is no longer a filter. */
const requests: Record<ViewList, (given: Parameters) => ListRequest> = {
  users: ({ status, ...given }) =>
    buildMemberList(MembersQuery.parse({ ...given, ...(isMemberFilter(status) && memberFilters[status].query) })),
  orders: (given) => buildOrderList(OrdersQuery.parse(given)),
  chainTransactions: ({ token, ...given }) =>
    buildChainTransactionList(TransactionsQuery.parse({ ...given, tokenAddress: token })),
  platformTransactions: (given) => buildPlatformTransactionList(PlatformTransactionsQuery.parse(given)),
  submissions: (given) => buildSubmissionList(SubmissionsQuery.parse(given)),
  verifications: (given) => buildVerificationList(VerificationsQuery.parse(given)),
  securityEvents: ({ status, resolved, ...given }) =>
    buildEventList(EventsQuery.parse({ ...given, severity: status, ...(eventViews[resolved ?? ''] ?? { resolved }) })),
  adminLogs: ({ status, search, ...given }) =>
    buildLogList(LogsQuery.parse({ ...given, action: status, actor: search })),
}

/** The address with the days of its range, seen from today. */
function resolveDays({ created, from, to, ...given }: Parameters, timeZone: string): Parameters {
  const range = dayRangeNames.find((name) => name === created)
  const days = range ? resolveDayRange(range, todayIn(timeZone, new Date()).today) : { from, to }
  return { ...given, ...days, timeZone }
}

/** Rows counted one by one before counting ends. */
const mostCounted = 10_000

/** How many rows a saved view has now. Null: a filter of it is no longer one. */
export async function countView(reads: Reads, list: ViewList, search: string, timeZone: string) {
  const given: Parameters = Object.fromEntries(new URLSearchParams(search))
  let request: ListRequest
  try {
    request = requests[list](resolveDays(given, timeZone))
  } catch {
    return { total: null, totalExact: true }
  }
  const total = await countUpTo(reads, request, mostCounted)
  return total > mostCounted ? { total: mostCounted, totalExact: false } : { total, totalExact: true }
}
