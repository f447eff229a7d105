import { sql } from 'drizzle-orm'
import type { BankPart, RestoredPart } from '#contract/schemas/bank-allocations.ts'
import { textArray } from '#server/core/upsert.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { toUnits } from '#server/lib/decimal.ts'
import { readStoredLines, type StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { readDatabaseTime, readOrdersById } from '#server/features/orders/service.ts'
import { type PartRow, readPartRows, toBankPart } from './part-rows.ts'
import { getChangedId, planRestorations, readLinkedParts, readRestoreRules, showRestorations } from './restore-parts.ts'

type PaidTwice = BankPart['paidTwice']

/** The orders that parts of a decision are parts of. */
export const listOrdersOfParts = (parts: readonly PartRow[]): string[] => [
  ...new Set(parts.flatMap(({ orderId }) => orderId ?? [])),
]

/** What undoing each of the parts would bring back now, in their order. */
async function readRestored(db: Db | Tx, parts: readonly PartRow[]): Promise<RestoredPart[][]> {
  const linked = await readLinkedParts(db, parts)
  const undone = linked.flatMap((each) => each.undone)
  if (undone.length === 0) return parts.map(() => [])
  const rules = await readRestoreRules(db, undone)
  const changed = parts.filter((_part, at) => linked[at]!.undone.length > 0)
  const lines = await readLinesById(db, changed.map(getChangedId))
  const orders = await readOrdersById(db, listOrdersOfParts(undone))
  const now = await readDatabaseTime(db)
  return parts.map((part, at) => {
    const stored = lines.get(getChangedId(part))
    return stored
      ? showRestorations(planRestorations(part, linked[at]!, { stored, orders, now, ...rules }), stored)
      : []
  })
}

async function readLinesById(db: Db | Tx, ids: readonly string[]): Promise<Map<string, StoredLine>> {
  const found = ids.length === 0 ? [] : await readStoredLines(db, sql`WHERE l.id = ANY(${textArray(ids)}::bigint[])`)
  return new Map(found.map((line) => [line.id, line]))
}

/** Of each part, once it is undone, what could pay its order instead of going back. */
async function readPaidTwice(db: Db | Tx, parts: readonly PartRow[]): Promise<PaidTwice[]> {
  const orderIds = listOrdersOfParts(parts.filter(isPayment))
  if (orderIds.length === 0) return parts.map(() => [])
  const ofOrders = sql`WHERE p.order_id = ANY(${textArray(orderIds)}::bigint[]) AND p.purpose = 'refund' AND p.cause = 'duplicate'
    AND p.undone_at IS NULL ORDER BY p.id`
  const due = (await readPartRows(db, ofOrders))
    .map((row) => toBankPart(row))
    .filter(({ refundDue }) => refundDue !== null && toUnits(refundDue) > 0n)
  const lines = await readLinesById(
    db,
    due.map(({ lineId }) => lineId),
  )
  return parts.map((part) =>
    due
      .filter(({ order, lineId }) => isPayment(part) && order?.id === part.orderId && lineId !== part.lineId)
      .map(({ lineId, refundDue, currency }) => ({
        lineId,
        bookedOn: lines.get(lineId)?.line.bookedOn ?? null,
        amount: refundDue!,
        currency,
      })),
  )
}

const isPayment = ({ purpose, undoneAt }: PartRow) => purpose === 'order' && undoneAt === null

/** The parts of a line, newest first, with those undone. The number of statements does not grow with the parts. */
export async function readParts(db: Db | Tx, lineId: string): Promise<BankPart[]> {
  const rows = await readPartRows(db, sql`WHERE p.line_id = ${lineId} ORDER BY p.id DESC`)
  const restored = await readRestored(db, rows)
  const paidTwice = await readPaidTwice(db, rows)
  return rows.map((row, at) => toBankPart(row, { restores: restored[at]!, paidTwice: paidTwice[at]! }))
}
