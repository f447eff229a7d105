import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { WriteOffCode } from '#contract/bank-allocations.ts'
import type { ApplyAllocations, NewAllocation } from '#contract/schemas/bank-allocations.ts'
import type { Ctx } from '#server/core/context.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Tx } from '#server/db/client.ts'
import { lockOrdersById, type OrderRow, readDatabaseTime } from '#server/features/orders/service.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import { buildAccountError, buildPayeeError, getHolder } from '#server/features/bank/refunds/refund-account.ts'
import { chooseAllocations } from '#server/features/bank/matching/sums.ts'
import { readPolicyRow } from '#server/features/bank/shared/policy.ts'
import type { StoredLine } from '#server/features/bank/statements/stored-line.ts'
import type { AppliedAllocations, ClosedRest, PlannedAllocation } from './credit-plan.ts'
import { requireBooked, requireLeft } from './line-rules.ts'
import { readActiveRows, readAllocationRows } from './allocation-rows.ts'
import { byHand, insertAllocations, type NewAllocationRow, pickDecision, writeUndo } from './write-allocations.ts'

interface DebitChange {
  debit: StoredLine
  /** The named lines by their ids, locked. */
  lines: ReadonlyMap<string, StoredLine>
  reason: string | null
  now: string
}

/** Allocates the money of a locked debit: takes credits back, or pays back what is due on them. */
export async function applyDebit(
  tx: Tx,
  ctx: Ctx,
  debit: StoredLine,
  lines: ReadonlyMap<string, StoredLine>,
  given: ApplyAllocations,
): Promise<AppliedAllocations> {
  const { allocations } = given
  allocations.forEach((each, at) => requireDebitAllocation(debit, lines, each, at))
  const sum = allocations.reduce((total, { amount }) => total + toUnits(amount), 0n)
  requireLeft(debit, sum)
  const orders = await lockPaidOrders(tx, allocations)
  const toOthers = findOtherPayees(debit, lines, allocations)
  if (!given.reason?.trim() && toOthers.size > 0 && (await readPolicyRow(tx)).reasonForThirdParty)
    throw [...toOthers.values()][0]!
  const change = { debit, lines, reason: given.reason?.trim() || null, now: ctx.at ?? (await readDatabaseTime(tx)) }
  const applied: AppliedAllocations = { allocationIds: [], planned: [], orders, now: change.now }
  for (const each of allocations) {
    const planned = toDebitAllocation(each)
    const closeAs = 'closeAs' in each ? each.closeAs : undefined
    const { closed, ...link } = await changeCredit(tx, ctx, change, planned, closeAs)
    const toOtherAccount = toOthers.has(nameAllocation(planned.purpose, planned.otherLineId))
    applied.planned.push({ ...planned, ...(closed && { closed }), ...(toOtherAccount && { toOtherAccount }) })
    const [id] = await insertAllocations(tx, ctx, [{ ...buildRow(change, debit.id, planned), ...link }], change.now)
    applied.allocationIds.push(id!)
  }
  return applied
}

/** Writes on the credit's side what an allocation of the debit does to it, and names the decision that both belong to. */
async function changeCredit(
  tx: Tx,
  ctx: Ctx,
  change: DebitChange,
  planned: PlannedAllocation,
  closeAs: WriteOffCode | undefined,
): Promise<{ madeWith?: string; closed?: ClosedRest }> {
  const madeWith = randomUUID()
  if (planned.purpose === 'reversal') {
    await takeBack(tx, ctx, change, planned, madeWith)
    return { madeWith }
  }
  if (planned.purpose !== 'refund') return {}
  const due = await requireRefundDue(tx, change, planned)
  if (closeAs === undefined || due === planned.amount) return {}
  const closed = { amount: due - planned.amount, code: closeAs }
  await closeRefund(tx, ctx, { ...change, madeWith }, planned.otherLineId!, closed)
  return { madeWith, closed }
}

/** Refuses what no debit can be given. */
function requireDebitAllocation(
  debit: StoredLine,
  lines: ReadonlyMap<string, StoredLine>,
  given: NewAllocation,
  at: number,
): void {
  if (given.purpose === 'order') throw new AppError('line_direction', 'Money that went out pays no order')
  if (given.purpose === 'return')
    throw new AppError('line_direction', 'Money that went out returns no transfer: only money that comes in can')
  if (given.purpose === 'ignored') return
  if (given.purpose === 'refund' && (given.orderId !== undefined || given.cause !== undefined))
    throw new AppError('line_direction', 'Money that went out is not to be paid back: name the line that it pays back')
  if (given.lineId === undefined) throw invalidField(`allocations.${at}.lineId`, 'must name the line that is paid back')
  const credit = lines.get(given.lineId)!
  requireBooked(credit)
  if (credit.line.direction !== 'credit')
    throw new AppError('line_direction', 'Only money that came in can be taken back or paid back')
  if (credit.line.currency !== debit.line.currency)
    throw new AppError('line_amount', `That line is in ${credit.line.currency}, this one in ${debit.line.currency}`)
  if (given.purpose === 'reversal' && credit.accountId !== debit.accountId)
    throw new AppError(
      'line_account',
      `That payment came to ${credit.account}, and this money left ${debit.account}: a bank takes back only what it booked on the same account`,
    )
}

const nameAllocation = (purpose: string, lineId: string | null | undefined) => `${purpose} ${lineId}`

/** The refusals of what goes to another than who paid, by the purpose of the allocation and the line that it names. */
function findOtherPayees(debit: StoredLine, lines: ReadonlyMap<string, StoredLine>, given: readonly NewAllocation[]) {
  const found = new Map<string, AppError>()
  for (const each of given) {
    if ((each.purpose !== 'refund' && each.purpose !== 'reversal') || each.lineId === undefined) continue
    const payer = getHolder(lines.get(each.lineId)!)
    const error = each.purpose === 'refund' ? buildAccountError(getHolder(debit), payer) : buildPayeeError(debit, payer)
    if (error) found.set(nameAllocation(each.purpose, each.lineId), error)
  }
  return found
}

/** Locks the orders that the credits to be taken back have paid, in one order for all. */
async function lockPaidOrders(tx: Tx, allocations: readonly NewAllocation[]): Promise<OrderRow[]> {
  const credits = allocations.flatMap((given) => (given.purpose === 'reversal' ? [given.lineId] : []))
  const { rows } = await tx.execute<{ id: string }>(sql`
    SELECT DISTINCT order_id::text AS id FROM bank_allocations
    WHERE line_id = ANY(${textArray(credits)}::bigint[]) AND purpose = 'order' AND undone_at IS NULL`)
  const ids = rows.map(({ id }) => id)
  const orders = await lockOrdersById(tx, ids)
  return [...orders.values()]
}

function toDebitAllocation(given: NewAllocation): PlannedAllocation {
  const { purpose } = given
  const otherLineId = 'lineId' in given ? (given.lineId ?? null) : null
  const code = given.purpose === 'ignored' ? given.code : null
  return { purpose, orderId: null, otherLineId, amount: toUnits(given.amount), cause: null, code }
}

const buildRow = ({ reason }: DebitChange, lineId: string, planned: PlannedAllocation) => ({
  ...planned,
  ...byHand,
  lineId,
  reason,
})

/** Frees as much of the credit as the bank took back, and writes that on the credit's side. */
async function takeBack(tx: Tx, ctx: Ctx, change: DebitChange, planned: PlannedAllocation, madeWith: string) {
  const { debit, lines, reason, now } = change
  const credit = lines.get(planned.otherLineId!)!
  const active = await readActiveRows(tx, credit.id)
  const free = active.reduce((left, { amount }) => left - toUnits(amount), toUnits(credit.line.amount))
  // The newest first. What is to be paid back, or was taken back before, stays.
  const movable = (['order', 'ignored'] as const).flatMap((each) => active.filter(({ purpose }) => purpose === each))
  const { allocations: undone } = chooseAllocations(movable, planned.amount - free)
  const freed = undone.reduce((sum, { amount }) => sum + toUnits(amount), free)
  if (freed < planned.amount)
    throw new AppError('line_amount', `Only ${fromUnits(freed)} ${credit.line.currency} of that line can be taken back`)
  for (const each of undone) await writeUndo(tx, ctx, each, reason ?? 'The bank took the payment back', now, madeWith)
  const taken = { ...buildRow(change, credit.id, { ...planned, otherLineId: debit.id }), madeWith }
  await insertAllocations(tx, ctx, [taken], now)
}

/** What is due on the credit. Throws line_amount for more than that. */
async function requireRefundDue(tx: Tx, { debit }: DebitChange, planned: PlannedAllocation): Promise<bigint> {
  const [refund] = await readAllocationRows(
    tx,
    sql`WHERE p.line_id = ${planned.otherLineId} AND p.purpose = 'refund' AND p.undone_at IS NULL LIMIT 1`,
  )
  const due = toUnits(refund?.lineRefundDue ?? '0')
  if (planned.amount <= due) return due
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
  const refunds = await readAllocationRows(
    tx,
    sql`WHERE p.line_id = ${creditId} AND p.purpose = 'refund' AND p.undone_at IS NULL ORDER BY p.id DESC`,
  )
  const common = { ...byHand, madeWith }
  const kept: NewAllocationRow[] = []
  let left = rest
  for (const refund of refunds) {
    if (left <= 0n) break
    const amount = toUnits(refund.amount)
    const cut = left < amount ? left : amount
    left -= cut
    await writeUndo(tx, ctx, refund, reason ?? 'The rest is not paid back', now, madeWith)
    if (cut < amount) kept.push({ ...common, ...pickDecision(refund), amount: amount - cut })
  }
  const aside = { purpose: 'ignored' as const, orderId: null, otherLineId: null, amount: rest, cause: null, code }
  await insertAllocations(tx, ctx, [...kept, { ...common, ...aside, lineId: creditId, reason }], now)
}
