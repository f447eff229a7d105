import { sql } from 'drizzle-orm'
import { RowId } from '#contract/schemas/common.ts'
import type { RestoredAllocation, UndoAllocation, UndoAllocations } from '#contract/schemas/bank-allocations.ts'
import { announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { readLine } from '#server/features/bank/statements/lines.ts'
import { lockOrdersById, readDatabaseTime, readOrders } from '#server/features/orders/service.ts'
import { notFound } from '#server/lib/errors.ts'
import {
  announceRefundChanges,
  lockLineOrders,
  readLineRefunds,
} from '#server/features/bank/refunds/announce-refunds.ts'
import { type ChangedLine, listStatuses } from './apply.ts'
import { lockLines } from './line-rules.ts'
import { findUndoRefusal, type AllocationRow, readAllocationRows } from './allocation-rows.ts'
import { listOrdersOfAllocations } from './read-allocations.ts'
import {
  getChangedId,
  type LinkedAllocations,
  planRestorations,
  readLinkedAllocations,
  readRestoreRules,
  type RestoreFacts,
  type Restoration,
  restoreAllocations,
  showRestorations,
} from './restore-allocations.ts'
import { writeUndo } from './write-allocations.ts'

async function findAllocation(tx: Tx, id: string): Promise<AllocationRow> {
  const [row] = RowId.safeParse(id).success ? await readAllocationRows(tx, sql`WHERE p.id = ${id}`) : []
  if (!row) throw notFound('Payment')
  return row
}

/** Locks the lines of allocations, then the orders that they or what comes back are for. */
async function lockDecisions(tx: Tx, rows: readonly AllocationRow[]) {
  // What a decision undid stays as it is until the decision is undone, so that it is read before its lines are locked.
  const undone = (await readLinkedAllocations(tx, rows)).flatMap((linked) => linked.undone)
  const lineIds = [...rows, ...undone].flatMap(({ lineId, otherLineId }) => [lineId, otherLineId ?? lineId])
  const lines = await lockLines(tx, [...new Set(lineIds)])
  const orderIds = listOrdersOfAllocations([...rows, ...undone])
  await lockLineOrders(tx, lines, orderIds)
  const orders = await lockOrdersById(tx, orderIds)
  return { lines, orders, now: await readDatabaseTime(tx) }
}

/**
 * Undoes an allocation with what its decision did to the line on the other side. A reversal or a return always goes. Where the rest of a
 * refund was closed and cannot be due again, the credit stays as it is.
 */
async function undoDecision(
  tx: Tx,
  ctx: Ctx,
  row: AllocationRow,
  linked: LinkedAllocations,
  restorations: readonly Restoration[],
  facts: RestoreFacts,
  reason: string,
): Promise<void> {
  const isWhole = row.purpose !== 'refund' || restorations.every(({ refusal }) => refusal === null)
  for (const each of [row, ...(isWhole ? linked.made : [])]) await writeUndo(tx, ctx, each, reason, facts.now)
  const restored = restorations.flatMap((each) => (isWhole && each.refusal === null ? [each.row] : []))
  await restoreAllocations(tx, ctx, restored, facts)
}

export interface UndoneAllocation extends ChangedLine {
  restored: RestoredAllocation[]
}

/**
 * Undoes an allocation: line and order are as if it had never been (product 7.10). What the bank had taken back is applied again where
 * the order still takes it. Throws not_found, allocation_undone for one that is undone, and the refusal of the rule that keeps it.
 */
export const undoAllocation = (ctx: Ctx, id: string, { reason }: UndoAllocation): Promise<UndoneAllocation> =>
  inTransaction(ctx, async (tx) => {
    const { lines, orders, now } = await lockDecisions(tx, [await findAllocation(tx, id)])
    const row = await findAllocation(tx, id)
    const refusal = findUndoRefusal(row)
    if (refusal) throw refusal
    const refunds = await readLineRefunds(tx, lines)
    const linked = (await readLinkedAllocations(tx, [row]))[0]!
    const stored = lines.get(getChangedId(row)) ?? lines.get(row.lineId)!
    const facts = { stored, orders, now, ...(await readRestoreRules(tx, linked.undone)) }
    const restorations = planRestorations(row, linked, facts)
    await undoDecision(tx, ctx, row, linked, restorations, facts, reason)
    await announceRefundChanges(tx, ctx, refunds, now)
    const changed = await readOrders(tx, [...orders.keys()])
    const restored = showRestorations(restorations, facts.stored)
    await audit(tx, ctx, {
      action: 'undo_payment',
      target: { type: 'bank_line', id: row.lineId },
      details: {
        allocationId: id,
        purpose: row.purpose,
        amount: `${row.amount} ${row.currency}`,
        ...(row.orderNumber !== null && { orderNumber: row.orderNumber }),
        ...(linked.made.length > 0 && { otherLineId: row.otherLineId }),
        ...(restored.length > 0 && { restored: restored.map(describeRestored) }),
        reason,
        ...(row.orderStatus !== null && { before: { status: row.orderStatus }, after: { status: changed[0]!.status } }),
        ...(row.orderStatus === null &&
          orders.size > 0 && { before: listStatuses([...orders.values()]), after: listStatuses(changed) }),
      },
    })
    await announce(tx, 'bank', 'orders')
    return { line: await readLine(tx, row.lineId), orders: changed, restored }
  })

const describeRestored = ({ purpose, amount, orderNumber, refusal }: RestoredAllocation) => ({
  purpose,
  amount,
  ...(orderNumber !== null && { orderNumber }),
  ...(refusal !== null && { refusal }),
})

/**
 * Undoes allocations of one line in one transaction, each as `undoAllocation` does: all of them or none. Throws not_found for an allocation of another
 * line, and what undoing one of them throws.
 */
export const undoAllocations = (
  ctx: Ctx,
  lineId: string,
  { allocationIds, reason }: UndoAllocations,
): Promise<UndoneAllocation> =>
  inTransaction(ctx, async (tx) => {
    const rows: AllocationRow[] = []
    for (const id of allocationIds) rows.push(await findAllocation(tx, id))
    if (rows.some((row) => row.lineId !== lineId)) throw notFound('Payment')
    // All rows in their order first, so that two who undo the same lines never wait for each other.
    const { orders } = await lockDecisions(tx, rows)
    const restored: RestoredAllocation[] = []
    for (const id of allocationIds) restored.push(...(await undoAllocation({ ...ctx, tx }, id, { reason })).restored)
    return { line: await readLine(tx, lineId), orders: await readOrders(tx, [...orders.keys()]), restored }
  })
