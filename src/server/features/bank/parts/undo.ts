import { sql } from 'drizzle-orm'
import { RowId } from '#contract/schemas/common.ts'
import type { UndoPart } from '#contract/schemas/reconciliation.ts'
import type { RestoredPart } from '#contract/schemas/restored-part.ts'
import { announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { readLine } from '#server/features/bank/lines.ts'
import { lockOrdersById, readDatabaseTime, readOrders } from '#server/features/orders/service.ts'
import { notFound } from '#server/lib/errors.ts'
import { announceRefundChanges, lockLineOrders, readLineRefunds } from './announce-refunds.ts'
import { type ChangedLine, listStatuses } from './apply.ts'
import { lockLines } from './lock-lines.ts'
import { findUndoRefusal, type PartRow, readPartRows } from './part-rows.ts'
import { listOrderIds } from './read-parts.ts'
import {
  getCreditId,
  type LinkedParts,
  planRestorations,
  readLinkedParts,
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

/** Locks the lines of a part, then the orders that it or what comes back is for. */
async function lockDecision(tx: Tx, found: PartRow) {
  const { lineId, otherLineId } = found
  const lines = await lockLines(tx, otherLineId === null ? [lineId] : [lineId, otherLineId])
  const { undone } = await readLinkedParts(tx, found)
  const orderIds = listOrderIds([found, ...undone])
  await lockLineOrders(tx, lines, orderIds)
  const orders = await lockOrdersById(tx, orderIds)
  return { lines, orders, now: await readDatabaseTime(tx) }
}

/**
 * Undoes a part of money that went out with what its decision did to the credit. A reversal always goes. Where the rest of a
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
  const isWhole = part.purpose === 'reversal' || restorations.every(({ refusal }) => refusal === null)
  for (const each of [part, ...(isWhole ? linked.made : [])]) await writeUndo(tx, ctx, each, reason, facts.now)
  const restored = restorations.filter(({ refusal }) => isWhole && refusal === null)
  await restoreParts(
    tx,
    ctx,
    restored.map((each) => each.part),
    facts,
  )
}

interface UndonePart extends ChangedLine {
  restored: RestoredPart[]
}

/**
 * Undoes a part: line and order are as if it had never been (product 7.10). What the bank had taken back is applied again where
 * the order still takes it. Throws not_found, part_undone for one that is undone, and the refusal of the rule that keeps it.
 */
export const undoPart = (ctx: Ctx, id: string, { reason }: UndoPart): Promise<UndonePart> =>
  inTransaction(ctx, async (tx) => {
    const { lines, orders, now } = await lockDecision(tx, await findPart(tx, id))
    const part = await findPart(tx, id)
    const refusal = findUndoRefusal(part)
    if (refusal) throw refusal
    const refunds = await readLineRefunds(tx, lines)
    const linked = await readLinkedParts(tx, part)
    const facts = { credit: lines.get(getCreditId(part)) ?? lines.get(part.lineId)!, orders, now }
    const restorations = await planRestorations(tx, part, linked, facts)
    await undoDecision(tx, ctx, part, linked, restorations, facts, reason)
    await announceRefundChanges(tx, ctx, refunds, now)
    const changed = await readOrders(tx, [...orders.keys()])
    const restored = showRestorations(restorations, facts.credit)
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
