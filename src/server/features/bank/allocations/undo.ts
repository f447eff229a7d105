import { sql } from 'drizzle-orm'
import { RowId } from '#contract/schemas/common.ts'
import type { RestoredPart, UndoPart, UndoParts } from '#contract/schemas/bank-allocations.ts'
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
import { findUndoRefusal, type PartRow, readPartRows } from './part-rows.ts'
import { listOrdersOfParts } from './read-parts.ts'
import {
  getChangedId,
  type LinkedParts,
  planRestorations,
  readLinkedParts,
  readRestoreRules,
  type RestoreFacts,
  type Restoration,
  restoreParts,
  showRestorations,
} from './restore-parts.ts'
import { writeUndo } from './write-parts.ts'

async function findPart(tx: Tx, id: string): Promise<PartRow> {
  const [part] = RowId.safeParse(id).success ? await readPartRows(tx, sql`WHERE p.id = ${id}`) : []
  if (!part) throw notFound('Payment')
  return part
}

/** Locks the lines of parts, then the orders that they or what comes back are for. */
async function lockDecisions(tx: Tx, parts: readonly PartRow[]) {
  // What a decision undid stays as it is until the decision is undone, so that it is read before its lines are locked.
  const undone = (await readLinkedParts(tx, parts)).flatMap((linked) => linked.undone)
  const lineIds = [...parts, ...undone].flatMap(({ lineId, otherLineId }) => [lineId, otherLineId ?? lineId])
  const lines = await lockLines(tx, [...new Set(lineIds)])
  const orderIds = listOrdersOfParts([...parts, ...undone])
  await lockLineOrders(tx, lines, orderIds)
  const orders = await lockOrdersById(tx, orderIds)
  return { lines, orders, now: await readDatabaseTime(tx) }
}

/**
 * Undoes a part with what its decision did to the line on the other side. A reversal or a return always goes. Where the rest of a
 * refund was closed and cannot be due again, the credit stays as it is.
 */
async function undoDecision(
  tx: Tx,
  ctx: Ctx,
  part: PartRow,
  linked: LinkedParts,
  restorations: readonly Restoration[],
  facts: RestoreFacts,
  reason: string,
): Promise<void> {
  const isWhole = part.purpose !== 'refund' || restorations.every(({ refusal }) => refusal === null)
  for (const each of [part, ...(isWhole ? linked.made : [])]) await writeUndo(tx, ctx, each, reason, facts.now)
  const restored = restorations.filter(({ refusal }) => isWhole && refusal === null)
  await restoreParts(
    tx,
    ctx,
    restored.map((each) => each.part),
    facts,
  )
}

export interface UndonePart extends ChangedLine {
  restored: RestoredPart[]
}

/**
 * Undoes a part: line and order are as if it had never been (product 7.10). What the bank had taken back is applied again where
 * the order still takes it. Throws not_found, part_undone for one that is undone, and the refusal of the rule that keeps it.
 */
export const undoPart = (ctx: Ctx, id: string, { reason }: UndoPart): Promise<UndonePart> =>
  inTransaction(ctx, async (tx) => {
    const { lines, orders, now } = await lockDecisions(tx, [await findPart(tx, id)])
    const part = await findPart(tx, id)
    const refusal = findUndoRefusal(part)
    if (refusal) throw refusal
    const refunds = await readLineRefunds(tx, lines)
    const linked = (await readLinkedParts(tx, [part]))[0]!
    const stored = lines.get(getChangedId(part)) ?? lines.get(part.lineId)!
    const facts = { stored, orders, now, ...(await readRestoreRules(tx, linked.undone)) }
    const restorations = planRestorations(part, linked, facts)
    await undoDecision(tx, ctx, part, linked, restorations, facts, reason)
    await announceRefundChanges(tx, ctx, refunds, now)
    const changed = await readOrders(tx, [...orders.keys()])
    const restored = showRestorations(restorations, facts.stored)
    await audit(tx, ctx, {
      action: 'undo_payment',
      target: { type: 'bank_line', id: part.lineId },
      details: {
        partId: id,
        purpose: part.purpose,
        amount: `${part.amount} ${part.currency}`,
        ...(part.orderNumber !== null && { orderNumber: part.orderNumber }),
        ...(linked.made.length > 0 && { otherLineId: part.otherLineId }),
        ...(restored.length > 0 && { restored: restored.map(describeRestored) }),
        reason,
        ...(part.orderStatus !== null && {
          before: { status: part.orderStatus },
          after: { status: changed[0]!.status },
        }),
        ...(part.orderStatus === null &&
          orders.size > 0 && { before: listStatuses([...orders.values()]), after: listStatuses(changed) }),
      },
    })
    await announce(tx, 'bank', 'orders')
    return { line: await readLine(tx, part.lineId), orders: changed, restored }
  })

const describeRestored = ({ purpose, amount, orderNumber, refusal }: RestoredPart) => ({
  purpose,
  amount,
  ...(orderNumber !== null && { orderNumber }),
  ...(refusal !== null && { refusal }),
})

/**
 * Undoes parts of one line in one transaction, each as `undoPart` does: all of them or none. Throws not_found for a part of another
 * line, and what undoing one of them throws.
 */
export const undoParts = (ctx: Ctx, lineId: string, { partIds, reason }: UndoParts): Promise<UndonePart> =>
  inTransaction(ctx, async (tx) => {
    const parts: PartRow[] = []
    for (const id of partIds) parts.push(await findPart(tx, id))
    if (parts.some((part) => part.lineId !== lineId)) throw notFound('Payment')
    // All rows in their order first, so that two who undo the same lines never wait for each other.
    const { orders } = await lockDecisions(tx, parts)
    const restored: RestoredPart[] = []
    for (const id of partIds) restored.push(...(await undoPart({ ...ctx, tx }, id, { reason })).restored)
    return { line: await readLine(tx, lineId), orders: await readOrders(tx, [...orders.keys()]), restored }
  })
