import { sql } from 'drizzle-orm'
import { orderStatusLabels, type OrderStatus } from '#contract/order-moves.ts'
import type { ImportLine } from '#contract/schemas/platform.ts'
import { trimText } from '#contract/visible.ts'
import { actorName, auditAll, type AuditEntry } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import {
  changed,
  insertRows,
  isSameDecimal,
  knownMembers,
  play,
  recordset,
  staleChange,
  textArray,
  unknownMember,
  type Outcome,
  type Precondition,
} from '#server/core/upsert.ts'
import { databaseTime } from './clock.ts'
import { mayHaveBeen, isChangeable, stateConflict } from './state.ts'

export type OrderItem = Omit<ImportLine<'order'>, 'type'>

interface OrderRow {
  /** Null until the order is stored. */
  id: string | null
  orderNumber: string
  memberId: string
  projectId: string
  projectName: string
  investmentAmount: string
  currency: string
  expiresAt: string
  bankName: string
  accountHolder: string
  accountNumber: string
  iban: string
  swift: string
  paymentInstructions: string
  createdAt: string | null
  status: OrderStatus
  notes: string | null
  paidAt: string | null
  completedAt: string | null
  statusChangedBy: string | null
  statusChangedAt: string | null
  version: number
}

const bankFields = [
  'bankName',
  'accountHolder',
  'accountNumber',
  'iban',
  'swift',
  'paymentInstructions',
] as const satisfies (keyof OrderItem)[]
const auditedFields = [
  'projectId',
  'projectName',
  'investmentAmount',
  'currency',
  'expiresAt',
  ...bankFields,
] as const satisfies (keyof OrderItem)[]

/**
 * Creates and updates orders by their numbers (product 7.8). One that is known may be changed only while it waits for
 * payment; what it says again changes nothing, what it says otherwise is refused. A history comes in only with a new order.
 * Changes are audited; creations are the caller's to audit.
 */
export async function saveOrders(
  tx: Tx,
  ctx: Ctx,
  items: readonly OrderItem[],
  precondition?: Precondition,
): Promise<Outcome[]> {
  const members = await knownMembers(
    tx,
    items.map((item) => item.memberId),
  )
  const stored = await lockOrders(tx, items)
  const banned = await lockBuyers(
    tx,
    items.filter((item) => !stored.has(item.orderNumber)),
  )
  const now = await databaseTime(tx)
  const audits: AuditEntry[] = []
  const { outcomes, inserts, updates } = play(
    items,
    stored,
    (item) => item.orderNumber,
    (item, present) => {
      if (!members.has(item.memberId)) return unknownMember(item.memberId)
      const stale = staleChange('order', precondition, present)
      if (!present) return stale ?? ((banned.has(item.memberId) && whyBannedIsRefused(item)) || newRow(ctx, item, now))
      const after = next(item, present, now)
      if (after instanceof AppError || after === present) return after
      if (stale) return stale
      if (present.id !== null) audits.push(changeOf(present.id, present, after))
      return { ...after, version: present.version + 1 }
    },
  )
  await updateOrders(tx, updates)
  await insertOrders(tx, inserts)
  await auditAll(tx, ctx, audits)
  return outcomes
}

/** A banned member's past is taken as it was; what would still have to be paid is refused. */
function whyBannedIsRefused({ status = 'waiting_payment', memberId }: OrderItem): AppError | undefined {
  if (status !== 'waiting_payment') return undefined
  return new AppError('member_banned', `memberId: the member ${memberId} is banned and can place no new order`, {
    details: { status: 'banned' },
  })
}

/** An order is made, then paid, then completed, and expires after it was made. One without a past is made now. */
function whyOutOfOrder(item: OrderItem, now: string): AppError | undefined {
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

function newRow({ actor }: Ctx, item: OrderItem, now: string): OrderRow | AppError {
  const { status = 'waiting_payment', paidAt = null, completedAt = null, notes = null } = item
  const label = orderStatusLabels[status].toLowerCase()
  if (paidAt !== null && !mayHaveBeen('paid', status))
    return invalidField('paidAt', `an order that is ${label} has not been paid`)
  if (completedAt !== null && !mayHaveBeen('completed', status))
    return invalidField('completedAt', `an order that is ${label} has not been completed`)
  const disorder = whyOutOfOrder(item, now)
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
    statusChangedBy: isMoved ? actorName(actor) : null,
    statusChangedAt: isMoved ? (completedAt ?? paidAt) : null,
    version: 1,
  }
}

function next(item: OrderItem, present: OrderRow, now: string): OrderRow | AppError {
  if (present.memberId !== item.memberId)
    return new AppError('id_taken', 'memberId: this order belongs to another member')
  if (differsInHistory(item, present)) return decidesWaiting(item, present, now) ?? stateConflict(present, now)
  const { orderNumber: _, memberId: __, status: ___, notes: ____, paidAt: _____, completedAt: ______, ...body } = item
  const isSameAmount = isSameDecimal(present.investmentAmount, item.investmentAmount)
  const after = changed<OrderRow>(present, {
    ...body,
    createdAt: body.createdAt ?? present.createdAt,
    investmentAmount: isSameAmount ? present.investmentAmount : item.investmentAmount,
  })
  if (after === present) return after
  if (!isChangeable(present, now)) return stateConflict(present, now)
  return whyOutOfOrder({ ...item, createdAt: after.createdAt ?? undefined }, now) ?? after
}

/** Whether the line tells another past than the known order has. */
function differsInHistory({ status = 'waiting_payment', paidAt, completedAt, notes }: OrderItem, present: OrderRow) {
  // A line sent again after a move is no contradiction.
  if (status !== present.status && mayHaveBeen(status, present.status))
    return paidAt !== undefined && paidAt !== present.paidAt
  if (status !== present.status) return true
  return (
    (paidAt !== undefined && paidAt !== present.paidAt) ||
    (completedAt !== undefined && completedAt !== present.completedAt) ||
    (notes !== undefined && (trimText(notes) || null) !== present.notes)
  )
}

/** What became of an order that waits here is an operator's to say. */
function decidesWaiting(item: OrderItem, present: OrderRow, now: string): AppError | undefined {
  const { status = present.status, paidAt, completedAt } = item
  const isDecision = status !== present.status || paidAt !== undefined || completedAt !== undefined
  if (!isDecision || !isChangeable(present, now)) return undefined
  return new AppError('decision_waits_here', 'status: this order waits for an operator here, who decides it', {
    details: { status: present.status },
  })
}

function changeOf(id: string, present: OrderRow, after: OrderRow): AuditEntry {
  const fields = auditedFields.filter((field) => present[field] !== after[field])
  const pick = (row: OrderRow) => Object.fromEntries(fields.map((field) => [field, row[field]]))
  return {
    action: 'update_order',
    target: { type: 'order', id },
    details: { orderNumber: present.orderNumber, before: pick(present), after: pick(after) },
  }
}

async function lockOrders(tx: Tx, items: readonly OrderItem[]) {
  const found = await tx.execute<OrderRow & { createdAt: string }>(sql`
    SELECT id::text, order_number AS "orderNumber", member_id AS "memberId", project_id AS "projectId",
      project_name AS "projectName", investment_amount AS "investmentAmount", currency, expires_at AS "expiresAt",
      bank_name AS "bankName", account_holder AS "accountHolder", account_number AS "accountNumber", iban, swift,
      payment_instructions AS "paymentInstructions", created_at AS "createdAt", status, notes, paid_at AS "paidAt",
      completed_at AS "completedAt", status_changed_by AS "statusChangedBy", status_changed_at AS "statusChangedAt", version
    FROM orders WHERE order_number = ANY(${textArray(items.map((item) => item.orderNumber))})
    ORDER BY id FOR NO KEY UPDATE`)
  return new Map(
    found.rows.map((row): [string, OrderRow] => [
      row.orderNumber,
      {
        ...row,
        expiresAt: toInstant(row.expiresAt),
        createdAt: toInstant(row.createdAt),
        paidAt: row.paidAt && toInstant(row.paidAt),
        completedAt: row.completedAt && toInstant(row.completedAt),
        statusChangedAt: row.statusChangedAt && toInstant(row.statusChangedAt),
      },
    ]),
  )
}

const columns = sql`AS r(id bigint, "orderNumber" text, "memberId" text, "projectId" text, "projectName" text,
  "investmentAmount" numeric, currency text, "expiresAt" timestamptz, "bankName" text, "accountHolder" text,
  "accountNumber" text, iban text, swift text, "paymentInstructions" text, "createdAt" timestamptz, status text, notes text,
  "paidAt" timestamptz, "completedAt" timestamptz, "statusChangedBy" text, "statusChangedAt" timestamptz, version int)`

async function updateOrders(tx: Tx, rows: readonly OrderRow[]) {
  if (rows.length === 0) return
  await tx.execute(sql`
    UPDATE orders AS o SET project_id = r."projectId", project_name = r."projectName",
      investment_amount = r."investmentAmount", currency = r.currency, expires_at = r."expiresAt", bank_name = r."bankName",
      account_holder = r."accountHolder", account_number = r."accountNumber", iban = r.iban, swift = r.swift,
      payment_instructions = r."paymentInstructions", created_at = r."createdAt", version = r.version
    FROM ${recordset(rows)} ${columns} WHERE o.id = r.id`)
}

/**
 * Which of these items' members are banned; none of them can be banned until the transaction ends. The trigger that copies
 * each member's search text locks them too: one order for all keeps two imports from a deadlock.
 */
async function lockBuyers(tx: Tx, items: readonly OrderItem[]): Promise<Set<string>> {
  if (items.length === 0) return new Set()
  const ids = textArray(items.map((item) => item.memberId))
  const { rows } = await tx.execute<{ id: string; banned: boolean }>(
    sql`SELECT id, banned FROM members WHERE id = ANY(${ids}) ORDER BY id FOR SHARE`,
  )
  return new Set(rows.filter(({ banned }) => banned).map(({ id }) => id))
}

async function insertOrders(tx: Tx, rows: readonly OrderRow[]) {
  if (rows.length === 0) return
  await insertRows(
    tx,
    rows.length,
    sql`
    INSERT INTO orders (order_number, member_id, project_id, project_name, investment_amount, currency, expires_at,
      bank_name, account_holder, account_number, iban, swift, payment_instructions, created_at, status, notes, paid_at,
      completed_at, status_changed_by, status_changed_at, version)
    SELECT r."orderNumber", r."memberId", r."projectId", r."projectName", r."investmentAmount", r.currency, r."expiresAt",
      r."bankName", r."accountHolder", r."accountNumber", r.iban, r.swift, r."paymentInstructions",
      coalesce(r."createdAt", now()), r.status, r.notes, r."paidAt", r."completedAt", r."statusChangedBy",
      r."statusChangedAt", r.version
    FROM ${recordset(rows)} ${columns} ORDER BY r."orderNumber" ON CONFLICT DO NOTHING`,
  )
}
