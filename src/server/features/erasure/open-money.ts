import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { refundRows } from '#server/features/bank/service.ts'
import { AppError } from '#server/lib/errors.ts'

/** What is still open with a member's money, each with its number. */
interface OpenMoney {
  orders: number
  received: number
  payments: number
  refunds: number
  transactions: number
  transfers: number
}

async function readOpenMoney(tx: Tx, memberId: string): Promise<OpenMoney> {
  const { rows } = await tx.execute<OpenMoney & Record<string, unknown>>(sql`
    WITH own AS (SELECT id, status, received FROM orders WHERE member_id = ${memberId}),
      allocations AS (SELECT p.* FROM bank_allocations AS p JOIN own ON own.id = p.order_id WHERE p.undone_at IS NULL)
    SELECT
      (SELECT count(*)::int FROM own WHERE status IN ('waiting_payment', 'paid')) AS orders,
      (SELECT count(*)::int FROM own WHERE status IN ('expired', 'cancelled') AND received > 0) AS received,
      (SELECT count(DISTINCT l.id)::int FROM allocations JOIN bank_lines AS l ON l.id = allocations.line_id WHERE l.state = 'part') AS payments,
      (SELECT count(DISTINCT f.line_id)::int FROM (${sql.raw(refundRows)}) AS f JOIN own ON own.id = f.order_id
        WHERE f.due > 0) AS refunds,
      (SELECT count(*)::int FROM platform_transactions
        WHERE member_id = ${memberId} AND status = 'pending') AS transactions,
      (SELECT count(*)::int FROM wallets AS w JOIN chain_transactions AS c ON c.wallet_address = w.address
        WHERE w.member_id = ${memberId} AND c.status = 'pending') AS transfers`)
  return rows[0]!
}

const count = (number: number, one: string, many: string) =>
  number === 0 ? [] : [`${number} ${number === 1 ? one : many}`]

/**
 * Throws money_open, which names all that is open, if money of the member still waits for somebody. `lines` is the
 * number of lines of the bank that name the member and are yet to be worked.
 */
export async function requireNoOpenMoney(tx: Tx, memberId: string, lines: number): Promise<void> {
  const open = await readOpenMoney(tx, memberId)
  const named = [
    ...count(open.orders, 'order that is waiting or paid', 'orders that are waiting or paid'),
    ...count(open.received, 'ended order with money on it', 'ended orders with money on them'),
    ...count(open.payments, 'payment with a rest', 'payments with a rest'),
    ...count(open.refunds, 'refund due', 'refunds due'),
    ...count(lines, 'bank line to be worked', 'bank lines to be worked'),
    ...count(open.transactions, 'pending transaction', 'pending transactions'),
    ...count(open.transfers, 'pending transfer', 'pending transfers'),
  ]
  if (named.length === 0) return
  const message = `The member cannot be erased while money is open: ${listFormat.format(named)}`
  throw new AppError('money_open', message)
}
const listFormat = new Intl.ListFormat('en-GB')
