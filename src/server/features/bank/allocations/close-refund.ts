import { sql } from 'drizzle-orm'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { toUnits } from '#server/lib/decimal.ts'
import type { ClosedRest } from './credit-plan.ts'
import { type PartRow, readPartRows } from './part-rows.ts'
import { insertParts, type NewPartRow, noEvidence, writeUndo } from './write-parts.ts'

interface Closing {
  reason: string | null
  now: string
  madeWith: string
}

/**
 * Takes the rest of what is due off a locked credit and puts it aside: a fee, or what nobody claims. The latest refunds go first,
 * as those that are paid back last.
 */
export async function closeRefund(
  tx: Tx,
  ctx: Ctx,
  { reason, now, madeWith }: Closing,
  creditId: string,
  { amount: rest, code }: ClosedRest,
): Promise<void> {
  const refunds = await readPartRows(
    tx,
    sql`WHERE p.line_id = ${creditId} AND p.purpose = 'refund' AND p.undone_at IS NULL ORDER BY p.id DESC`,
  )
  const common = { rule: 'hand' as const, isThirdParty: false, evidence: noEvidence, policyVerdict: null, madeWith }
  const kept: NewPartRow[] = []
  let left = rest
  for (const refund of refunds) {
    if (left <= 0n) break
    const amount = toUnits(refund.amount)
    const cut = left < amount ? left : amount
    left -= cut
    await writeUndo(tx, ctx, refund, reason ?? 'The rest is not paid back', now, madeWith)
    if (cut < amount) kept.push({ ...common, ...pickRefund(refund), amount: amount - cut })
  }
  const aside = { purpose: 'ignored' as const, orderId: null, otherLineId: null, amount: rest, cause: null, code }
  await insertParts(tx, ctx, [...kept, { ...common, ...aside, lineId: creditId, reason }], now)
}

const pickRefund = ({ lineId, purpose, orderId, otherLineId, cause, code, reason }: PartRow) => ({
  lineId,
  purpose,
  orderId,
  otherLineId,
  cause,
  code,
  reason,
})
