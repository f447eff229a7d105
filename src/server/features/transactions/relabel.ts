import { sql } from 'drizzle-orm'
import { announce } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { textArray } from '#server/db/parameters.ts'

/** Ids that one statement reads. Few enough that the reader of the chain waits for some hundred milliseconds. */
const batchSize = 5000

/**
 * Notes contracts of which a token was corrected, or registered under another kind that takes precedence. The job brings
 * symbol, project and amount to their transfers.
 */
export async function requestRelabel(tx: Tx, contracts: readonly string[]): Promise<void> {
  if (contracts.length === 0) return
  // A batch that is under way has the row: it ends first, and the job begins again.
  await tx.execute(sql`
    INSERT INTO transfer_labels_due (contract_address)
    SELECT DISTINCT address FROM unnest(${textArray(contracts)}) AS address ORDER BY address
    ON CONFLICT (contract_address) DO UPDATE SET done_id = 0`)
}

/** Brings the labels of tokens to transfers that have former ones. Several servers may run this at once. */
export async function relabelTransfers(ctx: Ctx, stop: AbortSignal): Promise<void> {
  const { rows } = await ctx.database.db.execute<Record<string, unknown>>(sql`SELECT FROM transfer_labels_due LIMIT 1`)
  if (rows.length > 0) while (!stop.aborted && (await inTransaction(ctx, relabelBatch)));
}

/** Whether more may be left that nobody else has locked. */
async function relabelBatch(tx: Tx): Promise<boolean> {
  // Writers of transfers lock it too, so that those with former labels are committed from here on.
  await tx.execute(sql`SELECT FROM chain_cursors ORDER BY chain_id FOR UPDATE`)
  const { rows } = await tx.execute<{ contract: string; doneId: number; lastId: number }>(sql`
    SELECT contract_address AS contract, done_id::float8 AS "doneId",
      CASE WHEN EXISTS (SELECT FROM chain_transactions WHERE token_address = contract_address)
        THEN (SELECT max(id) FROM chain_transactions)::float8 ELSE 0 END AS "lastId"
    FROM transfer_labels_due ORDER BY created_at, contract_address LIMIT 1 FOR UPDATE SKIP LOCKED`)
  if (!rows[0]) return false
  const { contract, doneId, lastId } = rows[0]
  const end = doneId + batchSize
  await tx.execute(sql`
    UPDATE chain_transactions c
    SET amount = trim_scale(c.amount_raw * k.unit), token_symbol = k.token_symbol, project_name = k.project_name
    FROM (
      SELECT token_symbol, project_name, ('1e-' || decimals)::numeric AS unit
      FROM tokens WHERE contract_address = ${contract} ORDER BY kind LIMIT 1
    ) k
    WHERE c.id > ${doneId} AND c.id <= ${end} AND c.token_address = ${contract} AND c.amount_raw IS NOT NULL
      AND (c.amount, c.token_symbol, c.project_name)
        IS DISTINCT FROM (c.amount_raw * k.unit, k.token_symbol, k.project_name)`)
  if (end < lastId)
    await tx.execute(sql`UPDATE transfer_labels_due SET done_id = ${end} WHERE contract_address = ${contract}`)
  else {
    await tx.execute(sql`DELETE FROM transfer_labels_due WHERE contract_address = ${contract}`)
    await announce(tx, 'users', 'chainTransactions', 'analytics')
  }
  return true
}
