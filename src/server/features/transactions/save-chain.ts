import { sql } from 'drizzle-orm'
import type { TransactionStatus, TransactionType } from '#contract/transactions.ts'
import { parseAddress } from '#server/lib/evm-address.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import { changed, isSameDecimal, insertRows, play, recordset, textArray, type Outcome } from '#server/core/upsert.ts'

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

type ChainRow = {
  transactionHash: string
  logIndex: number
  walletAddress: string
  transactionType: TransactionType
  tokenAddress: string
  tokenSymbol: string | null
  projectName: string | null
  amount: string
  status: TransactionStatus
  createdAt: string
  isImported: boolean
}

type Key = { transactionHash: string; logIndex: number; walletAddress: string }
const logOf = (row: Key) => `${row.transactionHash.toLowerCase()}/${row.logIndex}`

/** A transfer may be imported for both of its wallets; what the indexer read is one row, whichever wallet a line names. */
function keysBeside(indexed: ReadonlySet<string>) {
  return (row: Key) => (indexed.has(logOf(row)) ? logOf(row) : `${logOf(row)}/${row.walletAddress.toLowerCase()}`)
}

/**
 * Transfers that the platform brings along. Wallet and token need not be registered (product 10.2). What the
 * indexer read from the chain itself stands: a line that says otherwise is refused.
 */
export async function saveChainTransactions(
  tx: Tx,
  ctx: Ctx,
  items: readonly ChainTransactionItem[],
): Promise<Outcome[]> {
  // The indexer holds its cursor while it writes: rows of one transfer under its two wallets would not meet otherwise.
  if (!ctx.isRehearsal) await tx.execute(sql`SELECT FROM chain_cursors ORDER BY chain_id FOR SHARE`)
  const found = await tx.execute<ChainRow>(sql`
    SELECT transaction_hash AS "transactionHash", log_index AS "logIndex", wallet_address AS "walletAddress",
      transaction_type AS "transactionType", token_address AS "tokenAddress", token_symbol AS "tokenSymbol",
      project_name AS "projectName", amount, status, created_at AS "createdAt", is_imported AS "isImported"
    FROM chain_transactions
    WHERE transaction_hash = ANY(${textArray(items.map((item) => item.transactionHash.toLowerCase()))})
    ORDER BY transaction_hash, log_index, wallet_address FOR NO KEY UPDATE`)
  const keyOf = keysBeside(new Set(found.rows.filter((row) => !row.isImported).map(logOf)))
  const stored = new Map(found.rows.map((row) => [keyOf(row), { ...row, createdAt: toInstant(row.createdAt) }]))
  const { outcomes, inserts, updates } = play(items, stored, keyOf, next)
  await write(tx, inserts, updates)
  return outcomes
}

function next(item: ChainTransactionItem, present: ChainRow | undefined): ChainRow | AppError {
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
  const after = changed<ChainRow>(present, { ...given, ...optional, amount: amountNow })
  if (after !== present && !present.isImported)
    return new AppError(
      'chain_disagrees',
      'transactionHash: this transfer was read from the chain itself, which says otherwise',
    )
  return after
}

async function write(tx: Tx, inserts: readonly ChainRow[], updates: readonly ChainRow[]) {
  const columns = sql`AS r("transactionHash" text, "logIndex" int, "walletAddress" text, "transactionType" text,
    "tokenAddress" text, "tokenSymbol" text, "projectName" text, amount numeric, status text, "createdAt" timestamptz)`
  if (updates.length > 0)
    await tx.execute(sql`
      UPDATE chain_transactions AS c SET transaction_type = r."transactionType", token_address = r."tokenAddress",
        token_symbol = r."tokenSymbol", project_name = r."projectName", amount = r.amount, status = r.status,
        created_at = r."createdAt"
      FROM ${recordset(updates)} ${columns}
      WHERE c.transaction_hash = r."transactionHash" AND c.log_index = r."logIndex"
        AND c.wallet_address = r."walletAddress"`)
  if (inserts.length > 0)
    await insertRows(
      tx,
      inserts.length,
      sql`
      INSERT INTO chain_transactions (transaction_hash, log_index, wallet_address, transaction_type, token_address,
        token_symbol, project_name, amount, status, is_imported, created_at)
      SELECT r."transactionHash", r."logIndex", r."walletAddress", r."transactionType", r."tokenAddress",
        r."tokenSymbol", r."projectName", r.amount, r.status, true, r."createdAt"
      FROM ${recordset(inserts)} ${columns} ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`,
    )
}
