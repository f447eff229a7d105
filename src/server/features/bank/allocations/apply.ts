import type { ApplyAllocations, BankAllocation } from '#contract/schemas/bank-allocations.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { Order } from '#contract/schemas/orders.ts'
import { announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { readLine } from '#server/features/bank/statements/lines.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import type { StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { isOwed, readOrders } from '#server/features/orders/service.ts'
import {
  announceRefundChanges,
  lockLineOrders,
  readLineRefunds,
} from '#server/features/bank/refunds/announce-refunds.ts'
import { applyCredit, type AppliedAllocations, listGivenOrders, lockForScoring } from './apply-credit.ts'
import { applyDebit } from './apply-debit.ts'
import { requirePlaces, requireWorkable, lockLines } from './line-rules.ts'
import { readAllocations } from './read-allocations.ts'
import { listRefundedLines } from './return-transfer.ts'

export interface ChangedLine {
  line: BankLine
  orders: Order[]
}

/**
 * Allocates a line's money as an operator decided (product 7.10). All of them or none. Throws not_found,
 * stale, line_claimed, and the refusal of each rule.
 */
export const applyAllocations = (
  ctx: Ctx,
  lineId: string,
  given: ApplyAllocations,
  ifMatch: number | undefined,
): Promise<ChangedLine & { allocations: BankAllocation[] }> =>
  inTransaction(ctx, async (tx) => {
    const named = given.allocations.flatMap((allocation) =>
      'lineId' in allocation && allocation.lineId !== undefined ? [allocation.lineId] : [],
    )
    const lines = await lockLines(tx, [lineId, ...named, ...(await listRefundedLines(tx, given.allocations))])
    const stored = lines.get(lineId)!
    await requireWorkable(tx, ctx, stored, ifMatch)
    given.allocations.forEach((allocation, at) => requirePlaces(stored, allocation.amount, at))
    const orderIds = listGivenOrders(given.allocations)
    await lockLineOrders(tx, lines, orderIds)
    const refunds = await readLineRefunds(tx, lines)
    const isCredit = stored.line.direction === 'credit'
    const applied = isCredit
      ? await applyCredit(
          tx,
          ctx,
          { stored, lines, ...(await lockForScoring(tx, ctx, stored, orderIds)) },
          given,
          'hand',
        )
      : await applyDebit(tx, ctx, stored, lines, given)
    await announceRefundChanges(tx, ctx, refunds, applied.now)
    const orders = await recordApplied(tx, ctx, stored, applied, given.reason ?? null)
    const allocations = (await readAllocations(tx, lineId)).filter(({ id }) => applied.allocationIds.includes(id))
    return { line: await readLine(tx, lineId), orders, allocations }
  })

/** Writes the audit row of applied allocations, and announces them. Returns the orders as they are now. */
export async function recordApplied(
  tx: Tx,
  ctx: Ctx,
  { id, line }: StoredLine,
  { planned, orders }: AppliedAllocations,
  reason: string | null,
): Promise<Order[]> {
  const isIgnored = planned.every(({ purpose }) => purpose === 'ignored')
  const numbers = new Map(orders.map((order) => [order.id, order.orderNumber]))
  const changed = await readOrders(tx, [...numbers.keys()])
  await audit(tx, ctx, {
    action: isIgnored ? 'ignore_payment' : 'apply_payment',
    target: { type: 'bank_line', id },
    details: {
      amount: `${line.amount} ${line.currency}`,
      allocations: planned.map(({ purpose, amount, orderId, otherLineId, cause, code, closed, toOtherAccount }) => ({
        purpose,
        amount: fromUnits(amount),
        ...(orderId !== null && { orderNumber: numbers.get(orderId) }),
        ...(otherLineId !== null && { otherLineId }),
        ...(cause !== null && { cause }),
        ...(code !== null && { code }),
        ...(closed && { closed: fromUnits(closed.amount), closedAs: closed.code }),
        ...(toOtherAccount && { toOtherAccount }),
      })),
      ...(reason !== null && { reason }),
      ...(orders.length > 0 && { before: listStatuses(orders), after: listStatuses(changed) }),
      ...(changed.some(isOwed) && { owed: listOwed(changed) }),
    },
  })
  await announce(tx, 'bank', 'orders')
  return changed
}

/** What the bank took back of completed orders, by their numbers. */
const listOwed = (orders: readonly Order[]) =>
  Object.fromEntries(
    orders
      .filter(isOwed)
      .map(({ orderNumber, investmentAmount, received, currency }) => [
        orderNumber,
        `${fromUnits(toUnits(investmentAmount) - toUnits(received))} ${currency}`,
      ]),
  )

export const listStatuses = (orders: readonly Pick<Order, 'orderNumber' | 'status'>[]) =>
  Object.fromEntries(orders.map(({ orderNumber, status }) => [orderNumber, status]))
