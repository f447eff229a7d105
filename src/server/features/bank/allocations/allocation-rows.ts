import { type SQL, sql } from 'drizzle-orm'
import type { OrderStatus, PaidVia } from '#contract/order-moves.ts'
import type { PolicyVerdict } from '#contract/bank-allocations.ts'
import type { TransferReturn } from '#contract/schemas/bank-candidates.ts'
import type { BankAllocation } from '#contract/schemas/bank-allocations.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { instant, formatMoney } from '#server/db/select.ts'
import { refundRows, selectPaidBack, selectReturn } from '#server/features/bank/shared/refunds-due.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { findReversalRefusal } from '#server/features/orders/service.ts'
import { AppError, conflict, formatInstant } from '#server/lib/errors.ts'

/** What undoing an allocation would mean for others. */
export type Consequences = Pick<BankAllocation, 'restores' | 'paidTwice'>

type Derived = 'order' | 'returned' | 'undoRefusal' | keyof Consequences

/** An allocation with what decides whether it can be undone. Amounts are decimal strings. */
export interface AllocationRow extends Omit<BankAllocation, Derived> {
  direction: 'credit' | 'debit'
  isThirdParty: boolean
  policyVerdict: PolicyVerdict | null
  /** Names the decision that made it on both lines. */
  madeWith: string | null
  /** Names the decision of the other line that undid it. */
  undoneWith: string | null
  orderId: string | null
  orderNumber: string | null
  memberId: string | null
  orderStatus: OrderStatus | null
  orderPaidVia: PaidVia | null
  orderChangedBy: string | null
  orderChangedAt: string | null
  /** What of its line is to be paid back in all, and what was. */
  lineRefundDue: string
  paidBack: string
  paidBackAt: string | null
  /** The latest transfer of its line that came back. */
  latestReturn: TransferReturn | null
}

const isRefund = `p.purpose = 'refund' AND p.direction = 'credit'`

const columns = sql.raw(`p.id::text, p.line_id::text AS "lineId", p.purpose, p.amount::text, l.currency, p.direction,
  p.order_id::text AS "orderId", o.order_number AS "orderNumber", o.member_id AS "memberId", o.status AS "orderStatus",
  o.paid_via AS "orderPaidVia", o.status_changed_by AS "orderChangedBy",
  ${instant('o.status_changed_at')} AS "orderChangedAt", p.other_line_id::text AS "otherLineId", p.cause, p.code, p.reason,
  p.rule, p.evidence, p.is_third_party AS "isThirdParty",
  p.policy_verdict AS "policyVerdict", p.made_with AS "madeWith", p.undone_with AS "undoneWith", p.made_by AS "madeBy", ${instant('p.made_at')} AS "madeAt", p.undone_by AS "undoneBy",
  ${instant('p.undone_at')} AS "undoneAt", p.undo_reason AS "undoReason",
  l.refund_due::text AS "lineRefundDue",
  CASE WHEN ${isRefund} AND p.undone_at IS NULL THEN (SELECT ${formatMoney('f.due')} FROM (${refundRows}) f
    WHERE f.line_id = p.line_id AND f.id = p.id) END AS "refundDue",
  (${selectPaidBack(formatMoney('coalesce(sum(d.amount), 0)'), 'p.line_id')}) AS "paidBack",
  (${selectPaidBack(instant('max(d.made_at)'), 'p.line_id')}) AS "paidBackAt",
  CASE WHEN ${isRefund} THEN (${selectReturn('p.line_id')}) END AS "latestReturn"`)

/** Allocations with line `l` and order `o`. `rest` follows the joins: a condition, an order. */
export async function readAllocationRows(db: Db | Tx, rest: SQL): Promise<AllocationRow[]> {
  const { rows } = await db.execute<AllocationRow & Record<string, unknown>>(sql`SELECT ${columns}
    FROM bank_allocations p JOIN bank_lines l ON l.id = p.line_id LEFT JOIN orders o ON o.id = p.order_id ${rest}`)
  return rows
}

/** Those of a line that are not undone, newest first. */
export const readActiveRows = (db: Db | Tx, lineId: string): Promise<AllocationRow[]> =>
  readAllocationRows(db, sql`WHERE p.line_id = ${lineId} AND p.undone_at IS NULL ORDER BY p.id DESC`)

/** Why an allocation cannot be undone; null where it can. */
export function findUndoRefusal(row: AllocationRow): AppError | null {
  const { undoneAt, undoneBy, purpose, direction } = row
  if (undoneAt !== null)
    return conflict('allocation_undone', `This part was undone by ${undoneBy} on ${formatInstant(undoneAt)}`)
  if (purpose === 'order')
    return findReversalRefusal({
      orderNumber: row.orderNumber!,
      status: row.orderStatus!,
      paidVia: row.orderPaidVia,
      statusChangedBy: row.orderChangedBy,
      statusChangedAt: row.orderChangedAt,
    })
  if (purpose === 'refund' && direction === 'credit') return findPaidBackRefusal(row)
  return null
}

/** A refund stays while the line without it would have paid back more than is due. */
function findPaidBackRefusal(row: AllocationRow): AppError | null {
  const { amount, lineRefundDue, paidBack, paidBackAt, currency } = row
  if (toUnits(amount) <= toUnits(lineRefundDue)) return null
  return conflict(
    'line_amount',
    `${fromUnits(toUnits(paidBack))} ${currency} of this line were paid back on ${formatInstant(paidBackAt!)}: undo that first`,
  )
}

/** An allocation as calls answer it. */
export function toBankAllocation(row: AllocationRow, consequences: Partial<Consequences> = {}): BankAllocation {
  const { orderId, orderNumber, memberId, refundDue } = row
  return {
    id: row.id,
    lineId: row.lineId,
    purpose: row.purpose,
    amount: row.amount,
    currency: row.currency,
    order: orderId === null ? null : { id: orderId, orderNumber: orderNumber!, userId: memberId! },
    otherLineId: row.otherLineId,
    cause: row.cause,
    refundDue,
    returned: refundDue !== null && toUnits(refundDue) > 0n ? row.latestReturn : null,
    code: row.code,
    reason: row.reason,
    rule: row.rule,
    evidence: row.evidence,
    madeBy: row.madeBy,
    madeAt: row.madeAt,
    undoneBy: row.undoneBy,
    undoneAt: row.undoneAt,
    undoReason: row.undoReason,
    undoRefusal: row.undoneAt === null ? (findUndoRefusal(row)?.message ?? null) : null,
    restores: [],
    paidTwice: [],
    ...consequences,
  }
}
