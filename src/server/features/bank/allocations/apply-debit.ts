import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { IgnoreCode } from '#contract/bank-allocations.ts'
import type { ApplyParts, NewPart } from '#contract/schemas/bank-allocations.ts'
import type { Ctx } from '#server/core/context.ts'
import { textArray } from '#server/core/upsert.ts'
import type { Tx } from '#server/db/client.ts'
import { lockOrdersById, type OrderRow, readDatabaseTime } from '#server/features/orders/service.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import { buildAccountError, buildPayeeError, getHolder } from '#server/features/bank/refunds/refund-account.ts'
import { readPolicyRow } from '#server/features/bank/shared/policy.ts'
import type { StoredLine } from '#server/features/bank/statements/stored-line.ts'
import type { AppliedParts } from './apply-credit.ts'
import type { ClosedRest, PlannedPart } from './credit-plan.ts'
import { requireBooked, requireLeft } from './line-rules.ts'
import { type PartRow, readPartRows } from './part-rows.ts'
import { insertParts, type NewPartRow, noEvidence, writeUndo } from './write-parts.ts'

interface DebitChange {
  debit: StoredLine
  /** The named lines by their ids, locked. */
  lines: ReadonlyMap<string, StoredLine>
  reason: string | null
  now: string
}

/** Gives parts of a locked debit their purposes: takes credits back, or pays back what is due on them. */
export async function applyDebit(
  tx: Tx,
  ctx: Ctx,
  debit: StoredLine,
  lines: ReadonlyMap<string, StoredLine>,
  given: ApplyParts,
): Promise<AppliedParts> {
  given.parts.forEach((part, at) => requireDebitPart(debit, lines, part, at))
  requireLeft(
    debit,
    given.parts.reduce((sum, { amount }) => sum + toUnits(amount), 0n),
  )
  const orders = await lockPaidOrders(tx, given.parts)
  const toOthers = findOtherPayees(debit, lines, given.parts)
  if (!given.reason?.trim() && toOthers.size > 0 && (await readPolicyRow(tx)).reasonForThirdParty)
    throw [...toOthers.values()][0]!
  const change = { debit, lines, reason: given.reason?.trim() || null, now: ctx.at ?? (await readDatabaseTime(tx)) }
  const applied: AppliedParts = { partIds: [], planned: [], orders, now: change.now }
  for (const each of given.parts) {
    const part = toDebitPart(each)
    const closeAs = 'closeAs' in each ? each.closeAs : undefined
    const { closed, ...link } = await changeCredit(tx, ctx, change, part, closeAs)
    const toOtherAccount = toOthers.has(namePart(part.purpose, part.otherLineId))
    applied.planned.push({ ...part, ...(closed && { closed }), ...(toOtherAccount && { toOtherAccount }) })
    const [id] = await insertParts(tx, ctx, [{ ...buildRow(change, debit.id, part), ...link }], change.now)
    applied.partIds.push(id!)
  }
  return applied
}

/** Writes on the credit's side what a part of the debit does to it, and names the decision that both belong to. */
async function changeCredit(
  tx: Tx,
  ctx: Ctx,
  change: DebitChange,
  part: PlannedPart,
  closeAs: IgnoreCode | undefined,
): Promise<{ madeWith?: string; closed?: ClosedRest }> {
  const madeWith = randomUUID()
  if (part.purpose === 'reversal') {
    await takeBack(tx, ctx, change, part, madeWith)
    return { madeWith }
  }
  if (part.purpose !== 'refund') return {}
  const due = await requireRefundDue(tx, change, part)
  if (closeAs === undefined || due === part.amount) return {}
  const closed = { amount: due - part.amount, code: closeAs }
  await closeRefund(tx, ctx, { ...change, madeWith }, part.otherLineId!, closed)
  return { madeWith, closed }
}

/** Refuses what no debit can be given. */
function requireDebitPart(debit: StoredLine, lines: ReadonlyMap<string, StoredLine>, part: NewPart, at: number): void {
  if (part.purpose === 'order') throw new AppError('line_direction', 'Money that went out pays no order')
  if (part.purpose === 'return')
    throw new AppError('line_direction', 'Money that went out returns no transfer: only money that comes in can')
  if (part.purpose === 'ignored') return
  if (part.purpose === 'refund' && (part.orderId !== undefined || part.cause !== undefined))
    throw new AppError('line_direction', 'Money that went out is not to be paid back: name the line that it pays back')
  if (part.lineId === undefined) throw invalidField(`parts.${at}.lineId`, 'must name the line that is paid back')
  const credit = lines.get(part.lineId)!
  requireBooked(credit)
  if (credit.line.direction !== 'credit')
    throw new AppError('line_direction', 'Only money that came in can be taken back or paid back')
  if (credit.line.currency !== debit.line.currency)
    throw new AppError('line_amount', `That line is in ${credit.line.currency}, this one in ${debit.line.currency}`)
  if (part.purpose === 'reversal' && credit.accountId !== debit.accountId)
    throw new AppError(
      'line_account',
      `That payment came to ${credit.account}, and this money left ${debit.account}: a bank takes back only what it booked on the same account`,
    )
}

const namePart = (purpose: string, lineId: string | null | undefined) => `${purpose} ${lineId}`

/** The refusals of what goes to another than who paid, by the purpose of the part and the line that it names. */
function findOtherPayees(debit: StoredLine, lines: ReadonlyMap<string, StoredLine>, parts: readonly NewPart[]) {
  const found = new Map<string, AppError>()
  for (const part of parts) {
    if ((part.purpose !== 'refund' && part.purpose !== 'reversal') || part.lineId === undefined) continue
    const payer = getHolder(lines.get(part.lineId)!)
    const error = part.purpose === 'refund' ? buildAccountError(getHolder(debit), payer) : buildPayeeError(debit, payer)
    if (error) found.set(namePart(part.purpose, part.lineId), error)
  }
  return found
}

/** Locks the orders that the credits to be taken back have paid, in one order for all. */
async function lockPaidOrders(tx: Tx, parts: readonly NewPart[]): Promise<OrderRow[]> {
  const credits = parts.flatMap((part) => (part.purpose === 'reversal' ? [part.lineId] : []))
  const { rows } = await tx.execute<{ id: string }>(sql`
    SELECT DISTINCT order_id::text AS id FROM bank_parts
    WHERE line_id = ANY(${textArray(credits)}::bigint[]) AND purpose = 'order' AND undone_at IS NULL`)
  const orders = await lockOrdersById(
    tx,
    rows.map(({ id }) => id),
  )
  return [...orders.values()]
}

function toDebitPart(part: NewPart): PlannedPart {
  const { purpose } = part
  const otherLineId = 'lineId' in part ? (part.lineId ?? null) : null
  const code = part.purpose === 'ignored' ? part.code : null
  return { purpose, orderId: null, otherLineId, amount: toUnits(part.amount), cause: null, code }
}

const buildRow = ({ reason }: DebitChange, lineId: string, part: PlannedPart) => ({
  ...part,
  lineId,
  reason,
  rule: 'hand' as const,
  isThirdParty: false,
  evidence: noEvidence,
  policyVerdict: null,
})

/** Frees as much of the credit as the bank took back, and writes that on the credit's side. */
async function takeBack(tx: Tx, ctx: Ctx, change: DebitChange, part: PlannedPart, madeWith: string): Promise<void> {
  const { debit, lines, reason, now } = change
  const credit = lines.get(part.otherLineId!)!
  const active = await readPartRows(tx, sql`WHERE p.line_id = ${credit.id} AND p.undone_at IS NULL ORDER BY p.id DESC`)
  const free = active.reduce((left, { amount }) => left - toUnits(amount), toUnits(credit.line.amount))
  const undone = choosePartsToUndo(active, part.amount - free)
  const freed = undone.reduce((sum, { amount }) => sum + toUnits(amount), free)
  if (freed < part.amount)
    throw new AppError('line_amount', `Only ${fromUnits(freed)} ${credit.line.currency} of that line can be taken back`)
  for (const each of undone) await writeUndo(tx, ctx, each, reason ?? 'The bank took the payment back', now, madeWith)
  const taken = { ...buildRow(change, credit.id, { ...part, otherLineId: debit.id }), madeWith }
  await insertParts(tx, ctx, [taken], now)
}

/**
 * The parts of a credit that have to go for `missing` units: one of just this amount, else those of orders, the newest first, and
 * then what was put aside. What is to be paid back, or was taken back before, stays.
 */
function choosePartsToUndo(active: readonly PartRow[], missing: bigint): PartRow[] {
  if (missing <= 0n) return []
  const ofPurpose = (purpose: PartRow['purpose']) => active.filter((part) => part.purpose === purpose)
  const movable = [...ofPurpose('order'), ...ofPurpose('ignored')]
  const exact = movable.find(({ amount }) => toUnits(amount) === missing)
  if (exact) return [exact]
  let left = missing
  return movable.filter(({ amount }) => {
    const isNeeded = left > 0n
    left -= toUnits(amount)
    return isNeeded
  })
}

/** What is due on the credit. Throws line_amount for more than that. */
async function requireRefundDue(tx: Tx, { debit }: DebitChange, part: PlannedPart): Promise<bigint> {
  const [refund] = await readPartRows(
    tx,
    sql`WHERE p.line_id = ${part.otherLineId} AND p.purpose = 'refund' AND p.undone_at IS NULL LIMIT 1`,
  )
  const due = toUnits(refund?.lineRefundDue ?? '0')
  if (part.amount <= due) return due
  throw new AppError('line_amount', `Only ${fromUnits(due)} ${debit.line.currency} of that line are to be paid back`)
}

interface Closing {
  reason: string | null
  now: string
  madeWith: string
}

/**
 * Takes the rest of what is due off a locked credit and puts it aside: a fee, or what nobody claims. The latest refunds go first,
 * as those that are paid back last.
 */
async function closeRefund(
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
