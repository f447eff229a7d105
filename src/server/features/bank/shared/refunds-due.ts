import { sql } from 'drizzle-orm'
import type { RefundDue } from '#contract/schemas/bank-candidates.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { formatMoney } from '#server/db/select.ts'

/** SQL: whether something of the line is to be paid back. Its allocations keep `refund_due`: what refunds say less what has gone out. */
export const isDue = (line: string) => `${line}.refund_due > 0`

const active = (allocation: string) => `${allocation}.purpose = 'refund' AND ${allocation}.undone_at IS NULL`

/** SQL: the active allocations `d` of money out that pay back what is due on the line with this id. */
export const selectPaidBack = (columns: string, lineId: string): string =>
  `SELECT ${columns} FROM bank_allocations d WHERE d.other_line_id = ${lineId} AND d.direction = 'debit' AND ${active('d')}`

/**
 * SQL: the active refunds of money that came in, with what of each is `due`: has not gone out. What went out pays the earliest
 * refund of its line first.
 */
export const refundRows = `SELECT r.id, r.line_id, r.order_id, r.cause, r.amount,
    greatest(least(r.amount, r.up_to - coalesce((${selectPaidBack('sum(d.amount)', 'r.line_id')}), 0)), 0) AS due
  FROM (SELECT p.*, sum(p.amount) OVER (PARTITION BY p.line_id ORDER BY p.id) AS up_to FROM bank_allocations p
    WHERE p.direction = 'credit' AND ${active('p')}) r`

/** SQL: the latest transfer that paid back money of the line with this id and came back, as `TransferReturn`; null where none did. */
export const selectReturn = (lineId: string): string => `SELECT json_build_object('lineId', x.id::text,
    'bookedOn', coalesce(x.booked_on, x.value_on)::text, 'reason', x.details ->> 'returnReason')
  FROM bank_allocations d JOIN bank_allocations r ON r.other_line_id = d.line_id AND r.made_with = d.undone_with
    JOIN bank_lines x ON x.id = r.line_id
  WHERE d.other_line_id = ${lineId} AND d.direction = 'debit' AND d.purpose = 'refund' AND r.purpose = 'return'
    AND r.direction = 'credit' AND r.undone_at IS NULL ORDER BY r.id DESC LIMIT 1`

/** SQL: the refunds of a line that are due, as `RefundDue`, the earliest first. */
export const selectRefundsDue = (lineId: string): string => `SELECT coalesce(json_agg(json_build_object(
    'id', f.id::text, 'order', CASE WHEN f.order_id IS NOT NULL
      THEN json_build_object('id', f.order_id::text, 'orderNumber', o.order_number) END,
    'cause', f.cause, 'amount', ${formatMoney('f.amount')}, 'due', ${formatMoney('f.due')},
    'returned', (${selectReturn('f.line_id')})) ORDER BY f.id), '[]')
  FROM (${refundRows}) f LEFT JOIN orders o ON o.id = f.order_id WHERE f.line_id = ${lineId} AND f.due > 0`

/** The refunds that are due on each of these lines, by its id. */
export async function readRefundsDue(db: Db | Tx, lineIds: readonly string[]): Promise<Map<string, RefundDue[]>> {
  if (lineIds.length === 0) return new Map()
  const { rows } = await db.execute<{ id: string; refunds: RefundDue[] }>(sql`
    SELECT l.id::text, (${sql.raw(selectRefundsDue('l.id'))}) AS refunds
    FROM bank_lines l WHERE l.id = ANY(${textArray(lineIds)}::bigint[])`)
  return new Map(rows.map(({ id, refunds }) => [id, refunds]))
}
