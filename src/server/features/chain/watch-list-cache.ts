import { sql } from 'drizzle-orm'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { coverAllWallets, coverChangedWallets, coverTokens, lowerStartBlock } from './coverage.ts'
import { type Cursor, lockCursor } from './cursor.ts'
import { startBlockOf } from './indexer-settings.ts'
import { maxNamedWallets, readBackfillGroup, type WatchList } from './watch-list.ts'

interface Registered extends Record<string, unknown> {
  /** Changes whenever tokens do. There are few. */
  tokens: string
  hasWalletChanges: boolean
}

async function readRegistered({ database: { db } }: Ctx): Promise<Registered> {
  const { rows } = await db.execute<Registered>(sql`
    SELECT concat_ws('/', count(*), max(id), sum(version)) AS tokens,
      EXISTS (SELECT FROM wallet_changes) AS "hasWalletChanges" FROM tokens`)
  return rows[0]!
}

/** Keeps the watch list up to date with the registered tokens and wallets. */
export class WatchListCache {
  #known: { tokens: string; watchList: WatchList } | undefined

  /** Forgets the cache. Another server may have advanced the backfill, which no version counts, or this one has ended a group of it. */
  reset(): void {
    this.#known = undefined
  }

  /** Returns what to read transfers of. `isNew` if that has changed. Throws CursorMovedError. */
  async refresh(ctx: Ctx, cursor: Cursor): Promise<{ watchList: WatchList; isNew: boolean }> {
    const { tokens, hasWalletChanges } = await readRegistered(ctx)
    const isCovered = cursor.walletsTakenTo === null && !hasWalletChanges
    if (isCovered && this.#known?.tokens === tokens && this.#known.watchList.version === cursor.coverageVersion)
      return { watchList: this.#known.watchList, isNew: false }
    const startBlock = Math.min(startBlockOf(ctx.config) ?? cursor.startBlock, cursor.startBlock)
    if (startBlock < cursor.startBlock) await lowerStartBlock(ctx, cursor, startBlock)
    await coverAllWallets(ctx, cursor)
    await coverChangedWallets(ctx, cursor)
    const watchList = await inTransaction(ctx, (tx) => readWatchList(tx, ctx, cursor))
    this.#known = { tokens, watchList }
    return { watchList, isNew: true }
  }
}

async function readWatchList(tx: Tx, { chain: { chainId }, config }: Ctx, { doneBlock }: Cursor): Promise<WatchList> {
  await lockCursor(tx, chainId, doneBlock)
  const tokens = await coverTokens(tx, chainId)
  const { coverageVersion } = await lockCursor(tx, chainId)
  const namedWallets = await readFewWallets(tx, chainId, maxNamedWallets(config.indexer.topicChunk))
  return { version: coverageVersion, tokens, namedWallets, backfill: await readBackfillGroup(tx, chainId) }
}

/** All covered wallets, unless there are more than `most`. */
async function readFewWallets(tx: Tx, chainId: number, most: number): Promise<ReadonlySet<string> | undefined> {
  const { rows } = await tx.execute<{ address: string }>(sql`
    SELECT address FROM chain_coverage WHERE chain_id = ${chainId} AND kind = 'wallet' LIMIT ${most + 1}`)
  return rows.length > most ? undefined : new Set(rows.map(({ address }) => address))
}
