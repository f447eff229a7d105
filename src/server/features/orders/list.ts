import { orderStatuses, type Order, type OrdersQuery, type OrderStatus } from '#contract/orders.ts'
import type { Ctx } from '#server/context.ts'
import { type ListAsked, type ListDesign, type ListFilter, readList } from '#server/db/list.ts'
import { expressions } from '#server/db/select.ts'
import { orderColumns, orderUserColumns } from './columns.ts'

const orderList: ListDesign = {
  name: 'orders',
  table: 'orders',
  at: 'created_at',
  select: { ...expressions(orderColumns, 't'), ...expressions(orderUserColumns, 'm') },
  join: 'JOIN members m ON m.id = t.member_id',
  matches: 't.search LIKE search_pattern($1)',
}

// Leaves are the statuses.
const filterOf = (status: OrderStatus): ListFilter => ({ rows: `t.status = '${status}'`, leaves: `leaf = '${status}'` })
const byStatus = new Map(orderStatuses.map((status) => [status, filterOf(status)]))

export function askOrders({ search, status }: Partial<OrdersQuery>): ListAsked {
  const filter = status && byStatus.get(status)
  return { list: orderList, filters: filter ? [filter] : [], typed: search }
}

/** Orders, newest first (SPEC Orders list, PRODUCT 3.8). */
export async function listOrders({ database }: Ctx, query: OrdersQuery) {
  const { rows: orders, ...rest } = await readList<Order>(database.pool, askOrders(query), query)
  return { orders, ...rest }
}
