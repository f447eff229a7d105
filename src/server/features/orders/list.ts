import { noticeHours } from '#contract/notices.ts'
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

/** By the database's clock, which also decides what has expired; never more than a day's orders (index `orders_due`). */
const expiringSoon = `t.status = 'waiting_payment' AND t.expires_at > now()
  AND t.expires_at <= now() + interval '${noticeHours} hours'`

export function askOrders({ search, status, expiring }: Partial<OrdersQuery>): ListAsked {
  const filter = status && byStatus.get(status)
  const filters = [...(filter ? [filter] : []), ...(expiring ? [{ rows: expiringSoon }] : [])]
  return { list: orderList, filters, typed: search }
}

/** How many orders `expiring` lists (PRODUCT 5.4). */
export async function countExpiring({ database }: Ctx): Promise<number> {
  const text = `SELECT count(*)::int AS count FROM orders t WHERE ${expiringSoon}`
  const { rows } = await database.pool.query<{ count: number }>({ name: 'orders_expiring', text })
  return rows[0]!.count
}

/** Orders, newest first (SPEC Orders list, PRODUCT 3.8). */
export async function listOrders({ database }: Ctx, query: OrdersQuery) {
  const { rows: orders, ...rest } = await readList<Order>(database.pool, askOrders(query), query)
  return { orders, ...rest }
}
