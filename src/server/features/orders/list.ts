import { noticeHours } from '#contract/notices.ts'
import { orderStatuses, type OrderStatus } from '#contract/order-moves.ts'
import type { Order, OrdersQuery } from '#contract/schemas/orders.ts'
import type { Ctx } from '#server/core/context.ts'
import { type ListAsked, type ListDesign, type ListFilter, readList } from '#server/db/list.ts'
import { expressions } from '#server/db/select.ts'
import { readTyped } from '#server/search/typed.ts'
import { orderColumns, orderUserColumns } from './columns.ts'

const orderList: ListDesign = {
  name: 'orders',
  table: 'orders',
  at: 'created_at',
  select: { ...expressions(orderColumns, 't'), ...expressions(orderUserColumns, 'm') },
  join: 'JOIN members m ON m.id = t.member_id',
  matches: 't.search LIKE search_pattern($1)',
}

const plainNumber = 'plain_code(t.order_number) COLLATE "C"'
const plainIban = 'plain_code(t.iban) COLLATE "C"'

/** What else an order is found by: its whole number, its amount, and the account it is to be paid to, or its beginning. */
function keysOf(search: string): string[] {
  const { isCode, iban, amount } = readTyped(search)
  const ofCurrency = amount?.currency ? `AND t.currency = '${amount.currency}'` : ''
  return [
    ...(isCode ? [`${plainNumber} = plain_code($1)`] : []),
    // `[` follows the letters.
    ...(iban ? [`${plainIban} >= '${iban}' AND ${plainIban} < '${iban}['`] : []),
    ...(amount ? [`t.investment_amount IN (${amount.decimals.join(', ')}) ${ofCurrency}`] : []),
  ]
}

// Leaves are the statuses.
const filterOf = (status: OrderStatus): ListFilter => ({ rows: `t.status = '${status}'`, leaves: `leaf = '${status}'` })
const byStatus = new Map(orderStatuses.map((status) => [status, filterOf(status)]))

/** By the database's clock, which also decides what has expired; never more than a day's orders (index `orders_due`). */
const expiringSoon = `t.status = 'waiting_payment' AND t.expires_at > now()
  AND t.expires_at <= now() + interval '${noticeHours} hours'`

export function askOrders({ search, status, expiring, userId }: Partial<OrdersQuery>): ListAsked {
  const filter = status && byStatus.get(status)
  const filters = [
    ...(filter ? [filter] : []),
    ...(expiring ? [{ rows: expiringSoon }] : []),
    ...(userId ? [{ rows: 't.member_id = $value', value: userId }] : []),
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
  const { rows: orders, ...rest } = await readList<Order>(reads, askOrders(query), query)
  return { orders, ...rest }
}
