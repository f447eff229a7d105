import { sql } from 'drizzle-orm'
import { findPlacesProblem } from '#contract/currencies.ts'
import { findIbanProblem, leastIban } from '#contract/iban.ts'
import { hasBankMoney, orderStatusLabels } from '#contract/order-moves.ts'
import type { ImportLine } from '#contract/schemas/platform.ts'
import { trimText } from '#contract/visible.ts'
import { actorName, auditAll, type AuditEntry } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { orders } from '#server/db/tables/orders.ts'
import { writableColumns, insertRows, updateRows, type WrittenRow } from '#server/db/write.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import { omit } from '#server/lib/omit.ts'
import { textArray } from '#server/db/parameters.ts'
import { isSameDecimal } from '#server/lib/decimal.ts'
import {
  applyChange,
  findKnownMembers,
  applyItems,
  checkPrecondition,
  type Outcome,
  type Precondition,
} from '#server/core/upsert.ts'
import { readDatabaseTime, bankMoneyError, mayHaveBeen, isChangeable, stateConflict } from './state.ts'

export type OrderItem = Omit<ImportLine<'order'>, 'type'>

/** The database maintains `memberSearch` and `changedIn`. `received` and `paidVia` follow from the bank's money and are read alone. */
const writtenColumns = omit(writableColumns(orders), ['memberSearch', 'changedIn', 'received', 'paidVia'])
/** Fields that only a new order may set. Afterwards they are decided here. */
const historyFields = ['status', 'notes', 'paidAt', 'completedAt'] as const
/** What the platform may change while an order waits for payment. */
const changeableColumns = omit(writtenColumns, [
  'orderNumber',
  'memberId',
  ...historyFields,
  'statusChangedBy',
  'statusChangedAt',
])
const auditedFields = Object.keys(
  omit(changeableColumns, ['createdAt', 'version']),
) as (keyof typeof changeableColumns)[]

/** An order in memory. `id` and `createdAt` are null until it is stored. */
type OrderRow = WrittenRow<typeof writtenColumns> &
  Pick<
    typeof orders.$inferSelect,
    (typeof historyFields)[number] | 'received' | 'statusChangedBy' | 'statusChangedAt' | 'version'
  > & { id: string | null }

/**
 * Creates and updates orders by their numbers (product 7.8). A known order may change only while it waits for payment.
 * Repeated data changes nothing, different data is refused. Only a new order may bring a history. `isCall`: refuses
 * what nobody could pay, which a history may hold. Writes audit rows of changes. The caller audits creations.
 */
export async function saveOrders(
  tx: Tx,
  ctx: Ctx,
  items: readonly OrderItem[],
  { precondition, isCall = false }: { precondition?: Precondition | undefined; isCall?: boolean } = {},
): Promise<Outcome[]> {
  const members = await findKnownMembers(tx, items)
  const stored = await lockOrders(tx, items)
  const banned = await lockBuyers(
    tx,
    items.filter((item) => !stored.has(item.orderNumber)),
  )
  const now = await readDatabaseTime(tx)
  const audits: AuditEntry[] = []
  const { outcomes, inserts, updates } = applyItems(
    items,
    stored,
    (item) => item.orderNumber,
    (item, present) => {
      const refusal = members.refuse(item.memberId)
      if (refusal) return refusal
      const stale = checkPrecondition('order', precondition, present)
      const problem = stale ?? (isCall ? checkPayable(item, present) : undefined)
      if (!present) return (banned.has(item.memberId) && checkBanned(item)) || problem || createRow(ctx, item, now)
      const after = updateRow(item, present, now)
      if (after instanceof AppError || after === present) return after
      if (problem) return problem
      if (present.id !== null) audits.push(buildAuditEntry(present.id, present, after))
      return { ...after, version: present.version + 1 }
    },
  )
  await updateRows(tx, { id: orders.id }, changeableColumns, updates)
  await insertRows(tx, writtenColumns, inserts, ['orderNumber'])
  await auditAll(tx, ctx, audits)
  return outcomes
}

/** Accepts past orders of a banned member. Refuses an order that would still have to be paid. */
function checkBanned({ status = 'waiting_payment', memberId }: OrderItem): AppError | undefined {
  if (status !== 'waiting_payment') return undefined
  return new AppError('member_banned', `memberId: the member ${memberId} is banned and can place no new order`, {
    details: { status: 'banned' },
  })
}

/** Refuses a new or changed account or amount that no bank takes. */
function checkPayable({ iban, investmentAmount, currency }: OrderItem, present?: OrderRow): AppError | undefined {
  const ibanProblem = iban === present?.iban ? null : findIbanProblem(iban, leastIban)
  if (ibanProblem) return invalidField('iban', ibanProblem)
  const isSame = present?.currency === currency && isSameDecimal(present.investmentAmount, investmentAmount)
  const problem = isSame ? null : findPlacesProblem(investmentAmount, currency)
  return problem ? invalidField('investmentAmount', problem) : undefined
}

/** Requires the order created, paid, completed, and an expiry after the creation. Without history it is created now. */
function checkDates(item: OrderItem, now: string): AppError | undefined {
  const { createdAt, paidAt, completedAt, expiresAt, status = 'waiting_payment' } = item
  if (!createdAt && status !== 'waiting_payment') return invalidField('createdAt', 'is needed beside another status')
  const madeAt = createdAt ?? now
  if (expiresAt < madeAt) return invalidField('expiresAt', `must not be before createdAt, ${madeAt}`)
  if (status === 'expired' && expiresAt > now)
    return invalidField('expiresAt', `must not be after now, ${now}, for an expired order`)
  if (paidAt && paidAt < madeAt) return invalidField('paidAt', `must not be before createdAt, ${madeAt}`)
  const [before, name] = paidAt ? [paidAt, 'paidAt'] : [madeAt, 'createdAt']
  if (completedAt && completedAt < before) return invalidField('completedAt', `must not be before ${name}, ${before}`)
  return undefined
}

function createRow({ actor }: Ctx, item: OrderItem, now: string): OrderRow | AppError {
  const { status = 'waiting_payment', paidAt = null, completedAt = null, notes = null } = item
  const label = orderStatusLabels[status].toLowerCase()
  if (paidAt !== null && !mayHaveBeen('paid', status))
    return invalidField('paidAt', `an order that is ${label} has not been paid`)
  if (completedAt !== null && !mayHaveBeen('completed', status))
    return invalidField('completedAt', `an order that is ${label} has not been completed`)
  const disorder = checkDates(item, now)
  if (disorder) return disorder
  const isMoved = status !== 'waiting_payment'
  return {
    ...item,
    id: null,
    createdAt: item.createdAt ?? null,
    status,
    notes: trimText(notes) || null,
    paidAt,
    completedAt,
    received: '0.00',
    statusChangedBy: isMoved ? actorName(actor) : null,
    statusChangedAt: isMoved ? (completedAt ?? paidAt) : null,
    version: 1,
  }
}

function updateRow(item: OrderItem, present: OrderRow, now: string): OrderRow | AppError {
  if (present.memberId !== item.memberId)
    return new AppError('id_taken', 'memberId: this order belongs to another member')
  if (differsInHistory(item, present)) return checkDecision(item, present, now) ?? stateConflict(present, now)
  const body = omit(item, ['orderNumber', 'memberId', ...historyFields])
  const isSameAmount = isSameDecimal(present.investmentAmount, item.investmentAmount)
  const after = applyChange<OrderRow>(present, {
    ...body,
    createdAt: body.createdAt ?? present.createdAt,
    investmentAmount: isSameAmount ? present.investmentAmount : item.investmentAmount,
  })
  if (after === present) return after
  if (!isChangeable(present, now)) return stateConflict(present, now)
  if (hasBankMoney(present)) return bankMoneyError(present)
  return checkDates({ ...item, createdAt: after.createdAt ?? undefined }, now) ?? after
}

/** Whether the item contradicts the history of the stored order. */
function differsInHistory({ status = 'waiting_payment', paidAt, completedAt, notes }: OrderItem, present: OrderRow) {
  // An item that is sent again after a move does not contradict it.
  if (status !== present.status && mayHaveBeen(status, present.status))
    return paidAt !== undefined && paidAt !== present.paidAt
  if (status !== present.status) return true
  return (
    (paidAt !== undefined && paidAt !== present.paidAt) ||
    (completedAt !== undefined && completedAt !== present.completedAt) ||
    (notes !== undefined && (trimText(notes) || null) !== present.notes)
  )
}

/** Refuses a decision on an order that waits for an operator here. */
function checkDecision(item: OrderItem, present: OrderRow, now: string): AppError | undefined {
  const { status = present.status, paidAt, completedAt } = item
  const isDecision = status !== present.status || paidAt !== undefined || completedAt !== undefined
  if (!isDecision || !isChangeable(present, now)) return undefined
  return new AppError('decision_waits_here', 'status: this order waits for an operator here, who decides it', {
    details: { status: present.status },
  })
}

function buildAuditEntry(id: string, present: OrderRow, after: OrderRow): AuditEntry {
  const fields = auditedFields.filter((field) => present[field] !== after[field])
  const pick = (row: OrderRow) => Object.fromEntries(fields.map((field) => [field, row[field]]))
  return {
    action: 'update_order',
    target: { type: 'order', id },
    details: { orderNumber: present.orderNumber, before: pick(present), after: pick(after) },
  }
}

async function lockOrders(tx: Tx, items: readonly OrderItem[]) {
  const found = await tx
    .select({ id: orders.id, received: orders.received, ...writtenColumns })
    .from(orders)
    .where(sql`${orders.orderNumber} = ANY(${textArray(items.map((item) => item.orderNumber))})`)
    .orderBy(orders.id)
    .for('no key update')
  return new Map(found.map((row): [string, OrderRow] => [row.orderNumber, row]))
}

/**
 * Reads which members of these items are banned. None can be banned until the transaction ends. The trigger that copies
 * the members' search texts locks them too, so all imports lock in the same order to avoid a deadlock.
 */
async function lockBuyers(tx: Tx, items: readonly OrderItem[]): Promise<Set<string>> {
  if (items.length === 0) return new Set()
  const ids = textArray(items.map((item) => item.memberId))
  const { rows } = await tx.execute<{ id: string; banned: boolean }>(
    sql`SELECT id, banned FROM members WHERE id = ANY(${ids}) ORDER BY id FOR SHARE`,
  )
  return new Set(rows.filter(({ banned }) => banned).map(({ id }) => id))
}
