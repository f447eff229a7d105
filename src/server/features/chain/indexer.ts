import { sql } from 'drizzle-orm'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Tx } from '#server/db/client.ts'
import type { Block } from './blocks.ts'
import {
  startCursor,
  type Cursor,
  positionAt,
  deleteChainData,
  hasBegun,
  lockCursor,
  recordHalt,
  recordProgress,
  CursorMovedError,
  readCursor,
} from './cursor.ts'
import { readBlockAt, observeChain, type Contradiction } from './observe.ts'
import { RangeSize } from './range-size.ts'
import type { LogReader } from './read-logs.ts'
import { resolveIndexerSettings, startBlockOf } from './indexer-settings.ts'
import type { MissingTransfer } from './fates.ts'
import { rereadBlocks, readFinalBlocks, readBackfill, readPendingBlocks, type Turn } from './read-blocks.ts'
import { settleMissing, settleVanished, type UnknownTransfers } from './settle-missing.ts'
import { type WatchList, maxNamedWallets, readBackfillGroup } from './watch-list.ts'
import { coverAllWallets, coverChangedWallets, coverTokens, lowerStartBlock } from './coverage.ts'

interface RegistrationState extends Record<string, unknown> {
  /** Changes whenever tokens do. There are few. */
  tokens: string
  hasWalletChanges: boolean
}

async function readRegistered({ database: { db } }: Ctx): Promise<RegistrationState> {
  const { rows } = await db.execute<RegistrationState>(sql`
    SELECT concat_ws('/', count(*), max(id), sum(version)) AS tokens,
      EXISTS (SELECT FROM wallet_changes) AS "hasWalletChanges" FROM tokens`)
  return rows[0]!
}

/** Keeps the watch list up to date with the registered tokens and wallets. */
class WatchListCache {
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

/** A turn checks the head again after this time, even if work is left. */
const turnMs = 2000
/** While nothing happens, the cursor is written at most this often. */
const minWriteMs = 10_000
/** Calls for logs take longer than calls for balances. */
const timeoutFactor = 4
const rereadEvery = sql`interval '24 hours'`
/** The last day, plus an hour of margin. */
const rereadSeconds = 25 * 3600
const paceBlocks = 10_000

/** The chain is shorter than what was read. This may pass, because nodes may only lag. */
export class ShorterChainError extends Error {}
/** Earlier transfers cannot be read although new ones can. `cause` says why. */
export class HistoryUnreadableError extends Error {}
/** The server is stopping. */
export class StoppedError extends Error {}

/** The cursor at the start of a turn, and after what the turn has read. */
interface CursorProgress {
  known: Cursor
  cursor: Cursor
}

/** Reads the transfers of one chain into the database, in turns. Its memory between turns is only a cache. */
export class Indexer {
  readonly #reader: LogReader
  readonly #range: RangeSize
  #pending = ''
  readonly #watchList = new WatchListCache()
  #rereadFrom: number | undefined
  #unknown: UnknownTransfers = new Map()
  /** Final transfers that were missing when their blocks were read again. */
  #vanished: MissingTransfer[] = []
  #unknownVanished: UnknownTransfers = new Map()

  constructor({ config, chain }: Pick<Ctx, 'config' | 'chain'>) {
    const { timeoutMs, deadlineMs } = config.chain
    const { maxRange, topicChunk } = config.indexer
    this.#range = new RangeSize(maxRange)
    this.#reader = {
      nodes: chain.logNodes,
      topicChunk,
      timeoutMs: timeoutFactor * timeoutMs,
      deadlineMs: timeoutFactor * deadlineMs,
    }
  }

  /** Call this before the first turn. Another server may have read since, so the cached state may be old. */
  resetCache(): void {
    this.#pending = ''
    this.#rereadFrom = undefined
    this.#vanished = []
    this.#watchList.reset()
  }

  /**
   * Reads new blocks, then the backfill. Returns whether more can be read at once. Throws AppError if no node answers,
   * HistoryUnreadableError if none answers for the backfill, ShorterChainError, CursorMovedError and StoppedError.
   */
  async runTurn(ctx: Ctx, stop: AbortSignal): Promise<boolean> {
    const turn: Turn = {
      ctx,
      reader: this.#reader,
      range: this.#range,
      unlessStopped: (work) => rejectOnStop(work, stop),
    }
    const { nodes } = this.#reader
    const endsAt = performance.now() + turnMs
    const isTurnOver = () => stop.aborted || performance.now() > endsAt

    const known = await readCursor(ctx)
    const seen = await turn.unlessStopped(
      observeChain(nodes, hasBegun(known) ? known : undefined, resolveIndexerSettings(ctx)),
    )
    if (seen.contradiction) return this.#handleContradiction(ctx, seen)
    if (!hasBegun(known)) {
      await this.#startReading(turn, seen)
      return true
    }
    const { watchList, isNew } = await this.#watchList.refresh(ctx, known)
    if (isNew) this.#pending = ''
    let cursor = known
    while (cursor.doneBlock < seen.final && !isTurnOver())
      cursor = { ...cursor, ...positionAt(await readFinalBlocks(turn, cursor, watchList, seen.final)) }
    if (cursor.doneBlock < seen.final) {
      await this.#recordHead(ctx, { known, cursor }, seen.head)
      return true
    }
    await this.#readToHead(turn, { known, cursor }, watchList, seen.head)
    // This comes before the backfill, which may take long, or need blocks that nodes no longer have.
    await this.#reread(turn, cursor, watchList, isTurnOver)
    await this.#settleVanished(turn, cursor, seen.head)
    // After this group, other addresses may need a backfill.
    const hadBackfill = watchList.backfill !== undefined
    try {
      while (watchList.backfill && !isTurnOver()) watchList.backfill = await readBackfill(turn, cursor, watchList)
    } catch (error) {
      if (error instanceof CursorMovedError || error instanceof StoppedError) throw error
      throw new HistoryUnreadableError('what came late cannot be read', { cause: error })
    }
    if (hadBackfill && !watchList.backfill) this.#watchList.reset()
    return hadBackfill || this.#rereadFrom !== undefined
  }

  /** Only the console's own chain may start again. On any other chain nothing is deleted and reading halts. */
  async #handleContradiction(ctx: Ctx, { contradiction, problem }: Contradiction): Promise<boolean> {
    if (ctx.chain.mode === 'embedded') {
      await deleteChainData(ctx)
      return true
    }
    if (contradiction === 'shorter') throw new ShorterChainError(problem.text)
    await recordHalt(ctx, problem)
    return false
  }

  async #startReading({ ctx, unlessStopped }: Turn, { final }: { final: number }): Promise<void> {
    const { nodes } = this.#reader
    const startBlock = startBlockOf(ctx.config) ?? (ctx.chain.mode === 'embedded' ? 1 : final + 1)
    const doneBlock = startBlock - 1
    if (doneBlock > final)
      throw new AppError(
        'chain_bad_response',
        `INDEXER_START_BLOCK is ${startBlock}, but only blocks up to ${final} are final yet`,
      )
    const done = await unlessStopped(readBlockAt(nodes, doneBlock))
    // Nodes that prune old blocks do not have it.
    const genesis = await unlessStopped(readBlockAt(nodes, 0)).catch((error: unknown) => {
      if (error instanceof AppError) return undefined
      throw error
    })
    await startCursor(ctx, { done, startBlock, final, genesisHash: genesis?.hash ?? 'unknown' })
  }

  async #recordHead(ctx: Ctx, { known, cursor }: CursorProgress, head: Block): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      await lockCursor(tx, ctx.chain.chainId)
      await recordProgress(tx, ctx, known, { head, doneBlock: cursor.doneBlock })
    })
  }

  /** Reads pending blocks, unless neither the head nor the cursor has changed. */
  async #readToHead(turn: Turn, reached: CursorProgress, watchList: WatchList, head: Block): Promise<void> {
    const what = `${head.hash} ${reached.cursor.doneBlock}`
    if (what === this.#pending) {
      const { failingSince, checkedAt } = reached.known
      const isFresh = failingSince === null && Date.now() - Date.parse(checkedAt ?? '') < minWriteMs
      return isFresh ? undefined : this.#recordHead(turn.ctx, reached, head)
    }
    const missing = await readPendingBlocks(turn, reached, watchList, head)
    this.#unknown = await settleMissing(turn, reached.cursor, head, missing, this.#unknown)
    this.#pending = what
  }

  async #reread(turn: Turn, cursor: Cursor, watchList: WatchList, isTurnOver: () => boolean): Promise<void> {
    this.#rereadFrom ??= await this.#findRereadStart(turn, cursor)
    while (this.#rereadFrom !== undefined && !isTurnOver()) {
      const { next, vanished } = await rereadBlocks(turn, cursor, watchList, this.#rereadFrom)
      this.#rereadFrom = next > cursor.doneBlock ? undefined : next
      this.#vanished.push(...vanished)
    }
  }

  async #settleVanished(turn: Turn, cursor: Cursor, head: Block): Promise<void> {
    if (this.#vanished.length === 0) return
    const { open, unknown } = await settleVanished(turn, cursor, head, this.#vanished, this.#unknownVanished)
    this.#vanished = open
    this.#unknownVanished = unknown
  }

  /** The first block to read again. Once a day. */
  async #findRereadStart({ ctx, unlessStopped }: Turn, cursor: Cursor): Promise<number | undefined> {
    const { rows } = await ctx.database.db.execute<{ isDue: boolean }>(sql`
      SELECT reread_at < now() - ${rereadEvery} AS "isDue" FROM chain_cursors WHERE chain_id = ${ctx.chain.chainId}`)
    const first = Math.max(1, cursor.startBlock)
    if (!rows[0]?.isDue || first > cursor.doneBlock || cursor.doneAt === null) return undefined
    const earlier = await unlessStopped(readBlockAt(this.#reader.nodes, Math.max(0, cursor.doneBlock - paceBlocks)))
    const seconds = Date.parse(cursor.doneAt) / 1000 - earlier.at
    const pace = seconds > 0 ? (cursor.doneBlock - earlier.number) / seconds : Infinity
    return Math.max(first, cursor.doneBlock - Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(pace * rereadSeconds)))
  }
}

/** A call to a node may take longer than a stop may wait. */
async function rejectOnStop<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  if (stop.aborted) throw new StoppedError()
  let onStop: (() => void) | undefined
  const stopped = new Promise<never>((_, reject) => {
    onStop = () => reject(new StoppedError())
    stop.addEventListener('abort', onStop, { once: true })
  })
  // The abandoned call may still fail. Nobody handles that failure.
  work.catch(() => {})
  try {
    return await Promise.race([work, stopped])
  } finally {
    if (onStop) stop.removeEventListener('abort', onStop)
  }
}
