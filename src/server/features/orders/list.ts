import { getTableColumns } from 'drizzle-orm'
import { expiringOrderHours } from '#contract/notices.ts'
import type { ExpiryWindow } from '#contract/orders.ts'
import type { ListedOrder, OrdersQuery } from '#contract/schemas/orders.ts'
import type { orderSorts } from '#contract/sorts.ts'
import type { Ctx } from '#server/core/context.ts'
import { declareCounts } from '#server/db/counts.ts'
import { filterAmounts, filterDays } from '#server/db/list-rows.ts'
import { type ListRequest, type ListDesign, type ListOrder, dateOrders, readList } from '#server/db/list.ts'
import { expressions } from '#server/db/select.ts'
import { orders } from '#server/db/tables/orders.ts'
import { parseSearchText } from '#server/search/search-terms.ts'
import { members } from '#server/db/tables/members.ts'
import { omit } from '#server/lib/omit.ts'

/** The fields of an order (product 6.5): all columns except those that only the database uses. */
export const orderColumns = {
  ...omit(getTableColumns(orders), ['memberId', 'changedIn', 'memberSearch', 'search']),
  userId: orders.memberId,
}

/** The member's current data. */
export const orderMemberColumns = {
  userFirstName: members.legalFirstName,
  userLastName: members.legalLastName,
  userEmail: members.email,
  userMembershipId: members.membershipId,
  userBanned: members.banned,
  userBannedReason: members.bannedReason,
}

const counts = declareCounts({ name: 'orders', table: orders, at: orders.createdAt, by: { status: orders.status } })

const money = { amount: 't.investment_amount', currency: 't.currency' }

const orderList: ListDesign = {
  ...counts.list,
  select: { ...expressions(orderColumns, 't'), ...expressions(orderMemberColumns, 'm') },
  join: 'JOIN members m ON m.id = t.member_id',
  matches: 't.search LIKE search_pattern($1)',
  money,
}

const plainNumber = 'plain_code(t.order_number) COLLATE "C"'
const plainIban = 'plain_code(t.iban) COLLATE "C"'

/** Other ways to find an order: by its whole number, its amount, and the beginning of the IBAN to pay to. */
function keysOf(search: string): string[] {
  const { isCode, iban, amount } = parseSearchText(search)
  const ofCurrency = amount?.currency ? `AND t.currency = '${amount.currency}'` : ''
  return [
    ...(isCode ? [`${plainNumber} = plain_code($1)`] : []),
    // `[` is the character after `Z`.
    ...(iban ? [`${plainIban} >= '${iban}' AND ${plainIban} < '${iban}['`] : []),
    ...(amount ? [`t.investment_amount IN (${amount.decimals.join(', ')}) ${ofCurrency}`] : []),
  ]
}

/** How much is invested by state and currency. */
export const orderMoney = declareCounts({
  name: 'order_money',
  table: orders,
  at: null,
  by: { status: orders.status, currency: orders.currency },
  amount: orders.investmentAmount,
})

const selectSums = (wanted: Parameters<typeof orderMoney.leaves>[0]) =>
  `SELECT ${orderMoney.part('currency')} AS currency, amount, rows
    FROM ${orderMoney.all} c WHERE ${orderMoney.leaves(wanted)}`

const inHours = (hours: number) => `now() + interval '${hours} hours'`
const expires = (condition: string) => `t.status = 'waiting_payment' AND ${condition}`

/** Compares with the database's clock. Few orders wait, and the index `orders_due` has just these. */
export const expiryConditions: Record<ExpiryWindow, string> = {
  '24h': expires(`t.expires_at > now() AND t.expires_at <= ${inHours(expiringOrderHours)}`),
  '48h': expires(
    `t.expires_at > ${inHours(expiringOrderHours)} AND t.expires_at <= ${inHours(2 * expiringOrderHours)}`,
  ),
  later: expires(`t.expires_at > ${inHours(2 * expiringOrderHours)}`),
}

/** Orders that wait for no payment come after all that do (index `orders_soonest`). */
const dueAt = `(CASE t.status WHEN 'waiting_payment' THEN t.expires_at ELSE 'infinity'::timestamptz END)`
const amounts = ['t.currency', 't.investment_amount']

const orderOrders: Record<keyof typeof orderSorts, ListOrder> = {
  ...dateOrders,
  largest: { by: amounts },
  smallest: { by: amounts, isAscending: true },
  expiring: { by: [dueAt], isAscending: true },
}

export function buildOrderList({
  search,
  status,
  expiring,
  userId,
  sort = 'newest',
  ...ranges
}: Partial<OrdersQuery>): ListRequest {
  const others = [
    ...(expiring ? [{ rows: expiryConditions[expiring], leaves: null }] : []),
    ...(userId ? [{ rows: 't.member_id = $value', leaves: null, value: userId }] : []),
    ...filterDays(ranges),
    ...filterAmounts(money, ranges),
  ]
  const list = { ...orderList, order: orderOrders[sort], ...(search && { keys: keysOf(search) }) }
  const isCounted = !search && others.length === 0
  return {
    list,
    filters: [counts.filter({ status }), ...others],
    typed: search,
    ...(isCounted && { sums: selectSums({ status }) }),
  }
}

/** How many orders `expiring=24h` lists (product 3.6). */
export async function countExpiring({ database }: Ctx): Promise<number> {
  const text = `SELECT count(*)::int AS count FROM orders t WHERE ${expiryConditions['24h']}`
  const { rows } = await database.pool.query<{ count: number }>({ name: 'orders_expiring', text })
  return rows[0]!.count
}

/** How many lines of the bank are work and may pay an order that waits for payment. */
export const waitingLines = `CASE WHEN t.status = 'waiting_payment' THEN (SELECT count(*)::int FROM bank_lines l
  WHERE l.state IN ('open', 'part') AND l.direction = 'credit' AND l.proposed_orders @> ARRAY[t.order_number]) ELSE 0 END`

/** What waits for a second operator, by the index of the targets of requests. */
const waitingApprovals = `ARRAY(SELECT a.action FROM approvals a
  WHERE a.target_type = 'order' AND a.target_id = t.id::text AND a.state = 'open' AND a.expires_at > now() ORDER BY a.id)`

/** Orders, newest first (product 5.5, 4.4). */
export async function listOrders({ reads }: Ctx, query: OrdersQuery) {
  const { list, ...request } = buildOrderList(query)
  const design = { ...list, select: { ...list.select, waitingLines, waitingApprovals } }
  const { rows: orders, ...rest } = await readList<ListedOrder>(reads, { ...request, list: design }, query)
  return { orders, ...rest }
}
