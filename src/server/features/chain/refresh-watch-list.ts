import { sql } from 'drizzle-orm'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { textArray } from '#server/core/upsert.ts'
import { type Cursor, lockCursor } from './cursor.ts'
import { startBlockOf } from './indexer-settings.ts'
import {
  addCoverage,
  lowerStartBlock,
  readBackfillGroup,
  readToCursor,
  type RegisteredToken,
  type WatchList,
} from './watch-list.ts'

/** Wallets per statement. */
const walletsPerBatch = 20_000

interface Fingerprints {
  registered: string
  covered: string
}

/** Changes whenever tokens, wallets or their coverage change. Reading a million rows each turn would be too slow. */
async function readFingerprints({ database: { db }, chain: { chainId } }: Ctx): Promise<Fingerprints> {
  const { rows } = await db.execute<Record<keyof Fingerprints, string>>(sql`
    SELECT concat_ws('/', w.count, w.last, k.count, k.last, k.versions) AS registered,
      concat_ws('/', c.count, c.late) AS covered
    FROM (SELECT count(*), max(id) AS last FROM wallets) w,
      (SELECT count(*), max(id) AS last, sum(version) AS versions FROM tokens) k,
      (SELECT count(*), count(*) FILTER (WHERE next_block <> ${readToCursor}) AS late
        FROM chain_coverage WHERE chain_id = ${chainId}) c`)
  return rows[0]!
}

/** Keeps the watch list up to date with the registered tokens and wallets. */
export class WatchListCache {
  #wallets = new Set<string>()
  /** The id of the last wallet that was added. */
  #lastId = '0'
  #known: (Fingerprints & { watched: WatchList }) | undefined

  /** Forgets the cache. Another server may have advanced the coverage, which its row count does not show. */
  reset(): void {
    this.#known = undefined
  }

  /** Returns what to read transfers of. `isNew` if that has changed. Throws CursorMovedError. */
  async refresh(ctx: Ctx, cursor: Cursor): Promise<{ watched: WatchList; isNew: boolean }> {
    const { registered, covered } = await readFingerprints(ctx)
    if (this.#known?.registered === registered && this.#known.covered === covered)
      return { watched: this.#known.watched, isNew: false }
    const startBlock = Math.min(startBlockOf(ctx.config) ?? cursor.startBlock, cursor.startBlock)
    if (startBlock < cursor.startBlock) await lowerStartBlock(ctx, cursor, startBlock)
    await this.#coverWallets(ctx, { ...cursor, startBlock })
    const watched = await inTransaction(ctx, async (tx) => {
      const held = await lockCursor(tx, ctx.chain.chainId, cursor.doneBlock)
      const tokens = await coverTokens(tx, { ...held, startBlock })
      return { tokens, wallets: this.#wallets, backfill: await readBackfillGroup(tx, ctx.chain.chainId) }
    })
    // The coverage was just changed here. Rows registered meanwhile are noticed next time.
    this.#known = { registered, covered: (await readFingerprints(ctx)).covered, watched }
    return { watched, isNew: true }
  }

  async #coverWallets(ctx: Ctx, cursor: Cursor): Promise<void> {
    // Another server may have deleted the chain's data, or this server may have taken over from another.
    const isCovered = async () => (await countWallets(ctx, 'covered')) === this.#wallets.size
    while (await this.#coverBatch(ctx, cursor));
    if ((await countWallets(ctx, this.#lastId)) === this.#wallets.size && (await isCovered())) return
    // Wallets were removed, or one was committed after a wallet with a higher id. Start again.
    this.#wallets = new Set()
    this.#lastId = '0'
    await dropRemovedWallets(ctx, cursor)
    while (await this.#coverBatch(ctx, cursor));
  }

  /** Adds the next batch of wallets. Returns whether there may be more. */
  async #coverBatch(ctx: Ctx, cursor: Cursor): Promise<boolean> {
    const rows = await inTransaction(ctx, async (tx) => {
      const found = await tx.execute<{ key: string; address: string }>(
        sql`SELECT id::text AS key, address FROM wallets WHERE id > ${this.#lastId} ORDER BY id LIMIT ${walletsPerBatch}`,
      )
      if (found.rows.length === 0) return []
      const { doneBlock, chainId } = await lockCursor(tx, ctx.chain.chainId, cursor.doneBlock)
      const addresses = found.rows.map(({ address }) => address)
      await addCoverage(tx, { chainId, doneBlock }, 'wallet', addresses, cursor.startBlock)
      return found.rows
    })
    for (const { address } of rows) this.#wallets.add(address)
    this.#lastId = rows.at(-1)?.key ?? this.#lastId
    return rows.length === walletsPerBatch
  }
}

/** Counts the wallets up to this id, or the covered ones. */
async function countWallets({ database: { db }, chain }: Ctx, what: string): Promise<number> {
  const from =
    what === 'covered'
      ? sql`chain_coverage WHERE chain_id = ${chain.chainId} AND kind = 'wallet'`
      : sql`wallets WHERE id <= ${what}`
  const { rows } = await db.execute<{ count: number }>(sql`SELECT count(*)::int AS count FROM ${from}`)
  return rows[0]!.count
}

async function dropRemovedWallets(ctx: Ctx, cursor: Cursor): Promise<void> {
  const { chainId } = ctx.chain
  await inTransaction(ctx, async (tx) => {
    await lockCursor(tx, chainId, cursor.doneBlock)
    await tx.execute(sql`SET LOCAL statement_timeout = 0`)
    await tx.execute(sql`
      DELETE FROM chain_coverage c WHERE chain_id = ${chainId} AND kind = 'wallet'
        AND NOT EXISTS (SELECT FROM wallets w WHERE w.address = c.address)`)
  })
}

/** Reads all tokens each time, since there are few. An invalid address would make nodes refuse the whole filter. */
async function coverTokens(tx: Tx, cursor: Cursor): Promise<Map<string, RegisteredToken>> {
  const { rows } = await tx.execute<RegisteredToken & { address: string }>(sql`
    SELECT DISTINCT ON (contract_address) contract_address AS address, token_symbol AS "tokenSymbol",
      project_name AS "projectName", decimals
    FROM tokens WHERE contract_address ~ '^0x[0-9a-f]{40}$' ORDER BY contract_address, kind`)
  const addresses = rows.map(({ address }) => address)
  await tx.execute(sql`
    DELETE FROM chain_coverage WHERE chain_id = ${cursor.chainId} AND kind = 'token'
      AND address <> ALL(${textArray(addresses)})`)
  await addCoverage(tx, cursor, 'token', addresses, cursor.startBlock)
  return new Map(rows.map(({ address, ...token }) => [address, token]))
}
