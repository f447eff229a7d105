import { sql } from 'drizzle-orm'
import type { TransactionStatus, TransactionType } from '#contract/transactions.ts'
import { parseAddress } from '#server/lib/evm-address.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import type { RowOf } from '#server/db/select.ts'
import { chainTransactions } from '#server/db/tables/transactions.ts'
import { writableColumns, insertRows, updateRows } from '#server/db/write.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import { omit } from '#server/lib/omit.ts'
import { textArray } from '#server/db/parameters.ts'
import { isSameDecimal } from '#server/lib/decimal.ts'
import { applyChange, applyItems, type Outcome } from '#server/core/upsert.ts'

export interface ChainTransactionItem {
  transactionHash: string
  logIndex: number
  walletAddress: string
  transactionType: TransactionType
  tokenAddress: string
  tokenSymbol?: string | undefined
  projectName?: string | undefined
  amount: string
  status: TransactionStatus
  createdAt: string
}

/** All columns except those that only the indexer writes. */
const writtenColumns = omit(writableColumns(chainTransactions), [
  'chainId',
  'blockNumber',
  'blockHash',
  'fromAddress',
  'toAddress',
  'amountRaw',
])
type ChainRow = RowOf<typeof writtenColumns>
const keyColumns = {
  transactionHash: writtenColumns.transactionHash,
  logIndex: writtenColumns.logIndex,
  walletAddress: writtenColumns.walletAddress,
}

type TransferKey = RowOf<typeof keyColumns>
const logKeyOf = (row: TransferKey) => `${row.transactionHash.toLowerCase()}/${row.logIndex}`

/** A transfer may be imported for both wallets. A transfer from the indexer is one row, whichever an item names. */
function chooseKeyOf(indexed: ReadonlySet<string>) {
  return (row: TransferKey) =>
    indexed.has(logKeyOf(row)) ? logKeyOf(row) : `${logKeyOf(row)}/${row.walletAddress.toLowerCase()}`
}

/**
 * Saves transfers that the platform imports. Wallet and token need not be registered (product 10.2). Refuses an item
 * that contradicts what the indexer read from the chain.
 */
export async function saveChainTransactions(
  tx: Tx,
  ctx: Ctx,
  items: readonly ChainTransactionItem[],
): Promise<Outcome[]> {
  // The indexer locks its cursor while it writes. Otherwise both could write the same transfer under different wallets.
  if (!ctx.isDryRun) await tx.execute(sql`SELECT FROM chain_cursors ORDER BY chain_id FOR SHARE`)
  const found = await tx
    .select(writtenColumns)
    .from(chainTransactions)
    .where(
      sql`${keyColumns.transactionHash} = ANY(${textArray(items.map((item) => item.transactionHash.toLowerCase()))})`,
    )
    .orderBy(...Object.values(keyColumns))
    .for('no key update')
  const keyOf = chooseKeyOf(new Set(found.filter((row) => !row.isImported).map(logKeyOf)))
  const stored = new Map(found.map((row) => [keyOf(row), row]))
  const { outcomes, inserts, updates } = applyItems(items, stored, keyOf, applyItem)
  await updateRows(
    tx,
    keyColumns,
    omit(writtenColumns, ['transactionHash', 'logIndex', 'walletAddress', 'isImported']),
    updates,
  )
  await insertRows(tx, writtenColumns, inserts, ['transactionHash', 'logIndex', 'walletAddress'])
  return outcomes
}

function applyItem(item: ChainTransactionItem, present: ChainRow | undefined): ChainRow | AppError {
  const walletAddress = parseAddress(item.walletAddress)
  if (!walletAddress) return invalidField('walletAddress', 'does not match its EIP-55 checksum')
  const tokenAddress = parseAddress(item.tokenAddress)
  if (!tokenAddress) return invalidField('tokenAddress', 'does not match its EIP-55 checksum')
  const { transactionType, tokenSymbol, projectName, amount, status, createdAt } = item
  const given = { walletAddress, transactionType, tokenAddress, status, createdAt }
  if (!present)
    return {
      ...given,
      transactionHash: item.transactionHash.toLowerCase(),
      logIndex: item.logIndex,
      amount,
      tokenSymbol: tokenSymbol ?? null,
      projectName: projectName ?? null,
      isImported: true,
    }
  const optional = {
    ...(tokenSymbol !== undefined && { tokenSymbol }),
    ...(projectName !== undefined && { projectName }),
  }
  const amountNow = isSameDecimal(present.amount, amount) ? present.amount : amount
  const after = applyChange<ChainRow>(present, { ...given, ...optional, amount: amountNow })
  if (after !== present && !present.isImported)
    return new AppError(
      'chain_disagrees',
      'transactionHash: this transfer was read from the chain itself, which says otherwise',
    )
  return after
}
