import * as z from 'zod/mini'
import { dayRangeNames, resolveDayRange } from '#contract/day-ranges.ts'
import { SubmissionsQuery, VerificationsQuery } from '#contract/schemas/kyc-reviews.ts'
import { OrdersQuery } from '#contract/schemas/orders.ts'
import { EventsQuery, LogsQuery } from '#contract/schemas/security.ts'
import { PlatformTransactionsQuery, TransactionsQuery } from '#contract/schemas/transactions.ts'
import { MembersQuery } from '#contract/schemas/members.ts'
import { memberFilters } from '#contract/members.ts'
import type { ListDesign } from '#contract/list.ts'
import {
  adminLogList,
  chainTransactionList,
  memberList,
  messageList,
  orderList,
  platformTransactionList,
  securityEventList,
  submissionList,
  verificationList,
} from '#contract/lists.ts'
import { MessagesQuery } from '#contract/schemas/messages.ts'
import type { ListCounts, ListSums, ShownList } from '#contract/schemas/views.ts'
import { type ViewList, viewLists } from '#contract/views.ts'
import { type Ctx, mayView } from '#server/core/context.ts'
import { countForPage, sumList } from '#server/db/list-rows.ts'
import type { ListRequest } from '#server/db/list.ts'
import type { Reads } from '#server/db/reads.ts'
import { buildSubmissionList, buildVerificationList } from '#server/features/kyc/service.ts'
import { buildMessageList } from '#server/features/messages/service.ts'
import { buildOrderList } from '#server/features/orders/service.ts'
import { buildEventList, buildLogList } from '#server/features/security/service.ts'
import { buildChainTransactionList, buildPlatformTransactionList } from '#server/features/transactions/service.ts'
import { buildMemberList } from '#server/features/members/service.ts'
import { AppError } from '#server/lib/errors.ts'
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

/** A filter that the list does not have is refused too. */
const parse = <Query extends z.ZodMiniObject>(query: Query, given: object) =>
  z.catchall(query, z.never()).parse(given) as z.output<Query>

/** For each list, the list that its address asks for. A schema throws at what is no longer a filter. */
const requests: Record<ViewList, (given: Parameters) => ListRequest> = {
  users: ({ status, ...given }) =>
    buildMemberList(parse(MembersQuery, { ...given, ...(isMemberFilter(status) && memberFilters[status].query) })),
  orders: (given) => buildOrderList(parse(OrdersQuery, given)),
  chainTransactions: ({ token, ...given }) =>
    buildChainTransactionList(parse(TransactionsQuery, { ...given, tokenAddress: token })),
  platformTransactions: (given) => buildPlatformTransactionList(parse(PlatformTransactionsQuery, given)),
  submissions: (given) => buildSubmissionList(parse(SubmissionsQuery, given)),
  verifications: (given) => buildVerificationList(parse(VerificationsQuery, given)),
  securityEvents: ({ status, resolved, ...given }) =>
    buildEventList(parse(EventsQuery, { ...given, severity: status, ...(eventViews[resolved ?? ''] ?? { resolved }) })),
  adminLogs: ({ status, search, ...given }) =>
    buildLogList(parse(LogsQuery, { ...given, action: status, actor: search })),
  messages: ({ status, ...given }) => buildMessageList(parse(MessagesQuery, { ...given, state: status })),
}

/** The address with the days of its range, seen from today. */
function resolveDays({ created, from, to, ...given }: Parameters, timeZone: string): Parameters {
  const range = dayRangeNames.find((name) => name === created)
  const days = range ? resolveDayRange(range, todayIn(timeZone, new Date()).today) : { from, to }
  return { ...given, ...days, timeZone }
}

const designs: Record<ViewList, ListDesign> = {
  users: memberList,
  orders: orderList,
  chainTransactions: chainTransactionList,
  platformTransactions: platformTransactionList,
  submissions: submissionList,
  verifications: verificationList,
  securityEvents: securityEventList,
  adminLogs: adminLogList,
  messages: messageList,
}

/** The list that an address asks for; null where the list has not all of its filters. */
function readRequest(list: ViewList, given: Parameters, timeZone: string): ListRequest | null {
  try {
    return requests[list](resolveDays(given, timeZone))
  } catch {
    return null
  }
}

/** How many rows a saved view has now. Null: a filter of it is no longer one. */
export async function countView(reads: Reads, list: ViewList, search: string, timeZone: string) {
  const request = readRequest(list, Object.fromEntries(new URLSearchParams(search)), timeZone)
  return request ? countForPage(reads, request) : { total: null, totalExact: true }
}

/** Throws forbidden. */
export function requireView(ctx: Ctx, list: ViewList): void {
  if (!mayView(ctx, viewLists[list].view)) throw new AppError('forbidden', 'You may not view this list')
}

/** How many rows each value of a list's filters would show under its other filters. Throws forbidden. */
export async function countValues(ctx: Ctx, { list, search, timeZone = 'UTC' }: ShownList): Promise<ListCounts> {
  requireView(ctx, list)
  const given: Parameters = Object.fromEntries(new URLSearchParams(search))
  const counts: ListCounts['counts'] = {}
  for (const [name, filter] of Object.entries(designs[list].filters)) {
    if (!('labels' in filter) || filter.name === undefined) continue
    const parameter = filter.parameter ?? name
    const ofFilter: (typeof counts)[string] = {}
    // One after the other: a menu takes one connection.
    for (const value of Object.keys(filter.labels)) {
      const request = readRequest(list, { ...given, [parameter]: value }, timeZone)
      if (request) ofFilter[value] = await countForPage(ctx.reads, request)
    }
    counts[parameter] = ofFilter
  }
  return { counts }
}

/** What the rows of a list are together; of an address that asks for no list nothing. Throws forbidden. */
export async function sumView(ctx: Ctx, { list, search, timeZone = 'UTC' }: ShownList): Promise<ListSums> {
  requireView(ctx, list)
  const request = readRequest(list, Object.fromEntries(new URLSearchParams(search)), timeZone)
  return { sums: request ? await sumList(ctx.reads, request) : [] }
}
