import { sql } from 'drizzle-orm'
import type { BankPart } from '#contract/schemas/reconciliation.ts'
import type { RestoredPart } from '#contract/schemas/restored-part.ts'
import { textArray } from '#server/core/upsert.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { toUnits } from '#server/lib/decimal.ts'
import { readStoredLines } from '#server/features/bank/stored-line.ts'
import { readDatabaseTime, readOrdersById } from '#server/features/orders/service.ts'
import { type PartRow, readPartRows, toBankPart } from './part-rows.ts'
import { getChangedId, planRestorations, readLinkedParts, showRestorations } from './restore-parts.ts'

type PaidTwice = BankPart['paidTwice']

/** The orders that parts of a decision are parts of. */
export const listOrderIds = (parts: readonly PartRow[]): string[] => [
  ...new Set(parts.flatMap(({ orderId }) => orderId ?? [])),
]

/** What undoing the part would bring back now. */
async function readRestored(db: Db | Tx, part: PartRow): Promise<RestoredPart[]> {
  const linked = await readLinkedParts(db, part)
  if (linked.undone.length === 0) return []
  const [stored] = await readStoredLines(db, sql`WHERE l.id = ${getChangedId(part)}`)
  const orders = await readOrdersById(db, listOrderIds(linked.undone))
  const facts = { stored: stored!, orders, now: await readDatabaseTime(db) }
  return showRestorations(await planRestorations(db, part, linked, facts), stored!)
}

/** Once the payment is undone, these could pay the order instead of going back. */
async function readPaidTwice(db: Db | Tx, { purpose, orderId, lineId, undoneAt }: PartRow): Promise<PaidTwice> {
  if (purpose !== 'order' || undoneAt !== null) return []
  const ofOrder = sql`WHERE p.order_id = ${orderId} AND p.line_id <> ${lineId} AND p.purpose = 'refund' AND p.cause = 'duplicate'
    AND p.undone_at IS NULL ORDER BY p.id`
  const due = (await readPartRows(db, ofOrder))
    .map((row) => toBankPart(row))
    .filter(({ refundDue }) => !isNothing(refundDue))
  const lines = await readStoredLines(db, sql`WHERE l.id = ANY(${textArray(due.map((part) => part.lineId))}::bigint[])`)
  return due.map((part) => ({
    lineId: part.lineId,
    bookedOn: lines.find(({ id }) => id === part.lineId)?.line.bookedOn ?? null,
    amount: part.refundDue!,
    currency: part.currency,
  }))
}

const isNothing = (amount: string | null) => amount === null || toUnits(amount) === 0n

/** The parts of a line, newest first, with those undone. */
export async function readParts(db: Db | Tx, lineId: string): Promise<BankPart[]> {
  const rows = await readPartRows(db, sql`WHERE p.line_id = ${lineId} ORDER BY p.id DESC`)
  const parts: BankPart[] = []
  for (const row of rows)
    parts.push(toBankPart(row, { restores: await readRestored(db, row), paidTwice: await readPaidTwice(db, row) }))
  return parts
}
