import { orderStatuses, type Order, type OrdersQuery, type OrderStatus } from '#contract/orders.ts'
import type { Ctx } from '#server/context.ts'
import { type ListDesign, type ListFilter, readPage, searchPage } from '#server/db/list.ts'
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

interface OrdersPage {
  orders: Order[]
  total: number
  totalExact: boolean
  page: number
  limit: number
}

/** Orders, newest first (SPEC Orders list, PRODUCT 3.8). Blanks around the typed text don't count. */
export async function listOrders({ database }: Ctx, query: OrdersQuery): Promise<OrdersPage> {
  const { page, limit, status } = query
  const filter = status && byStatus.get(status)
  const filters = filter ? [filter] : []
  const typed = query.search?.trim()
  if (!typed) {
    const { rows: orders, total } = await readPage<Order>(database.pool, orderList, { page, limit, filters })
    return { orders, total, totalExact: true, page, limit }
  }
  const wanted = { page, limit, filters, typed, isTotalWanted: query.total === 'exact' }
  const { rows: orders, total, totalExact } = await searchPage<Order>(database.pool, orderList, wanted)
  return { orders, total, totalExact, page, limit }
}
