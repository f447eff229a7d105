import type { ListedTransaction, PlatformTransactionsQuery } from '#contract/schemas/transactions.ts'
import type { platformTransactionSorts } from '#contract/sorts.ts'
import { todayIn } from '#server/lib/calendar.ts'
import type { Ctx } from '#server/core/context.ts'
import { declareCounts } from '#server/db/counts.ts'
import { filterAmounts, filterDays } from '#server/db/list-rows.ts'
import {
  type ListRequest,
  type ListDesign,
  type ListFilter,
  type ListOrder,
  dateOrders,
  readList,
} from '#server/db/list.ts'
import { expressions, jsonObject } from '#server/db/select.ts'
import { platformTransactions } from '#server/db/tables/transactions.ts'
import { memberRefColumns } from '#server/features/members/service.ts'

const { id, type, amount, status, createdAt } = platformTransactions

const counts = declareCounts({ name: 'transactions', table: platformTransactions, at: createdAt, by: { type, status } })

const money = { amount: 't.amount', currency: null }

const design: ListDesign = {
  ...counts.list,
  select: { ...expressions({ id, type, amount, status, createdAt }, 't'), user: jsonObject(memberRefColumns, 'm') },
  join: 'JOIN members m ON m.id = t.member_id',
  matches: 'EXISTS (SELECT FROM members s WHERE s.id = t.member_id AND s.search LIKE search_pattern($1))',
  isFoundByMember: true,
  keys: ['t.id = $1'],
  money,
}

const memberFilter = (userId: string): ListFilter => ({ rows: 't.member_id = $value', leaves: null, value: userId })

/** The same day as the dashboard's "Today's Transactions". */
function filterToday(timeZone: string): ListFilter[] {
  const { today } = todayIn(timeZone, new Date())
  return filterDays({ from: today, to: today, timeZone })
}

const orders: Record<keyof typeof platformTransactionSorts, ListOrder> = {
  ...dateOrders,
  largest: { by: ['t.amount'] },
  smallest: { by: ['t.amount'], isAscending: true },
}

export const buildPlatformTransactionList = (query: Partial<PlatformTransactionsQuery>): ListRequest => ({
  list: { ...design, order: orders[query.sort ?? 'newest'] },
  filters: [
    counts.filter({ type: query.type, status: query.status }),
    ...(query.created ? filterToday(query.timeZone ?? 'UTC') : []),
    ...filterDays(query),
    ...filterAmounts(money, query),
    ...(query.userId ? [memberFilter(query.userId)] : []),
  ],
  typed: query.search,
})

type PlatformTransactionListQuery = Pick<PlatformTransactionsQuery, 'page' | 'limit'> &
  Partial<PlatformTransactionsQuery>

/** Transactions on the members' accounts with the platform, newest first, with their members. */
export async function listPlatformTransactions({ reads }: Ctx, query: PlatformTransactionListQuery) {
  const asked = buildPlatformTransactionList(query)
  const { rows: transactions, ...rest } = await readList<ListedTransaction>(reads, asked, query)
  return { transactions, ...rest }
}
