import { sql } from 'drizzle-orm'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import type { TransactionStatus, TransactionType } from '#contract/transactions.ts'
import { parseAddress } from '#server/lib/evm-address.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import {
  changed,
  insertRows,
  isSameDecimal,
  knownMembers,
  play,
  recordset,
  textArray,
  unknownMember,
  type Outcome,
} from '#server/core/upsert.ts'

export type PlatformTransactionItem = {
  id: string
  memberId: string
  type: TransactionType
  amount: string
  status: TransactionStatus
  createdAt: string
}

export type FractionItem = {
  id: string
  memberId: string
  projectName: string
  amount: string
  tokenAddress: string
  receivedAt: string
}

const foreign = (what: string) => new AppError('id_taken', `id: this ${what} belongs to another member`)

/**
 * Money that has moved may turn out to have failed, which is for good, and no other money than it was: what the operator
 * saw settled stays. Another try is another transaction.
 */
function whySettled(item: PlatformTransactionItem, present: PlatformTransactionItem): AppError | undefined {
  const { id, status } = present
  if (status === 'pending') return undefined
  const refuse = (problem: string) => new AppError('transaction_state', problem, { details: { status } })
  if (item.status !== status && !(status === 'completed' && item.status === 'failed'))
    return refuse(`status: transaction ${id} is ${status} and can't become ${item.status}`)
  if (item.type !== present.type)
    return refuse(`type: transaction ${id} is ${status}, so its type stays ${present.type}`)
  if (!isSameDecimal(item.amount, present.amount))
    return refuse(`amount: transaction ${id} is ${status}, so its amount stays ${present.amount}`)
  return undefined
}

/** `12.5` for a stored `12.50` is no change. */
const amountChange = (present: { amount: string }, given: { amount: string }) =>
  isSameDecimal(present.amount, given.amount) ? present.amount : given.amount

/** Platform transactions by the platform's own ids; one never moves to another member. */
export async function savePlatformTransactions(
  tx: Tx,
  _ctx: Ctx,
  items: readonly PlatformTransactionItem[],
): Promise<Outcome[]> {
  const members = await knownMembers(
    tx,
    items.map((item) => item.memberId),
  )
  const found = await tx.execute<PlatformTransactionItem>(sql`
    SELECT id, member_id AS "memberId", type, amount, status, created_at AS "createdAt" FROM platform_transactions
    WHERE id = ANY(${textArray(items.map((item) => item.id))}) ORDER BY id FOR NO KEY UPDATE`)
  const stored = new Map(found.rows.map((row) => [row.id, { ...row, createdAt: toInstant(row.createdAt) }]))
  const { outcomes, inserts, updates } = play(
    items,
    stored,
    (item) => item.id,
    (item, present) => {
      if (!members.has(item.memberId)) return unknownMember(item.memberId)
      if (!present) return { ...item }
      if (present.memberId !== item.memberId) return foreign('transaction')
      const { type, status, createdAt } = item
      const settled = whySettled(item, present)
      if (settled) return settled
      return changed<PlatformTransactionItem>(present, { type, status, createdAt, amount: amountChange(present, item) })
    },
  )
  const columns = sql`AS r(id text, "memberId" text, type text, amount numeric, status text, "createdAt" timestamptz)`
  if (updates.length > 0)
    await tx.execute(sql`
      UPDATE platform_transactions AS t
      SET type = r.type, amount = r.amount, status = r.status, created_at = r."createdAt"
      FROM ${recordset(updates)} ${columns} WHERE t.id = r.id`)
  if (inserts.length > 0)
    await insertRows(
      tx,
      inserts.length,
      sql`
      INSERT INTO platform_transactions (id, member_id, type, amount, status, created_at)
      SELECT r.id, r."memberId", r.type, r.amount, r.status, r."createdAt" FROM ${recordset(inserts)} ${columns}
      ORDER BY r.id ON CONFLICT DO NOTHING`,
    )
  return outcomes
}

/** Fractions by the platform's own ids; one never moves to another member. */
export async function saveFractions(tx: Tx, _ctx: Ctx, items: readonly FractionItem[]): Promise<Outcome[]> {
  const members = await knownMembers(
    tx,
    items.map((item) => item.memberId),
  )
  const found = await tx.execute<FractionItem>(sql`
    SELECT id, member_id AS "memberId", project_name AS "projectName", amount, token_address AS "tokenAddress",
      received_at AS "receivedAt" FROM fractions
    WHERE id = ANY(${textArray(items.map((item) => item.id))}) ORDER BY id FOR NO KEY UPDATE`)
  const stored = new Map(found.rows.map((row) => [row.id, { ...row, receivedAt: toInstant(row.receivedAt) }]))
  const { outcomes, inserts, updates } = play(
    items,
    stored,
    (item) => item.id,
    (item, present) => {
      const tokenAddress = parseAddress(item.tokenAddress)
      if (!tokenAddress) return invalidField('tokenAddress', 'does not match its EIP-55 checksum')
      if (!members.has(item.memberId)) return unknownMember(item.memberId)
      if (!present) return { ...item, tokenAddress }
      if (present.memberId !== item.memberId) return foreign('fraction')
      const { projectName, receivedAt } = item
      return changed<FractionItem>(present, {
        projectName,
        receivedAt,
        tokenAddress,
        amount: amountChange(present, item),
      })
    },
  )
  const columns = sql`AS r(id text, "memberId" text, "projectName" text, amount numeric, "tokenAddress" text,
    "receivedAt" timestamptz)`
  if (updates.length > 0)
    await tx.execute(sql`
      UPDATE fractions AS f SET project_name = r."projectName", amount = r.amount, token_address = r."tokenAddress",
        received_at = r."receivedAt"
      FROM ${recordset(updates)} ${columns} WHERE f.id = r.id`)
  if (inserts.length > 0)
    await insertRows(
      tx,
      inserts.length,
      sql`
      INSERT INTO fractions (id, member_id, project_name, amount, token_address, received_at)
      SELECT r.id, r."memberId", r."projectName", r.amount, r."tokenAddress", r."receivedAt"
      FROM ${recordset(inserts)} ${columns} ORDER BY r.id ON CONFLICT DO NOTHING`,
    )
  return outcomes
}
