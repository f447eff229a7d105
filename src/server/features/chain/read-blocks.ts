import { eq, sql } from 'drizzle-orm'
import { announce } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { chainCursors } from '#server/db/tables/chain.ts'
import { AppError } from '#server/lib/errors.ts'
import { lockCursor, moveCursor, recordProgress, type Cursor } from './cursor.ts'
import type { Block } from './blocks.ts'
import type { MissingTransfer } from './fates.ts'
import { type RangeSize, LogsRefusedError } from './range-size.ts'
import { type LogReader, readRange, type BlockRange, type RangeTransfers, type TransferFilter } from './read-logs.ts'
import {
  deleteMoved,
  deleteUnwatched,
  findMissing,
  findVanished,
  saveTransfers,
  toRows,
  type TransferRow,
} from './transfer-rows.ts'
import {
  advanceBackfill,
  readToCursor,
  requireUnchanged,
  backfillFilter,
  currentFilter,
  type WatchList,
} from './watch-list.ts'

/** What one turn needs. */
export interface Turn {
  ctx: Ctx
  reader: LogReader
  range: RangeSize
  /** Rejects when the server stops. */
  unlessStopped: <T>(work: Promise<T>) => Promise<T>
}

/** A range to read. Up to `overlap` blocks before `from` are read again if that needs no further request. */
type RangeRequest = BlockRange & { overlap?: number }

/** Reads as many blocks from `from` on as nodes answer at once. */
async function readNextRange(
  { reader, range, unlessStopped }: Turn,
  { from, to: last, anchor, overlap = 0 }: RangeRequest,
  filter: TransferFilter,
): Promise<RangeTransfers> {
  for (;;) {
    const to = Math.min(last, from + range.size - 1)
    const first = to < last ? from : from - Math.min(overlap, range.size - (to - from + 1))
    const blocks = to - first + 1
    try {
      const read = await unlessStopped(readRange(reader, { from: first, to, anchor }, filter))
      range.recordAnswer(blocks)
      return read
    } catch (error) {
      // A smaller range may arrive in time.
      if (error instanceof AppError && error.code === 'chain_timeout')
        range.recordRefusal(blocks, { isTooMuch: true, limit: undefined })
      if (!(error instanceof LogsRefusedError)) throw error
      range.recordRefusal(blocks, error.refusal)
      if (blocks === 1) throw error
    }
  }
}

/** The last finished block. Every node must have it. */
const anchorAt = ({ doneBlock, doneHash }: Cursor) => ({ number: doneBlock, hash: doneHash })

/**
 * Final blocks that are read again with the next ones, about a minute on BSC. Several machines may share one address:
 * one without the newest blocks may answer no logs while another answers their headers.
 */
const overlapBlocks = 120

/** Reads the next final blocks. Moves the cursor and writes the rows in one transaction. Returns the last block. */
export async function readFinalBlocks(turn: Turn, cursor: Cursor, watchList: WatchList, final: number): Promise<Block> {
  const { ctx } = turn
  const { chainId } = ctx.chain
  const from = cursor.doneBlock + 1
  const overlap = Math.min(overlapBlocks, from - Math.max(1, cursor.startBlock))
  const wish = { from, to: final, anchor: anchorAt(cursor), overlap: Math.max(0, overlap) }
  const read = await readNextRange(turn, wish, currentFilter(turn, watchList))
  const rows = await toRows(ctx, read.transfers, watchList)
  await inTransaction(ctx, async (tx) => {
    await requireUnchanged(tx, await lockCursor(tx, chainId, cursor.doneBlock), watchList)
    const moved = await deleteMoved(tx, ctx, rows)
    const saved = await saveTransfers(tx, ctx, rows, 'completed')
    await moveCursor(tx, chainId, read.end)
    if (moved + saved > 0) await announce(tx, 'chainTransactions', 'users')
  })
  return read.end
}

/**
 * Reads all blocks that may still change. Returns the pending transfers that are missing. They stay pending until their
 * fate is known.
 */
export async function readPendingBlocks(
  turn: Turn,
  { known, cursor }: { known: Cursor; cursor: Cursor },
  watchList: WatchList,
  head: Block,
): Promise<MissingTransfer[]> {
  const { ctx } = turn
  const { chainId } = ctx.chain
  const rows: TransferRow[] = []
  let anchor = anchorAt(cursor)
  while (anchor.number < head.number) {
    const stretch = { from: anchor.number + 1, to: head.number, anchor }
    const read = await readNextRange(turn, stretch, currentFilter(turn, watchList))
    rows.push(...(await toRows(ctx, read.transfers, watchList)))
    anchor = read.end
  }
  return inTransaction(ctx, async (tx) => {
    await lockCursor(tx, chainId, cursor.doneBlock)
    const gone = (await deleteMoved(tx, ctx, rows)) + (await deleteUnwatched(tx, chainId))
    const saved = await saveTransfers(tx, ctx, rows, 'pending')
    await recordProgress(tx, ctx, known, { head, doneBlock: cursor.doneBlock })
    if (gone + saved > 0) await announce(tx, 'chainTransactions', 'users')
    return findMissing(tx, chainId, head.number, rows)
  })
}

/**
 * The progress is one column in the row of each backfilled address, and there may be tens of thousands. It is saved
 * only this often, because reading blocks twice after a crash changes nothing.
 */
const saveEveryMs = 1000

/** Reads some of the earlier transfers of addresses that were added later. Returns the rest of the backfill. */
export async function readBackfill(turn: Turn, cursor: Cursor, watchList: WatchList): Promise<WatchList['backfill']> {
  const { ctx } = turn
  const { backfill } = watchList
  if (!backfill) return undefined
  const isBehind = backfill.from <= cursor.doneBlock
  const read = isBehind
    ? await readNextRange(
        turn,
        { from: backfill.from, to: cursor.doneBlock, anchor: anchorAt(cursor) },
        backfillFilter(turn, watchList),
      )
    : undefined
  const rows = read ? await toRows(ctx, read.transfers, watchList) : []
  const next = read && read.end.number < cursor.doneBlock ? read.end.number + 1 : readToCursor
  const isKept = next === readToCursor || performance.now() >= backfill.saveAt
  await inTransaction(ctx, async (tx) => {
    await requireUnchanged(tx, await lockCursor(tx, ctx.chain.chainId, cursor.doneBlock), watchList)
    const saved = await saveTransfers(tx, ctx, rows, 'completed')
    if (isKept) await advanceBackfill(tx, ctx.chain.chainId, watchList, next)
    if (saved > 0) await announce(tx, 'chainTransactions', 'users')
    if (next === readToCursor) await announce(tx, 'chain')
  })
  if (next === readToCursor) return undefined
  return { ...backfill, from: next, ...(isKept && { savedFrom: next, saveAt: performance.now() + saveEveryMs }) }
}

/**
 * Reads final blocks again, because nodes sometimes omit logs. Returns the next block to read, and the final transfers
 * that are no longer among them.
 */
export async function rereadBlocks(
  turn: Turn,
  cursor: Cursor,
  watchList: WatchList,
  from: number,
): Promise<{ next: number; vanished: MissingTransfer[] }> {
  const { ctx } = turn
  const { chainId } = ctx.chain
  const stretch = { from, to: cursor.doneBlock, anchor: anchorAt(cursor) }
  const read = await readNextRange(turn, stretch, currentFilter(turn, watchList))
  const rows = await toRows(ctx, read.transfers, watchList)
  const to = read.end.number
  return inTransaction(ctx, async (tx) => {
    await requireUnchanged(tx, await lockCursor(tx, chainId, cursor.doneBlock), watchList)
    const saved = await saveTransfers(tx, ctx, rows, 'completed')
    if (saved > 0) {
      ctx.log.warn({ transfers: saved }, 'nodes had left out transfers; they were found when read again')
      await announce(tx, 'chainTransactions', 'users')
    }
    if (to >= cursor.doneBlock)
      await tx
        .update(chainCursors)
        .set({ rereadAt: sql`now()` })
        .where(eq(chainCursors.chainId, chainId))
    return { next: to + 1, vanished: await findVanished(tx, chainId, { from, to }, rows) }
  })
}
