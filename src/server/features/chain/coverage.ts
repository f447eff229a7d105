import { eq, sql } from 'drizzle-orm'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Tx } from '#server/db/client.ts'
import { chainCursors } from '#server/db/tables/chain.ts'
import { type Cursor, lockCursor } from './cursor.ts'
import { type RegisteredToken, readToCursor } from './watch-list.ts'

/** Wallets per statement. */
const walletsPerBatch = 20_000

/** Where an address that comes now is read from. Deposits of what is final now are history (docs/decisions/055). */
const coverageOf = sql.raw(`
  CASE WHEN c.start_block > c.done_block THEN ${readToCursor} ELSE c.start_block END, c.done_block + 1`)

/** Call this in each transaction that adds or removes coverage: what others have read without it is discarded. */
async function countVersion(tx: Tx, chainId: number): Promise<void> {
  await tx
    .update(chainCursors)
    .set({ coverageVersion: sql`${chainCursors.coverageVersion} + 1` })
    .where(eq(chainCursors.chainId, chainId))
}

/** Lowers the start block. Every address is read again from there. */
export async function lowerStartBlock(ctx: Ctx, cursor: Cursor, startBlock: number): Promise<void> {
  const { chainId } = ctx.chain
  await inTransaction(ctx, async (tx) => {
    await lockCursor(tx, chainId, cursor.doneBlock)
    await tx.execute(sql`SET LOCAL statement_timeout = 0`)
    await tx.execute(sql`UPDATE chain_cursors SET start_block = ${startBlock} WHERE chain_id = ${chainId}`)
    await tx.execute(sql`UPDATE chain_coverage SET next_block = ${startBlock} WHERE chain_id = ${chainId}`)
    await countVersion(tx, chainId)
  })
}

/**
 * Covers all tokens, of which there are few, and drops those that were removed. Needs the cursor's lock. An invalid
 * address would make nodes refuse the whole filter.
 */
export async function coverTokens(tx: Tx, chainId: number): Promise<Map<string, RegisteredToken>> {
  const { rows } = await tx.execute<RegisteredToken & { address: string }>(sql`
    SELECT DISTINCT ON (contract_address) contract_address AS address, token_symbol AS "tokenSymbol",
      project_name AS "projectName", decimals
    FROM tokens WHERE contract_address ~ '^0x[0-9a-f]{40}$' ORDER BY contract_address, kind`)
  const addresses = textArray(rows.map(({ address }) => address))
  const dropped = await tx.execute<Record<string, unknown>>(sql`
    DELETE FROM chain_coverage WHERE chain_id = ${chainId} AND kind = 'token' AND address <> ALL(${addresses})`)
  const added = await tx.execute<Record<string, unknown>>(sql`
    INSERT INTO chain_coverage (chain_id, kind, address, next_block, deposits_from)
    SELECT c.chain_id, 'token', address, ${coverageOf}
    FROM chain_cursors c CROSS JOIN unnest(${addresses}) AS address WHERE c.chain_id = ${chainId}
    ON CONFLICT DO NOTHING`)
  if ((dropped.rowCount ?? 0) + (added.rowCount ?? 0) > 0) await countVersion(tx, chainId)
  return new Map(rows.map(({ address, ...token }) => [address, token]))
}

/** Covers all wallets, once for each chain, in the order of their ids. What is registered meanwhile is a change. */
export async function coverAllWallets(ctx: Ctx, cursor: Cursor): Promise<void> {
  const { chainId } = ctx.chain
  const coverBatch = async (tx: Tx): Promise<boolean> => {
    const { walletsTakenTo } = await lockCursor(tx, chainId, cursor.doneBlock)
    if (walletsTakenTo === null) return false
    if (walletsTakenTo === 0) await forgetChanges(tx, chainId)
    const { rows } = await tx.execute<{ id: string; address: string }>(sql`
      SELECT id::text, address FROM wallets WHERE id > ${walletsTakenTo} ORDER BY id LIMIT ${walletsPerBatch}`)
    await addWallets(tx, sql`c.chain_id = ${chainId}`, rows)
    const hasMore = rows.length === walletsPerBatch
    if (!hasMore) await dropRemovedWallets(tx, chainId)
    await tx
      .update(chainCursors)
      .set({ walletsTakenTo: hasMore ? Number(rows.at(-1)!.id) : null })
      .where(eq(chainCursors.chainId, chainId))
    await countVersion(tx, chainId)
    return hasMore
  }
  while (await inTransaction(ctx, coverBatch));
}

/** What has changed so far is seen with all wallets, unless another chain is read here too. */
async function forgetChanges(tx: Tx, chainId: number): Promise<void> {
  await tx.execute(sql`SET LOCAL statement_timeout = 0`)
  await tx.execute(sql`
    DELETE FROM wallet_changes WHERE NOT EXISTS (SELECT FROM chain_cursors WHERE chain_id <> ${chainId} AND done_hash <> '')`)
}

async function dropRemovedWallets(tx: Tx, chainId: number): Promise<void> {
  await tx.execute(sql`SET LOCAL statement_timeout = 0`)
  await tx.execute(sql`
    DELETE FROM chain_coverage c WHERE chain_id = ${chainId} AND kind = 'wallet'
      AND NOT EXISTS (SELECT FROM wallets w WHERE w.address = c.address)`)
}

const addWallets = (tx: Tx, cursors: ReturnType<typeof sql>, wallets: readonly { address: string }[]) =>
  tx.execute(sql`
    INSERT INTO chain_coverage (chain_id, kind, address, next_block, deposits_from)
    SELECT c.chain_id, 'wallet', w.address, ${coverageOf} FROM chain_cursors c CROSS JOIN wallets w
    WHERE ${cursors} AND w.address = ANY(${textArray(wallets.map(({ address }) => address))})
    ON CONFLICT DO NOTHING`)

/**
 * Covers wallets that were registered since and drops those that were deleted, for every chain that was ever read here.
 * A change that is under way is seen by its own row once it is committed.
 */
export async function coverChangedWallets(ctx: Ctx, cursor: Cursor): Promise<void> {
  const coverBatch = async (tx: Tx): Promise<boolean> => {
    const { rows } = await tx.execute<{ address: string }>(sql`
      DELETE FROM wallet_changes WHERE id IN (SELECT id FROM wallet_changes ORDER BY id LIMIT ${walletsPerBatch})
      RETURNING address`)
    if (rows.length === 0) return false
    // A cursor that was made meanwhile begins with all wallets.
    await tx.execute(sql`SELECT FROM chain_cursors WHERE chain_id <> ${ctx.chain.chainId} ORDER BY chain_id FOR UPDATE`)
    await lockCursor(tx, ctx.chain.chainId, cursor.doneBlock)
    await addWallets(tx, sql`c.done_hash <> ''`, rows)
    await tx.execute(sql`
      DELETE FROM chain_coverage v USING chain_cursors c
      WHERE v.chain_id = c.chain_id AND v.kind = 'wallet' AND v.address = ANY(${textArray(rows.map(({ address }) => address))})
        AND NOT EXISTS (SELECT FROM wallets w WHERE w.address = v.address)`)
    await tx.execute(sql`UPDATE chain_cursors SET coverage_version = coverage_version + 1`)
    return rows.length === walletsPerBatch
  }
  while (await inTransaction(ctx, coverBatch));
}
