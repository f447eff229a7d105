import { sql } from 'drizzle-orm'
import type { BankPart } from '#contract/schemas/reconciliation.ts'
import type { RestoredPart } from '#contract/schemas/restored-part.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { readStoredLines } from '#server/features/bank/stored-line.ts'
import { readDatabaseTime, readOrdersById } from '#server/features/orders/service.ts'
import { type PartRow, readPartRows, toBankPart } from './part-rows.ts'
import { getCreditId, planRestorations, readLinkedParts, showRestorations } from './restore-parts.ts'

/** The orders that parts of a decision are parts of. */
export const listOrderIds = (parts: readonly PartRow[]): string[] => [
  ...new Set(parts.flatMap(({ orderId }) => orderId ?? [])),
]

/** What undoing the part would bring back now. */
async function readRestored(db: Db | Tx, part: PartRow): Promise<RestoredPart[]> {
  const linked = await readLinkedParts(db, part)
  if (linked.undone.length === 0) return []
  const [credit] = await readStoredLines(db, sql`WHERE l.id = ${getCreditId(part)}`)
  const orders = await readOrdersById(db, listOrderIds(linked.undone))
  const facts = { credit: credit!, orders, now: await readDatabaseTime(db) }
  return showRestorations(await planRestorations(db, part, linked, facts), credit!)
}

/** The parts of a line, newest first, with those undone. */
export async function readParts(db: Db | Tx, lineId: string): Promise<BankPart[]> {
  const rows = await readPartRows(db, sql`WHERE p.line_id = ${lineId} ORDER BY p.id DESC`)
  const parts: BankPart[] = []
  for (const row of rows) parts.push(toBankPart(row, await readRestored(db, row)))
  return parts
}
