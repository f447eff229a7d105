import { sql } from 'drizzle-orm'
import type { BankAllocation, RestoredAllocation } from '#contract/schemas/bank-allocations.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { toUnits } from '#server/lib/decimal.ts'
import { readStoredLines, type StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { readDatabaseTime, readOrdersById } from '#server/features/orders/service.ts'
import { type AllocationRow, readAllocationRows, toBankAllocation } from './allocation-rows.ts'
import {
  getChangedId,
  planRestorations,
  readLinkedAllocations,
  readRestoreRules,
  showRestorations,
} from './restore-allocations.ts'

type PaidTwice = BankAllocation['paidTwice']

/** The orders that these allocations name, each once. */
export const listOrdersOfAllocations = (rows: readonly AllocationRow[]): string[] => [
  ...new Set(rows.flatMap(({ orderId }) => orderId ?? [])),
]

/** What undoing each of the allocations would bring back now, in their order. */
async function readRestored(db: Db | Tx, rows: readonly AllocationRow[]): Promise<RestoredAllocation[][]> {
  const linked = await readLinkedAllocations(db, rows)
  const undone = linked.flatMap((each) => each.undone)
  if (undone.length === 0) return rows.map(() => [])
  const rules = await readRestoreRules(db, undone)
  const changed = rows.filter((_row, at) => linked[at]!.undone.length > 0)
  const lines = await readLinesById(db, changed.map(getChangedId))
  const orders = await readOrdersById(db, listOrdersOfAllocations(undone))
  const now = await readDatabaseTime(db)
  return rows.map((row, at) => {
    const stored = lines.get(getChangedId(row))
    return stored ? showRestorations(planRestorations(row, linked[at]!, { stored, orders, now, ...rules }), stored) : []
  })
}

async function readLinesById(db: Db | Tx, ids: readonly string[]): Promise<Map<string, StoredLine>> {
  const found = ids.length === 0 ? [] : await readStoredLines(db, sql`WHERE l.id = ANY(${textArray(ids)}::bigint[])`)
  return new Map(found.map((line) => [line.id, line]))
}

/** Of each allocation, once it is undone, what could pay its order instead of going back. */
async function readPaidTwice(db: Db | Tx, rows: readonly AllocationRow[]): Promise<PaidTwice[]> {
  const orderIds = listOrdersOfAllocations(rows.filter(isPayment))
  if (orderIds.length === 0) return rows.map(() => [])
  const ofOrders = sql`WHERE p.order_id = ANY(${textArray(orderIds)}::bigint[]) AND p.purpose = 'refund' AND p.cause = 'duplicate'
    AND p.undone_at IS NULL ORDER BY p.id`
  const due = (await readAllocationRows(db, ofOrders))
    .map((row) => toBankAllocation(row))
    .filter(({ refundDue }) => refundDue !== null && toUnits(refundDue) > 0n)
  const lineIds = due.map(({ lineId }) => lineId)
  const lines = await readLinesById(db, lineIds)
  return rows.map((row) =>
    due
      .filter(({ order, lineId }) => isPayment(row) && order?.id === row.orderId && lineId !== row.lineId)
      .map(({ lineId, refundDue, currency }) => ({
        lineId,
        bookedOn: lines.get(lineId)?.line.bookedOn ?? null,
        amount: refundDue!,
        currency,
      })),
  )
}

const isPayment = ({ purpose, undoneAt }: AllocationRow) => purpose === 'order' && undoneAt === null

/** The allocations of a line, newest first, with those undone. The number of statements does not grow with the allocations. */
export async function readAllocations(db: Db | Tx, lineId: string): Promise<BankAllocation[]> {
  const rows = await readAllocationRows(db, sql`WHERE p.line_id = ${lineId} ORDER BY p.id DESC`)
  const restored = await readRestored(db, rows)
  const paidTwice = await readPaidTwice(db, rows)
  return rows.map((row, at) => toBankAllocation(row, { restores: restored[at]!, paidTwice: paidTwice[at]! }))
}
