import { sql } from 'drizzle-orm'
import type { TransactionType } from '#contract/transactions.ts'
import type { Tx } from '#server/db/client.ts'
import { insertRows, textArray } from '#server/upsert.ts'
import { instantOf } from './blocks.ts'
import { classify, toAmount, type Transfer } from './transfers.ts'
import type { Watched } from './watched.ts'

/** A row of the indexer's, but for its status. */
export interface TransferRow {
  transactionHash: string
  logIndex: number
  walletAddress: string
  transactionType: TransactionType
  tokenAddress: string
  tokenSymbol: string
  projectName: string
  amount: string
  amountRaw: string
  createdAt: string
  blockNumber: number
  blockHash: string
  fromAddress: string
  toAddress: string
}

/** `excess` counts transfers of more than an amount may be: they can't be kept. */
export function toRows(transfers: readonly Transfer[], watched: Watched): { rows: TransferRow[]; excess: number } {
  const rows: TransferRow[] = []
  let excess = 0
  for (const { raw, at, ...transfer } of transfers) {
    const token = watched.tokens.get(transfer.tokenAddress)
    const whose = classify(transfer, (address) => watched.wallets.has(address))
    if (!token || !whose || at === undefined) continue
    const { tokenSymbol, projectName, decimals } = token
    const amount = toAmount(raw, decimals)
    if (amount === undefined) excess++
    else
      rows.push({
        ...transfer,
        ...whose,
        tokenSymbol,
        projectName,
        amount,
        amountRaw: raw.toString(),
        createdAt: instantOf({ at }),
      })
  }
  return { rows: rows.toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex), excess }
}

const keyOf = ({ transactionHash, logIndex }: { transactionHash: string; logIndex: number }) =>
  `${transactionHash}/${logIndex}`

type Found = {
  id: string
  transactionHash: string
  logIndex: number
  walletAddress: string
  transactionType: string
  status: string
  amount: string
  blockHash: string | null
  isImported: boolean
}

const atOnce = 2000

const columns = sql`r("transactionHash" text, "logIndex" int, "walletAddress" text, "transactionType" text,
  "tokenAddress" text, "tokenSymbol" text, "projectName" text, amount numeric, "amountRaw" numeric,
  "createdAt" timestamptz, "blockNumber" bigint, "blockHash" text, "fromAddress" text, "toAddress" text, id bigint)`
// As json, which PostgreSQL reads twice as quickly as jsonb.
const given = (rows: readonly object[]) => sql`json_to_recordset(${JSON.stringify(rows)}::json) AS ${columns}`

/**
 * Writes transfers as the chain has them, one row a log: rows that were imported, or were seen from another wallet, become
 * these. Answers how many rows changed.
 */
export async function saveTransfers(
  tx: Tx,
  chainId: number,
  rows: readonly TransferRow[],
  status: 'pending' | 'completed',
): Promise<number> {
  let changes = 0
  for (let at = 0; at < rows.length; at += atOnce)
    changes += await saveSome(tx, chainId, rows.slice(at, at + atOnce), status)
  return changes
}

async function saveSome(tx: Tx, chainId: number, rows: readonly TransferRow[], status: string): Promise<number> {
  const present = await tx.execute<Found>(sql`
    SELECT id::text, transaction_hash AS "transactionHash", log_index AS "logIndex", wallet_address AS "walletAddress",
      transaction_type AS "transactionType", status, trim_scale(amount)::text AS amount, block_hash AS "blockHash", is_imported AS "isImported"
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
    else if (!isSame(kept, row, status)) updates.push({ ...row, id: kept.id })
  }
  if (surplus.length > 0)
    await tx.execute(sql`DELETE FROM chain_transactions WHERE id = ANY(${sql.param(surplus)}::bigint[])`)
  if (updates.length > 0)
    await tx.execute(sql`
      UPDATE chain_transactions AS c SET wallet_address = r."walletAddress", transaction_type = r."transactionType",
        token_address = r."tokenAddress", token_symbol = r."tokenSymbol", project_name = r."projectName",
        amount = r.amount, amount_raw = r."amountRaw", status = ${status}, is_imported = false,
        created_at = r."createdAt", chain_id = ${chainId}, block_number = r."blockNumber", block_hash = r."blockHash",
        from_address = r."fromAddress", to_address = r."toAddress"
      FROM ${given(updates)} WHERE c.id = r.id`)
  if (inserts.length > 0)
    await insertRows(
      tx,
      inserts.length,
      sql`
      INSERT INTO chain_transactions (transaction_hash, log_index, wallet_address, transaction_type, token_address,
        token_symbol, project_name, amount, amount_raw, status, is_imported, created_at, chain_id, block_number,
        block_hash, from_address, to_address)
      SELECT r."transactionHash", r."logIndex", r."walletAddress", r."transactionType", r."tokenAddress",
        r."tokenSymbol", r."projectName", r.amount, r."amountRaw", ${status}, false, r."createdAt", ${chainId}::int,
        r."blockNumber", r."blockHash", r."fromAddress", r."toAddress"
      FROM ${given(inserts)} ORDER BY r."blockNumber", r."logIndex" ON CONFLICT DO NOTHING`,
    )
  return surplus.length + updates.length + inserts.length
}

const isSame = (kept: Found, row: TransferRow, status: string) =>
  !kept.isImported &&
  kept.status === status &&
  kept.amount === row.amount &&
  kept.blockHash === row.blockHash &&
  kept.walletAddress === row.walletAddress &&
  kept.transactionType === row.transactionType

/**
 * What of blocks (`after`, `to`] was seen there before and is no more: a row whose transaction was mined again elsewhere
 * goes, any other has failed. `rows` are all transfers of those blocks. Answers how many rows changed.
 */
export async function settle(
  tx: Tx,
  chainId: number,
  { after, to }: { after: number; to: number },
  rows: readonly TransferRow[],
): Promise<number> {
  const hashes = textArray(rows.map((row) => row.transactionHash))
  const isOpen = sql`chain_id = ${chainId} AND NOT is_imported`
  const moved = await tx.execute<Record<string, unknown>>(sql`
    DELETE FROM chain_transactions WHERE ${isOpen} AND status <> 'completed' AND transaction_hash = ANY(${hashes})
      AND transaction_hash || '/' || log_index <> ALL(${textArray(rows.map(keyOf))})`)
  const isPending = sql`${isOpen} AND status = 'pending' AND block_number > ${after}
    AND block_number <= ${to} AND transaction_hash <> ALL(${hashes})`
  // Of wallets that went nothing is read any more, so nobody can say what has become of these.
  const unwatched = await tx.execute<Record<string, unknown>>(sql`
    DELETE FROM chain_transactions t WHERE ${isPending} AND NOT EXISTS (
      SELECT FROM chain_coverage v WHERE v.chain_id = ${chainId} AND v.kind = 'wallet' AND v.address = t.wallet_address)`)
  const dropped = await tx.execute<Record<string, unknown>>(
    sql`UPDATE chain_transactions SET status = 'failed' WHERE ${isPending}`,
  )
  return (moved.rowCount ?? 0) + (unwatched.rowCount ?? 0) + (dropped.rowCount ?? 0)
}
