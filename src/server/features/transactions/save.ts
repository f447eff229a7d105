import { sql } from 'drizzle-orm'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import type { RowOf } from '#server/db/select.ts'
import { fractions, platformTransactions } from '#server/db/tables/transactions.ts'
import { writableColumns, insertRows, updateRows } from '#server/db/write.ts'
import { parseAddress } from '#server/lib/evm-address.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import { omit } from '#server/lib/omit.ts'
import { textArray } from '#server/db/parameters.ts'
import { isSameDecimal } from '#server/lib/decimal.ts'
import { applyChange, findKnownMembers, applyItems, type Outcome } from '#server/core/upsert.ts'

const transactionColumns = writableColumns(platformTransactions)
export type PlatformTransactionItem = RowOf<typeof transactionColumns>
const fractionColumns = writableColumns(fractions)
export type FractionItem = RowOf<typeof fractionColumns>

const otherMemberError = (what: string) => new AppError('id_taken', `id: this ${what} belongs to another member`)

/**
 * A settled transaction may still fail, which is final. Its other fields stay, because an operator may have seen them.
 * Another try is another transaction.
 */
function checkSettled(item: PlatformTransactionItem, present: PlatformTransactionItem): AppError | undefined {
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

/** Keeps the stored amount if the new one is equal: `12.5` and `12.50`. */
const keepEqualAmount = (present: { amount: string }, given: { amount: string }) =>
  isSameDecimal(present.amount, given.amount) ? present.amount : given.amount

/** Saves platform transactions by the platform's ids. A transaction never moves to another member. */
export async function savePlatformTransactions(
  tx: Tx,
  _ctx: Ctx,
  items: readonly PlatformTransactionItem[],
): Promise<Outcome[]> {
  const members = await findKnownMembers(tx, items)
  const found = await tx
    .select(transactionColumns)
    .from(platformTransactions)
    .where(sql`${platformTransactions.id} = ANY(${textArray(items.map((item) => item.id))})`)
    .orderBy(platformTransactions.id)
    .for('no key update')
  const stored = new Map(found.map((row) => [row.id, row]))
  const { outcomes, inserts, updates } = applyItems(
    items,
    stored,
    (item) => item.id,
    (item, present) => {
      const refusal = members.refuse(item.memberId)
      if (refusal) return refusal
      if (!present) return { ...item }
      if (present.memberId !== item.memberId) return otherMemberError('transaction')
      const { type, status, createdAt } = item
      const settled = checkSettled(item, present)
      if (settled) return settled
      return applyChange<PlatformTransactionItem>(present, {
        type,
        status,
        createdAt,
        amount: keepEqualAmount(present, item),
      })
    },
  )
  await updateRows(tx, { id: platformTransactions.id }, omit(transactionColumns, ['id', 'memberId']), updates)
  await insertRows(tx, transactionColumns, inserts, ['id'])
  return outcomes
}

/** Saves fractions by the platform's ids. A fraction never moves to another member. */
export async function saveFractions(tx: Tx, _ctx: Ctx, items: readonly FractionItem[]): Promise<Outcome[]> {
  const members = await findKnownMembers(tx, items)
  const found = await tx
    .select(fractionColumns)
    .from(fractions)
    .where(sql`${fractions.id} = ANY(${textArray(items.map((item) => item.id))})`)
    .orderBy(fractions.id)
    .for('no key update')
  const stored = new Map(found.map((row) => [row.id, row]))
  const { outcomes, inserts, updates } = applyItems(
    items,
    stored,
    (item) => item.id,
    (item, present) => {
      const tokenAddress = parseAddress(item.tokenAddress)
      if (!tokenAddress) return invalidField('tokenAddress', 'does not match its EIP-55 checksum')
      const refusal = members.refuse(item.memberId)
      if (refusal) return refusal
      if (!present) return { ...item, tokenAddress }
      if (present.memberId !== item.memberId) return otherMemberError('fraction')
      const { projectName, receivedAt } = item
      return applyChange<FractionItem>(present, {
        projectName,
        receivedAt,
        tokenAddress,
        amount: keepEqualAmount(present, item),
      })
    },
  )
  await updateRows(tx, { id: fractions.id }, omit(fractionColumns, ['id', 'memberId']), updates)
  await insertRows(tx, fractionColumns, inserts, ['id'])
  return outcomes
}
