import { noticeHours } from '#contract/notices.ts'
import type { Order, OrdersQuery } from '#contract/schemas/orders.ts'
import type { Ctx } from '#server/core/context.ts'
import { declareCounts } from '#server/db/counts.ts'
import { type ListRequest, type ListDesign, readList } from '#server/db/list.ts'
import { expressions } from '#server/db/select.ts'
import { orders } from '#server/db/tables/orders.ts'
import { parseSearchText } from '#server/search/search-terms.ts'
import { orderColumns, orderUserColumns } from './columns.ts'

const counts = declareCounts({ name: 'orders', table: orders, at: orders.createdAt, by: { status: orders.status } })

const orderList: ListDesign = {
  ...counts.list,
  select: { ...expressions(orderColumns, 't'), ...expressions(orderUserColumns, 'm') },
  join: 'JOIN members m ON m.id = t.member_id',
  matches: 't.search LIKE search_pattern($1)',
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

/** Compares with the database's clock. At most one day of orders matches (index `orders_due`). */
const expiringSoon = `t.status = 'waiting_payment' AND t.expires_at > now()
  AND t.expires_at <= now() + interval '${noticeHours} hours'`

export function buildOrderList({ search, status, expiring, userId }: Partial<OrdersQuery>): ListRequest {
  const filters = [
    counts.filter({ status }),
    ...(expiring ? [{ rows: expiringSoon, leaves: null }] : []),
    ...(userId ? [{ rows: 't.member_id = $value', leaves: null, value: userId }] : []),
  ]
  return { list: search ? { ...orderList, keys: keysOf(search) } : orderList, filters, typed: search }
}

/** How many orders `expiring` lists (product 3.6). */
export async function countExpiring({ database }: Ctx): Promise<number> {
  const text = `SELECT count(*)::int AS count FROM orders t WHERE ${expiringSoon}`
  const { rows } = await database.pool.query<{ count: number }>({ name: 'orders_expiring', text })
  return rows[0]!.count
}

/** Orders, newest first (product 5.5, 4.4). */
export async function listOrders({ reads }: Ctx, query: OrdersQuery) {
  const { rows: orders, ...rest } = await readList<Order>(reads, buildOrderList(query), query)
  return { orders, ...rest }
}
