import { sql } from 'drizzle-orm'
import type { NewPart, RestoredPart } from '#contract/schemas/bank-allocations.ts'
import type { Ctx } from '#server/core/context.ts'
import { textArray } from '#server/core/upsert.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { readPolicyRow } from '#server/features/bank/shared/policy.ts'
import { type StoredLine, getLeft } from '#server/features/bank/statements/stored-line.ts'
import { type OrderRow, payByBank, requireNotPaidSince } from '#server/features/orders/service.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { AppError } from '#server/lib/errors.ts'
import { type CreditFacts, planCredit } from './credit-plan.ts'
import { type PartRow, readPartRows } from './part-rows.ts'
import { confirmPayers } from './payer-accounts.ts'
import { insertParts, type NewPartRow, readBankPayments } from './write-parts.ts'

/** What a decision on money that went out wrote and undid on both lines, besides the part itself. */
export interface LinkedParts {
  /** Active. */
  made: PartRow[]
  /** Of the line that it changed, in the order in which they were made. */
  undone: PartRow[]
}

/** The line of which a decision undid parts: the credit that was taken or paid back, or the transfer that came back. */
export const getChangedId = ({ purpose, direction, lineId, otherLineId }: PartRow): string =>
  direction === (purpose === 'return' ? 'debit' : 'credit') ? lineId : (otherLineId ?? lineId)

/** Whether undoing the part undoes the whole decision. What it put aside besides is undone alone. */
const isWholeDecision = ({ purpose, direction, madeWith, undoneAt }: PartRow): boolean =>
  madeWith !== null &&
  undoneAt === null &&
  (purpose === 'reversal' || purpose === 'return' || (purpose === 'refund' && direction === 'debit'))

/** What the decisions of these parts wrote and undid, in the order of the parts. */
export async function readLinkedParts(db: Db | Tx, parts: readonly PartRow[]): Promise<LinkedParts[]> {
  const whole = parts.filter(isWholeDecision)
  const lineIds = whole.flatMap(({ lineId, otherLineId }) => [lineId, otherLineId ?? lineId])
  const decisions = textArray(whole.map(({ madeWith }) => madeWith!))
  const found =
    whole.length === 0
      ? []
      : await readPartRows(
          db,
          sql`WHERE p.line_id = ANY(${textArray(lineIds)}::bigint[])
            AND (p.undone_with = ANY(${decisions}::uuid[]) OR p.made_with = ANY(${decisions}::uuid[]) AND p.undone_at IS NULL)
            ORDER BY p.id`,
        )
  return parts.map((part) => {
    if (!isWholeDecision(part)) return { made: [], undone: [] }
    return {
      made: found.filter(({ id, madeWith, undoneAt }) => madeWith === part.madeWith && id !== part.id && !undoneAt),
      undone: found.filter(({ undoneWith }) => undoneWith === part.madeWith),
    }
  })
}

/** A part that comes back, or the reason why it does not. */
export interface Restoration {
  part: PartRow
  refusal: string | null
}

/** What decides whether parts come back, whatever their line is. */
export interface RestoreRules {
  graceDays: number
  /** Active: what pays orders of the lines of these parts, and the refunds of their other lines. */
  active: readonly PartRow[]
}

/** What decides whether parts of a line come back. Orders by their ids. */
export interface RestoreFacts extends RestoreRules {
  stored: StoredLine
  orders: ReadonlyMap<string, OrderRow>
  now: string
}

export async function readRestoreRules(db: Db | Tx, undone: readonly PartRow[]): Promise<RestoreRules> {
  if (undone.length === 0) return { graceDays: 0, active: [] }
  const ids = textArray(undone.flatMap(({ lineId, otherLineId }) => [lineId, otherLineId ?? lineId]))
  const { graceDays } = await readPolicyRow(db)
  const ofLines = sql`WHERE p.line_id = ANY(${ids}::bigint[]) AND p.direction = 'credit' AND p.purpose IN ('order', 'refund')
    AND p.undone_at IS NULL`
  return { graceDays, active: await readPartRows(db, ofLines) }
}

const toNewPart = ({ purpose, amount, orderId, cause, code }: PartRow): NewPart => {
  if (purpose === 'order') return { purpose, orderId: orderId!, amount }
  if (purpose === 'refund') return { purpose, amount, cause: cause!, ...(orderId !== null && { orderId }) }
  return { purpose: 'ignored', amount, code: code! }
}

/** Checks each part by the rules of applying it again, as its line is once the decision is undone. */
export function planRestorations(part: PartRow, { made, undone }: LinkedParts, facts: RestoreFacts): Restoration[] {
  if (undone.length === 0) return []
  const freed = [part, ...made].filter(({ lineId }) => lineId === facts.stored.id)
  const allocated = freed.reduce((sum, { amount }) => sum - toUnits(amount), toUnits(facts.stored.allocated))
  return part.purpose === 'return'
    ? planTransferParts(undone, { ...facts.stored, allocated: fromUnits(allocated) }, facts)
    : planCreditParts(undone, allocated, facts)
}

/** What a transfer had paid back is paid back again as far as it is still due. */
function planTransferParts(undone: readonly PartRow[], transfer: StoredLine, { active }: RestoreRules): Restoration[] {
  let left = getLeft(transfer)
  const given = new Map<string, bigint>()
  const planned: Restoration[] = []
  for (const part of undone) {
    const amount = toUnits(part.amount)
    const due =
      part.purpose === 'refund' ? sumDue(active, part.otherLineId!) - (given.get(part.otherLineId!) ?? 0n) : amount
    const refusal = findTransferRefusal(part, left, due)
    planned.push({ part, refusal })
    if (refusal !== null) continue
    left -= amount
    if (part.otherLineId !== null) given.set(part.otherLineId, (given.get(part.otherLineId) ?? 0n) + amount)
  }
  return planned
}

function findTransferRefusal({ amount, currency }: PartRow, left: bigint, due: bigint): string | null {
  if (toUnits(amount) > left) return `Only ${fromUnits(left)} ${currency} of its line are open`
  if (toUnits(amount) > due) return `Only ${fromUnits(due)} ${currency} of that payment are to be paid back`
  return null
}

/** What of a credit is to be paid back and has not gone out. */
function sumDue(active: readonly PartRow[], creditId: string): bigint {
  const refund = active.find(({ lineId, purpose }) => lineId === creditId && purpose === 'refund')
  return toUnits(refund?.lineRefundDue ?? '0')
}

function planCreditParts(
  undone: readonly PartRow[],
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
    return { part: each, refusal }
  })
}

/** Why a part does not come back: the refusal of applying it now. Null where it does. */
function findRefusal(part: PartRow, facts: CreditFacts): string | null {
  const order = part.purpose === 'order' ? facts.orders.get(part.orderId!)! : null
  const left = getLeft(facts.stored)
  if (toUnits(part.amount) > left) return `Only ${fromUnits(left)} ${part.currency} of its line are open`
  try {
    if (order) requireNotPaidSince(order, part.undoneAt!)
    const [planned] = planCredit(facts, [toNewPart(part)])
    if (planned!.amount === toUnits(part.amount)) return null
    return `Order ${part.orderNumber} waits for ${fromUnits(planned!.amount)} ${part.currency} only`
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

const copyPart = (part: PartRow): NewPartRow => ({
  lineId: part.lineId,
  purpose: part.purpose,
  orderId: part.orderId,
  otherLineId: part.otherLineId,
  amount: toUnits(part.amount),
  cause: part.cause,
  code: part.code,
  reason: part.reason,
  rule: part.rule,
  isThirdParty: part.isThirdParty,
  evidence: part.evidence,
  policyVerdict: part.policyVerdict,
  // A payment of a refund stays with the rest that was closed with it.
  ...(part.direction === 'debit' && part.madeWith !== null && { madeWith: part.madeWith }),
})

/** Writes parts of a locked line again, each as it was decided, and pays their locked orders. */
export async function restoreParts(
  tx: Tx,
  ctx: Ctx,
  parts: readonly PartRow[],
  { stored, orders, now }: RestoreFacts,
): Promise<void> {
  if (parts.length === 0) return
  await insertParts(tx, ctx, parts.map(copyPart), now)
  const paidIds = parts.flatMap(({ purpose, orderId }) => (purpose === 'order' ? [orderId!] : []))
  for (const [id, payment] of await readBankPayments(tx, paidIds))
    await payByBank(tx, ctx, orders.get(id)!, payment, now)
  await confirmPayers(tx, stored.id)
}

export const showRestorations = (restorations: readonly Restoration[], { line }: StoredLine): RestoredPart[] =>
  restorations.map(({ part: { purpose, direction, amount, currency, orderNumber }, refusal }) => ({
    purpose,
    direction,
    amount,
    currency,
    orderNumber,
    bookedOn: line.bookedOn ?? line.valueOn,
    refusal,
  }))
