import { sql } from 'drizzle-orm'
import type { RefundCause } from '#contract/bank-allocations.ts'
import type { Ctx } from '#server/core/context.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Tx } from '#server/db/client.ts'
import { formatMoney } from '#server/db/select.ts'
import { refundRows, selectPaidBack } from '#server/features/bank/shared/refunds-due.ts'
import { announceRefunds, lockOrdersById, type RefundChange } from '#server/features/orders/service.ts'
import type { StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { toUnits } from '#server/lib/decimal.ts'

/** A refund that was meant for an order. Amounts are decimal strings. */
interface OrderRefund {
  id: string
  orderId: string
  cause: RefundCause
  amount: string
  due: string
  currency: string
  /** The day of the last transfer that paid back money of its line. */
  paidOn: string | null
}

const paidOn = `(SELECT coalesce(max(coalesce(b.booked_on, b.value_on)), (now() AT TIME ZONE 'UTC')::date)::text
  FROM (${selectPaidBack('d.line_id', 'f.line_id')}) t JOIN bank_lines b ON b.id = t.line_id)`

/** The refunds of some lines that were meant for orders, by their ids. */
interface LineRefunds {
  lineIds: readonly string[]
  refunds: ReadonlyMap<string, OrderRefund>
}

/** A line of which nothing has a purpose has no allocations, and so no refunds. Most lines that are worked are such. */
const listDivided = (lines: ReadonlyMap<string, StoredLine>): string[] =>
  [...lines.values()].flatMap(({ id, allocated }) => (toUnits(allocated) > 0n ? [id] : []))

/** Reads the refunds of locked lines, before allocations of these are made or undone. */
export async function readLineRefunds(tx: Tx, lines: ReadonlyMap<string, StoredLine>): Promise<LineRefunds> {
  return { lineIds: [...lines.keys()], refunds: await readRefunds(tx, listDivided(lines)) }
}

async function readRefunds(tx: Tx, lineIds: readonly string[]): Promise<Map<string, OrderRefund>> {
  if (lineIds.length === 0) return new Map()
  const { rows } = await tx.execute<OrderRefund & Record<string, unknown>>(sql`
    SELECT f.id::text, f.order_id::text AS "orderId", f.cause, ${sql.raw(formatMoney('f.amount'))} AS amount,
      ${sql.raw(formatMoney('f.due'))} AS due, l.currency, ${sql.raw(paidOn)} AS "paidOn"
    FROM (${sql.raw(refundRows)}) f JOIN bank_lines l ON l.id = f.line_id
    WHERE f.line_id = ANY(${textArray(lineIds)}::bigint[]) AND f.order_id IS NOT NULL ORDER BY f.id`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Why refunds were undone, by their ids. */
async function readUndoReasons(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await tx.execute<{ id: string; reason: string }>(
    sql`SELECT id::text, undo_reason AS reason FROM bank_allocations WHERE id = ANY(${textArray(ids)}::bigint[])`,
  )
  return new Map(rows.map(({ id, reason }) => [id, reason]))
}

async function readNamedOrders(tx: Tx, lineIds: readonly string[]): Promise<string[]> {
  if (lineIds.length === 0) return []
  const { rows } = await tx.execute<{ id: string }>(sql`
    SELECT DISTINCT order_id::text AS id FROM bank_allocations
    WHERE line_id = ANY(${textArray(lineIds)}::bigint[]) AND undone_at IS NULL AND order_id IS NOT NULL`)
  return rows.map(({ id }) => id)
}

/**
 * Locks these orders and all that allocations of the locked lines name, in the order of their ids. Refunds of one line share what has gone
 * out, so that a change of one may change the others.
 */
export async function lockLineOrders(
  tx: Tx,
  lines: ReadonlyMap<string, StoredLine>,
  orderIds: readonly string[] = [],
): Promise<void> {
  const named = await readNamedOrders(tx, listDivided(lines))
  await lockOrdersById(tx, [...new Set([...named, ...orderIds])])
}

/** Tells the platform how refunds of locked lines changed: whatever was made and undone, the last event of each says how it stands. */
export async function announceRefundChanges(
  tx: Tx,
  ctx: Ctx,
  { lineIds, refunds: before }: LineRefunds,
  now: string,
): Promise<void> {
  const after = await readRefunds(tx, lineIds)
  const reasons = await readUndoReasons(
    tx,
    [...before.keys()].filter((id) => !after.has(id)),
  )
  const ids = [...new Set([...before.keys(), ...after.keys()])].toSorted((one, other) => Number(one) - Number(other))
  const changes = ids.flatMap((id) => compareRefund(before.get(id), after.get(id), reasons.get(id)))
  if (changes.length > 0) await announceRefunds(tx, ctx, changes, now)
}

function compareRefund(
  before: OrderRefund | undefined,
  after: OrderRefund | undefined,
  undoReason: string | undefined,
): RefundChange[] {
  const { id: refundId, orderId, amount, currency, cause } = (after ?? before)!
  const refund = { refundId, orderId, amount, currency }
  if (!after) return [{ ...refund, change: 'withdrawn', reason: undoReason ?? '' }]
  const outstanding = after.due
  const isPaid = before && toUnits(outstanding) < toUnits(before.due)
  if (isPaid) return [{ ...refund, change: 'paid', outstanding, bookedOn: after.paidOn! }]
  if (before?.due === outstanding) return []
  return [{ ...refund, change: 'due', outstanding, cause }]
}
