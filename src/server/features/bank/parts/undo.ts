import { sql } from 'drizzle-orm'
import { RowId } from '#contract/schemas/common.ts'
import type { UndoPart } from '#contract/schemas/reconciliation.ts'
import { announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { readLine } from '#server/features/bank/lines.ts'
import { readDatabaseTime, readOrders } from '#server/features/orders/service.ts'
import { notFound } from '#server/lib/errors.ts'
import { announceRefundChanges, lockLineOrders, readLineRefunds } from './announce-refunds.ts'
import type { ChangedLine } from './apply.ts'
import { lockLines } from './lock-lines.ts'
import { findUndoRefusal, type PartRow, readPartRows } from './part-rows.ts'
import { writeUndo } from './write-parts.ts'

async function findPart(tx: Tx, id: string): Promise<PartRow> {
  const [part] = RowId.safeParse(id).success ? await readPartRows(tx, sql`WHERE p.id = ${id}`) : []
  if (!part) throw notFound('Payment')
  return part
}

/** The other side of a reversal: the bank took a credit back by a debit, and both lines have a part of it. */
async function findOtherSide(tx: Tx, part: PartRow): Promise<PartRow | undefined> {
  if (part.purpose !== 'reversal') return undefined
  const [other] = await readPartRows(
    tx,
    sql`WHERE p.line_id = ${part.otherLineId} AND p.other_line_id = ${part.lineId} AND p.purpose = 'reversal'
      AND p.undone_at IS NULL AND p.made_at = ${part.madeAt} AND p.amount = ${part.amount} ORDER BY p.id LIMIT 1`,
  )
  return other
}

/**
 * Undoes a part: line and order are as if it had never been (product 7.10). Throws not_found, part_undone for one that is undone,
 * and the refusal of the rule that keeps it.
 */
export const undoPart = (ctx: Ctx, id: string, { reason }: UndoPart): Promise<ChangedLine> =>
  inTransaction(ctx, async (tx) => {
    const { lineId, otherLineId, orderId } = await findPart(tx, id)
    const lines = await lockLines(tx, otherLineId === null ? [lineId] : [lineId, otherLineId])
    await lockLineOrders(tx, lines, orderId === null ? [] : [orderId])
    const now = await readDatabaseTime(tx)
    const part = await findPart(tx, id)
    const refusal = findUndoRefusal(part)
    if (refusal) throw refusal
    const refunds = await readLineRefunds(tx, lines)
    const other = await findOtherSide(tx, part)
    await writeUndo(tx, ctx, part, reason, now)
    if (other) await writeUndo(tx, ctx, other, reason, now)
    await announceRefundChanges(tx, ctx, refunds, now)
    const changed = await readOrders(tx, orderId === null ? [] : [orderId])
    await audit(tx, ctx, {
      action: 'undo_payment',
      target: { type: 'bank_line', id: lineId },
      details: {
        partId: id,
        purpose: part.purpose,
        amount: `${part.amount} ${part.currency}`,
        ...(part.orderNumber !== null && { orderNumber: part.orderNumber }),
        ...(other && { otherLineId }),
        reason,
        ...(part.orderStatus !== null && {
          before: { status: part.orderStatus },
          after: { status: changed[0]!.status },
        }),
      },
    })
    await announce(tx, 'bank', 'orders')
    return { line: await readLine(tx, lineId), orders: changed }
  })
