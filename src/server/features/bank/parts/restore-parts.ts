import { sql } from 'drizzle-orm'
import type { NewPart } from '#contract/schemas/reconciliation.ts'
import type { RestoredPart } from '#contract/schemas/restored-part.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { readPolicyRow } from '#server/features/bank/policy-row.ts'
import type { StoredLine } from '#server/features/bank/stored-line.ts'
import { type OrderRow, payByBank, requireNotPaidSince } from '#server/features/orders/service.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { AppError } from '#server/lib/errors.ts'
import { type CreditFacts, planCredit } from './credit-plan.ts'
import { getLeft } from './lock-lines.ts'
import { type PartRow, readPartRows } from './part-rows.ts'
import { confirmPayers } from './payer-accounts.ts'
import { readPayments } from './read-payments.ts'
import { insertParts, type NewPartRow } from './write-parts.ts'

/** What a decision on money that went out wrote and undid on both lines, besides the part itself. */
export interface LinkedParts {
  /** Active. */
  made: PartRow[]
  /** Of the credit, in the order in which they were made. */
  undone: PartRow[]
}

/** The line that the money came in by. */
export const getCreditId = ({ direction, lineId, otherLineId }: PartRow): string =>
  direction === 'credit' ? lineId : otherLineId!

/** Whether undoing the part undoes the whole decision. What it wrote on the credit besides is undone alone. */
const isWholeDecision = ({ purpose, direction, madeWith, undoneAt }: PartRow): boolean =>
  madeWith !== null && undoneAt === null && (purpose === 'reversal' || direction === 'debit')

export async function readLinkedParts(db: Db | Tx, part: PartRow): Promise<LinkedParts> {
  if (!isWholeDecision(part)) return { made: [], undone: [] }
  const ofBoth = sql`p.line_id IN (${part.lineId}, ${part.otherLineId})`
  return {
    made: await readPartRows(
      db,
      sql`WHERE ${ofBoth} AND p.made_with = ${part.madeWith} AND p.id <> ${part.id} AND p.undone_at IS NULL ORDER BY p.id`,
    ),
    undone: await readPartRows(db, sql`WHERE ${ofBoth} AND p.undone_with = ${part.madeWith} ORDER BY p.id`),
  }
}

/** A part that comes back, or the reason why it does not. */
export interface Restoration {
  part: PartRow
  refusal: string | null
}

/** What decides whether parts of a credit come back. Orders by their ids. */
export interface RestoreFacts {
  credit: StoredLine
  orders: ReadonlyMap<string, OrderRow>
  now: string
}

const toNewPart = ({ purpose, amount, orderId, cause, code }: PartRow): NewPart => {
  if (purpose === 'order') return { purpose, orderId: orderId!, amount }
  if (purpose === 'refund') return { purpose, amount, cause: cause!, ...(orderId !== null && { orderId }) }
  return { purpose: 'ignored', amount, code: code! }
}

/** Judges each part by the rules of applying it anew, as the credit is once the decision is undone. */
export async function planRestorations(
  db: Db | Tx,
  part: PartRow,
  { made, undone }: LinkedParts,
  { credit, orders, now }: RestoreFacts,
): Promise<Restoration[]> {
  if (undone.length === 0) return []
  const { graceDays } = await readPolicyRow(db)
  const freed = [part, ...made].filter(({ lineId }) => lineId === credit.id)
  let allocated = freed.reduce((sum, { amount }) => sum - toUnits(amount), toUnits(credit.allocated))
  const active = await readPartRows(
    db,
    sql`WHERE p.line_id = ${credit.id} AND p.purpose = 'order' AND p.undone_at IS NULL`,
  )
  const paidBefore = new Map(active.map(({ orderId, amount }) => [orderId!, amount]))
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
})

/** Writes parts of a locked credit anew, each as it was decided, and pays their locked orders. */
export async function restoreParts(
  tx: Tx,
  ctx: Ctx,
  parts: readonly PartRow[],
  { credit, orders, now }: RestoreFacts,
): Promise<void> {
  if (parts.length === 0) return
  await insertParts(tx, ctx, parts.map(copyPart), now)
  const paidIds = parts.flatMap(({ purpose, orderId }) => (purpose === 'order' ? [orderId!] : []))
  for (const [id, payment] of await readPayments(tx, paidIds)) await payByBank(tx, ctx, orders.get(id)!, payment, now)
  await confirmPayers(tx, credit.id)
}

export const showRestorations = (restorations: readonly Restoration[], { line }: StoredLine): RestoredPart[] =>
  restorations.map(({ part: { purpose, amount, currency, orderNumber }, refusal }) => ({
    purpose,
    amount,
    currency,
    orderNumber,
    bookedOn: line.bookedOn ?? line.valueOn,
    refusal,
  }))
