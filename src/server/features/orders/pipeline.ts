import { orderStatuses, type OrderStatus } from '#contract/order-moves.ts'
import { expiryWindows, type ExpiryWindow } from '#contract/orders.ts'
import type { CurrencySum, OrderPipeline } from '#contract/schemas/analytics.ts'
import type { Ctx } from '#server/core/context.ts'
import { formatMoney } from '#server/db/select.ts'
import { expiryConditions, orderMoney } from './list.ts'

type Pipeline = OrderPipeline['states'][number]

const moneyByState = `
  SELECT ${orderMoney.part('status')} AS status, ${orderMoney.part('currency')} AS currency,
    sum(rows)::int AS count, ${formatMoney('sum(amount)')} AS amount
  FROM ${orderMoney.all} c GROUP BY 1, 2 HAVING sum(rows) <> 0 ORDER BY sum(rows) DESC, 2`

const countWindow = (window: ExpiryWindow) =>
  `(SELECT count(*)::int FROM orders t WHERE ${expiryConditions[window]}) AS "${window}"`
const windowCounts = `SELECT ${expiryWindows.map(countWindow).join(', ')}`

/** Orders by state, with their money by currency, and when those that wait expire (product 5.2). */
export async function readPipeline({ database: { pool } }: Ctx): Promise<OrderPipeline> {
  const [money, windows] = await Promise.all([
    pool.query<{ status: OrderStatus; count: number } & CurrencySum>({ name: 'order_pipeline', text: moneyByState }),
    pool.query<OrderPipeline['expiring']>({ name: 'order_windows', text: windowCounts }),
  ])
  const states = orderStatuses.map((status): Pipeline => {
    const rows = money.rows.filter((row) => row.status === status)
    const sums = rows.map(({ currency, amount }) => ({ currency, amount }))
    return { status, count: rows.reduce((sum, row) => sum + row.count, 0), sums }
  })
  return { states, expiring: windows.rows[0]! }
}

const expiringMoney = `
  SELECT t.currency, ${formatMoney('sum(t.investment_amount)')} AS amount
  FROM orders t WHERE ${expiryConditions['24h']} GROUP BY 1 ORDER BY count(*) DESC, 1`

/** The money of the orders that `expiring=24h` lists, by currency. */
export async function sumExpiring({ database: { pool } }: Ctx): Promise<CurrencySum[]> {
  const { rows } = await pool.query<CurrencySum>({ name: 'order_expiring_money', text: expiringMoney })
  return rows
}
