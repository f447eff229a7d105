import { sql } from 'drizzle-orm'
import type { TransactionStatus } from '#contract/transactions.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import type { RowOf } from '#server/db/select.ts'
import { chainTransactions } from '#server/db/tables/transactions.ts'
import { writableColumns, insertRows, updateRows } from '#server/db/write.ts'
import { textArray } from '#server/db/parameters.ts'
import { omit } from '#server/lib/omit.ts'
import { instantOf } from './blocks.ts'
import { enqueueConfirmed, enqueueDropped } from './deposit-events.ts'
import type { MissingTransfer } from './fates.ts'
import { classifyTransfer, toAmount, type Transfer } from './transfers.ts'
import { type WatchList, watchedWallets } from './watch-list.ts'

const writtenColumns = writableColumns(chainTransactions)

/** A row of the indexer, without the columns that all rows of a turn share. */
export type TransferRow = {
  [Name in keyof Omit<RowOf<typeof writtenColumns>, 'status' | 'isImported' | 'chainId'>]: NonNullable<
    RowOf<typeof writtenColumns>[Name]
  >
}

/** The rows of those transfers that are a watched wallet's, in the chain's order. */
export async function toRows(
  ctx: Pick<Ctx, 'database' | 'chain'>,
  transfers: readonly Transfer[],
  watchList: WatchList,
): Promise<TransferRow[]> {
  const rows: TransferRow[] = []
  const addresses = new Set(transfers.flatMap(({ fromAddress, toAddress }) => [fromAddress, toAddress]))
  const members = await watchedWallets(ctx, watchList).findAmong(addresses)
  for (const { raw, at, ...transfer } of transfers) {
    const token = watchList.tokens.get(transfer.tokenAddress)
    const whose = classifyTransfer(transfer, (address) => members.has(address))
    if (!token || !whose || at === undefined) continue
    const { tokenSymbol, projectName, decimals } = token
    rows.push({
      ...transfer,
      ...whose,
      tokenSymbol,
      projectName,
      amount: toAmount(raw, decimals),
      amountRaw: raw.toString(),
      createdAt: instantOf({ at }),
    })
  }
  return rows.toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}

const keyOf = ({ transactionHash, logIndex }: { transactionHash: string; logIndex: number }) =>
  `${transactionHash}/${logIndex}`

type StoredTransfer = {
  id: string
  transactionHash: string
  logIndex: number
  walletAddress: string
  transactionType: string
  status: string
  amount: string
  blockHash: string | null
  /** Milliseconds since 1970. */
  minedAt: number
  isImported: boolean
}

const rowsPerBatch = 2000

/**
 * Writes transfers as the chain has them, one row per log. They replace rows that were imported, or were read for
 * another wallet. Deposits that are final now are told to the platform. Returns the number of changed rows.
 */
export async function saveTransfers(
  tx: Tx,
  ctx: Pick<Ctx, 'chain' | 'config'>,
  rows: readonly TransferRow[],
  status: 'pending' | 'completed',
): Promise<number> {
  let changes = 0
  for (let at = 0; at < rows.length; at += rowsPerBatch)
    changes += await saveBatch(tx, ctx, rows.slice(at, at + rowsPerBatch), status)
  return changes
}

async function saveBatch(
  tx: Tx,
  ctx: Pick<Ctx, 'chain' | 'config'>,
  rows: readonly TransferRow[],
  status: TransactionStatus,
): Promise<number> {
  const { chainId } = ctx.chain
  const present = await tx.execute<StoredTransfer>(sql`
    SELECT id::text, transaction_hash AS "transactionHash", log_index AS "logIndex", wallet_address AS "walletAddress",
      transaction_type AS "transactionType", status, trim_scale(amount)::text AS amount, block_hash AS "blockHash",
      (extract(epoch FROM created_at) * 1000)::float8 AS "minedAt", is_imported AS "isImported"
    FROM chain_transactions WHERE transaction_hash = ANY(${textArray(rows.map((row) => row.transactionHash))})
    ORDER BY transaction_hash, log_index, wallet_address FOR UPDATE`)
  const known = Map.groupBy(present.rows, keyOf)
  const inserts: TransferRow[] = []
  const updates: (TransferRow & { id: string })[] = []
  const surplus: string[] = []
  for (const row of rows) {
    const found = known.get(keyOf(row)) ?? []
    const [kept] = found.toSorted((a, b) => Number(a.isImported) - Number(b.isImported))
    surplus.push(...found.filter((other) => other !== kept).map(({ id }) => id))
    if (!kept) inserts.push(row)
    else if (!isUnchanged(kept, row, status)) updates.push({ ...row, id: kept.id })
  }
  if (surplus.length > 0)
    await tx.execute(sql`DELETE FROM chain_transactions WHERE id = ANY(${sql.param(surplus)}::bigint[])`)
  const whole = <Row extends TransferRow>(row: Row) => ({ ...row, status, chainId, isImported: false })
  const { id } = chainTransactions
  await updateRows(tx, { id }, omit(writtenColumns, ['transactionHash', 'logIndex']), updates.map(whole))
  await insertRows(tx, writtenColumns, inserts.map(whole), ['blockNumber', 'logIndex'])
  if (status === 'completed') await enqueueConfirmed(tx, ctx, [...updates, ...inserts])
  return surplus.length + updates.length + inserts.length
}

const isUnchanged = (kept: StoredTransfer, row: TransferRow, status: string) =>
  !kept.isImported &&
  kept.status === status &&
  kept.amount === row.amount &&
  kept.blockHash === row.blockHash &&
  kept.minedAt === Date.parse(row.createdAt) &&
  kept.walletAddress === row.walletAddress &&
  kept.transactionType === row.transactionType

const blockKeyOf = ({ transactionHash, blockHash }: TransferRow) => `${transactionHash}/${blockHash}`

const isIndexerRow = (chainId: number) => sql`chain_id = ${chainId} AND NOT is_imported`

/**
 * Deletes transfers that a reorganisation moved to another block and other logs. A row of the same block stays, because
 * only its log is missing. Returns the number of deleted rows.
 */
export async function deleteMoved(tx: Tx, ctx: Ctx, rows: readonly TransferRow[]): Promise<number> {
  const isMoved = sql`${isIndexerRow(ctx.chain.chainId)} AND status <> 'completed'
      AND transaction_hash = ANY(${textArray(rows.map((row) => row.transactionHash))})
      AND transaction_hash || '/' || block_hash <> ALL(${textArray(rows.map(blockKeyOf))})
      AND transaction_hash || '/' || log_index <> ALL(${textArray(rows.map(keyOf))})`
  const moved = await tx.execute<{ transactionHash: string; logIndex: number }>(sql`
    UPDATE chain_transactions SET status = 'failed' WHERE ${isMoved}
    RETURNING transaction_hash AS "transactionHash", log_index AS "logIndex"`)
  if (moved.rows.length === 0) return 0
  await enqueueDropped(tx, ctx, moved.rows, { onlyConfirmed: true })
  await tx.execute(sql`DELETE FROM chain_transactions WHERE ${isMoved}`)
  return moved.rows.length
}

/** Deletes pending transfers of removed wallets, which nobody reads any more. Returns the number of deleted rows. */
export async function deleteUnwatched(tx: Tx, chainId: number): Promise<number> {
  const unwatched = await tx.execute<Record<string, unknown>>(sql`
    DELETE FROM chain_transactions t WHERE ${isIndexerRow(chainId)} AND status = 'pending' AND NOT EXISTS (
      SELECT FROM chain_coverage v WHERE v.chain_id = ${chainId} AND v.kind = 'wallet' AND v.address = t.wallet_address)`)
  return unwatched.rowCount ?? 0
}

const selectMissing = (chainId: number, status: TransactionStatus, rows: readonly TransferRow[]) => sql`
  SELECT id::text, transaction_hash AS "transactionHash", log_index AS "logIndex", block_number::float8 AS "blockNumber",
    block_hash AS "blockHash", token_address AS "tokenAddress", from_address AS "fromAddress",
    to_address AS "toAddress", amount_raw::text AS "amountRaw"
  FROM chain_transactions t WHERE ${isIndexerRow(chainId)} AND status = ${status}
    AND transaction_hash || '/' || log_index <> ALL(${textArray(rows.map(keyOf))})`

type MissingRow = MissingTransfer & Record<string, unknown>

/** Finds pending transfers up to block `to` that are not in `rows`, which are all that nodes currently return. */
export async function findMissing(
  tx: Tx,
  chainId: number,
  to: number,
  rows: readonly TransferRow[],
): Promise<MissingTransfer[]> {
  const { rows: missing } = await tx.execute<MissingRow>(
    sql`${selectMissing(chainId, 'pending', rows)} AND block_number <= ${to} ORDER BY id`,
  )
  return missing
}

/**
 * Finds final transfers of these blocks that are not in `rows`, which are all that a node returned when it was asked
 * again. Only of tokens and wallets that are read: of others nothing was asked.
 */
export async function findVanished(
  tx: Tx,
  chainId: number,
  blocks: { from: number; to: number },
  rows: readonly TransferRow[],
): Promise<MissingTransfer[]> {
  const isRead = (kind: 'token' | 'wallet', address: string) => sql`EXISTS (SELECT FROM chain_coverage v
    WHERE v.chain_id = ${chainId} AND v.kind = ${kind} AND v.address = ${sql.raw(address)})`
  const { rows: vanished } = await tx.execute<MissingRow>(sql`
    ${selectMissing(chainId, 'completed', rows)} AND block_number BETWEEN ${blocks.from} AND ${blocks.to}
      AND ${isRead('token', 't.token_address')} AND ${isRead('wallet', 't.wallet_address')} ORDER BY id`)
  return vanished
}

/** Sets the status of these transfers where it is `from`, and returns those. */
export async function setStatus(
  tx: Tx,
  transfers: readonly MissingTransfer[],
  change: { from: TransactionStatus; to: TransactionStatus },
): Promise<MissingTransfer[]> {
  if (transfers.length === 0) return []
  const { rows } = await tx.execute<{ id: string }>(sql`
    UPDATE chain_transactions SET status = ${change.to}
    WHERE id = ANY(${sql.param(transfers.map(({ id }) => id))}::bigint[]) AND status = ${change.from} RETURNING id::text`)
  const changed = new Set(rows.map(({ id }) => id))
  return transfers.filter(({ id }) => changed.has(id))
}
