import { sql } from 'drizzle-orm'
import type { NewAllocation, RestoredAllocation } from '#contract/schemas/bank-allocations.ts'
import type { Ctx } from '#server/core/context.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { readPolicyRow } from '#server/features/bank/shared/policy.ts'
import { type StoredLine, getLeft } from '#server/features/bank/statements/stored-line.ts'
import { type OrderRow, payByBank, requireNotPaidSince } from '#server/features/orders/service.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { AppError } from '#server/lib/errors.ts'
import { type CreditFacts, planCredit } from './credit-plan.ts'
import { type AllocationRow, readAllocationRows } from './allocation-rows.ts'
import {
  confirmPayers,
  insertAllocations,
  type NewAllocationRow,
  pickDecision,
  readBankPayments,
} from './write-allocations.ts'

/** What a decision on money that went out wrote and undid on both lines, besides the allocation itself. */
export interface LinkedAllocations {
  /** Active. */
  made: AllocationRow[]
  /** Of the line that it changed, in the order in which they were made. */
  undone: AllocationRow[]
}

/** The line of which a decision undid allocations: the credit that was taken or paid back, or the transfer that came back. */
export const getChangedId = ({ purpose, direction, lineId, otherLineId }: AllocationRow): string =>
  direction === (purpose === 'return' ? 'debit' : 'credit') ? lineId : (otherLineId ?? lineId)

/** Whether undoing the allocation undoes the whole decision. What it put aside besides is undone alone. */
const isWholeDecision = ({ purpose, direction, madeWith, undoneAt }: AllocationRow): boolean =>
  madeWith !== null &&
  undoneAt === null &&
  (purpose === 'reversal' || purpose === 'return' || (purpose === 'refund' && direction === 'debit'))

/** What the decisions of these allocations wrote and undid, in the order of the allocations. */
export async function readLinkedAllocations(db: Db | Tx, rows: readonly AllocationRow[]): Promise<LinkedAllocations[]> {
  const whole = rows.filter(isWholeDecision)
  const lineIds = whole.flatMap(({ lineId, otherLineId }) => [lineId, otherLineId ?? lineId])
  const decisions = textArray(whole.map(({ madeWith }) => madeWith!))
  const found =
    whole.length === 0
      ? []
      : await readAllocationRows(
          db,
          sql`WHERE p.line_id = ANY(${textArray(lineIds)}::bigint[])
            AND (p.undone_with = ANY(${decisions}::uuid[]) OR p.made_with = ANY(${decisions}::uuid[]) AND p.undone_at IS NULL)
            ORDER BY p.id`,
        )
  return rows.map((row) => {
    if (!isWholeDecision(row)) return { made: [], undone: [] }
    return {
      made: found.filter(({ id, madeWith, undoneAt }) => madeWith === row.madeWith && id !== row.id && !undoneAt),
      undone: found.filter(({ undoneWith }) => undoneWith === row.madeWith),
    }
  })
}

/** An allocation that comes back, or the reason why it does not. */
export interface Restoration {
  row: AllocationRow
  refusal: string | null
}

/** What decides whether allocations come back, whatever their line is. */
export interface RestoreRules {
  graceDays: number
  /** Active: what pays orders of the lines of these allocations, and the refunds of their other lines. */
  active: readonly AllocationRow[]
}

/** What decides whether allocations of a line come back. Orders by their ids. */
export interface RestoreFacts extends RestoreRules {
  stored: StoredLine
  orders: ReadonlyMap<string, OrderRow>
  now: string
}

export async function readRestoreRules(db: Db | Tx, undone: readonly AllocationRow[]): Promise<RestoreRules> {
  if (undone.length === 0) return { graceDays: 0, active: [] }
  const ids = textArray(undone.flatMap(({ lineId, otherLineId }) => [lineId, otherLineId ?? lineId]))
  const { graceDays } = await readPolicyRow(db)
  const ofLines = sql`WHERE p.line_id = ANY(${ids}::bigint[]) AND p.direction = 'credit' AND p.purpose IN ('order', 'refund')
    AND p.undone_at IS NULL`
  return { graceDays, active: await readAllocationRows(db, ofLines) }
}

const toNewAllocation = ({ purpose, amount, orderId, cause, code }: AllocationRow): NewAllocation => {
  if (purpose === 'order') return { purpose, orderId: orderId!, amount }
  if (purpose === 'refund') return { purpose, amount, cause: cause!, ...(orderId !== null && { orderId }) }
  return { purpose: 'ignored', amount, code: code! }
}

/** Checks each allocation by the rules of applying it again, as its line is once the decision is undone. */
export function planRestorations(
  row: AllocationRow,
  { made, undone }: LinkedAllocations,
  facts: RestoreFacts,
): Restoration[] {
  if (undone.length === 0) return []
  const freed = [row, ...made].filter(({ lineId }) => lineId === facts.stored.id)
  const allocated = freed.reduce((sum, { amount }) => sum - toUnits(amount), toUnits(facts.stored.allocated))
  return row.purpose === 'return'
    ? planTransferAllocations(undone, { ...facts.stored, allocated: fromUnits(allocated) }, facts)
    : planCreditAllocations(undone, allocated, facts)
}

/** What a transfer had paid back is paid back again as far as it is still due. */
function planTransferAllocations(
  undone: readonly AllocationRow[],
  transfer: StoredLine,
  { active }: RestoreRules,
): Restoration[] {
  let left = getLeft(transfer)
  const given = new Map<string, bigint>()
  const planned: Restoration[] = []
  for (const row of undone) {
    const amount = toUnits(row.amount)
    const due =
      row.purpose === 'refund' ? sumDue(active, row.otherLineId!) - (given.get(row.otherLineId!) ?? 0n) : amount
    const refusal = findTransferRefusal(row, left, due)
    planned.push({ row, refusal })
    if (refusal !== null) continue
    left -= amount
    if (row.otherLineId !== null) given.set(row.otherLineId, (given.get(row.otherLineId) ?? 0n) + amount)
  }
  return planned
}

function findTransferRefusal({ amount, currency }: AllocationRow, left: bigint, due: bigint): string | null {
  if (toUnits(amount) > left) return `Only ${fromUnits(left)} ${currency} of its line are open`
  if (toUnits(amount) > due) return `Only ${fromUnits(due)} ${currency} of that payment are to be paid back`
  return null
}

/** What of a credit is to be paid back and has not gone out. */
function sumDue(active: readonly AllocationRow[], creditId: string): bigint {
  const refund = active.find(({ lineId, purpose }) => lineId === creditId && purpose === 'refund')
  return toUnits(refund?.lineRefundDue ?? '0')
}

function planCreditAllocations(
  undone: readonly AllocationRow[],
  allocatedOnce: bigint,
  { stored: credit, orders, now, graceDays, active }: RestoreFacts,
): Restoration[] {
  let allocated = allocatedOnce
  const paying = active.filter(({ lineId, purpose }) => lineId === credit.id && purpose === 'order')
  const paidBefore = new Map(paying.map(({ orderId, amount }) => [orderId!, amount]))
  // What is too much for an order is told by what it would get.
  const policy = { graceDays, overpaidUpTo: credit.line.amount }
  return undone.map((each): Restoration => {
    const stored = { ...credit, allocated: fromUnits(allocated) }
    const refusal = findRefusal(each, { stored, orders, paidBefore, policy, now })
    if (refusal === null) allocated += toUnits(each.amount)
    return { row: each, refusal }
  })
}

/** Why an allocation does not come back: the refusal of applying it now. Null where it does. */
function findRefusal(row: AllocationRow, facts: CreditFacts): string | null {
  const order = row.purpose === 'order' ? facts.orders.get(row.orderId!)! : null
  const left = getLeft(facts.stored)
  if (toUnits(row.amount) > left) return `Only ${fromUnits(left)} ${row.currency} of its line are open`
  try {
    if (order) requireNotPaidSince(order, row.undoneAt!)
    const [planned] = planCredit(facts, [toNewAllocation(row)])
    if (planned!.amount === toUnits(row.amount)) return null
    return `Order ${row.orderNumber} waits for ${fromUnits(planned!.amount)} ${row.currency} only`
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

const copyAllocation = (row: AllocationRow): NewAllocationRow => ({
  ...pickDecision(row),
  amount: toUnits(row.amount),
  rule: row.rule,
  isThirdParty: row.isThirdParty,
  evidence: row.evidence,
  policyVerdict: row.policyVerdict,
  // A payment of a refund stays with the rest that was closed with it.
  ...(row.direction === 'debit' && row.madeWith !== null && { madeWith: row.madeWith }),
})

/** Writes allocations of a locked line again, each as it was decided, and pays their locked orders. */
export async function restoreAllocations(
  tx: Tx,
  ctx: Ctx,
  rows: readonly AllocationRow[],
  { stored, orders, now }: RestoreFacts,
): Promise<void> {
  if (rows.length === 0) return
  await insertAllocations(tx, ctx, rows.map(copyAllocation), now)
  const paidIds = rows.flatMap(({ purpose, orderId }) => (purpose === 'order' ? [orderId!] : []))
  for (const [id, payment] of await readBankPayments(tx, paidIds))
    await payByBank(tx, ctx, orders.get(id)!, payment, now)
  await confirmPayers(tx, stored.id)
}

export const showRestorations = (restorations: readonly Restoration[], { line }: StoredLine): RestoredAllocation[] =>
  restorations.map(({ row: { purpose, direction, amount, currency, orderNumber }, refusal }) => ({
    purpose,
    direction,
    amount,
    currency,
    orderNumber,
    bookedOn: line.bookedOn ?? line.valueOn,
    refusal,
  }))
