import { eq, sql } from 'drizzle-orm'
import { announce } from '#server/audit.ts'
import { type Ctx, inTransaction } from '#server/context.ts'
import { chainCursors } from '#server/db/tables/chain.ts'
import { AppError } from '#server/errors.ts'
import { holdCursor, moveCursor, noteRead, type Cursor } from './cursor.ts'
import type { Block } from './blocks.ts'
import type { RangeSize } from './range-size.ts'
import { type LogReader, readStretch, type Stretch, type StretchRead, type Wanted } from './read-logs.ts'
import { TooWide } from './refusals.ts'
import { saveTransfers, settle, toRows, type TransferRow } from './store.ts'
import { advanceLate, readToCursor, requireSame, wantedLate, wantedOf, type Watched } from './watched.ts'

/** What one turn works with. */
export interface Turn {
  ctx: Ctx
  reader: LogReader
  range: RangeSize
  /** Rejects what is under way when the server stops. */
  unlessStopped: <T>(work: Promise<T>) => Promise<T>
}

/** As many blocks from `from` on as nodes answer at once. */
async function readSome(
  { reader, range, unlessStopped }: Turn,
  { to: last, ...stretch }: Stretch,
  wanted: Wanted,
): Promise<StretchRead> {
  for (;;) {
    const to = Math.min(last, stretch.from + range.size - 1)
    const blocks = to - stretch.from + 1
    try {
      const read = await unlessStopped(readStretch(reader, { ...stretch, to }, wanted))
      range.answered(blocks)
      return read
    } catch (error) {
      // What is too much to be sent in time may be less the next time.
      if (error instanceof AppError && error.code === 'chain_timeout') range.refused(blocks, 'too_much')
      if (!(error instanceof TooWide)) throw error
      range.refused(blocks, error.refusal)
      if (blocks === 1) throw error
    }
  }
}

function rowsOf({ ctx }: Turn, read: StretchRead, watched: Watched): TransferRow[] {
  const { rows, excess } = toRows(read.transfers, watched)
  if (excess > 0) ctx.log.warn({ transfers: excess }, 'transfers of more than an amount may be were left out')
  return rows
}

/** Reads the next final blocks for good; answers the last of them. The cursor moves in the transaction of its rows. */
export async function readFinal(turn: Turn, cursor: Cursor, watched: Watched, final: number): Promise<Block> {
  const { ctx, reader } = turn
  const { chainId } = ctx.chain
  const from = cursor.doneBlock + 1
  const read = await readSome(turn, { from, to: final, after: cursor.doneHash }, wantedOf(watched, reader.topicChunk))
  const rows = rowsOf(turn, read, watched)
  await inTransaction(ctx, async (tx) => {
    await holdCursor(tx, chainId, cursor.doneBlock)
    await requireSame(tx, chainId, watched)
    const settled = await settle(tx, chainId, { after: cursor.doneBlock, to: read.end.number }, rows)
    const saved = await saveTransfers(tx, chainId, rows, 'completed')
    await moveCursor(tx, chainId, read.end)
    if (settled + saved > 0) await announce(tx, 'chainTransactions', 'users')
  })
  return read.end
}

/** Reads what may still change, wholly: it replaces what stood there before. */
export async function readPending(
  turn: Turn,
  { known, cursor }: { known: Cursor; cursor: Cursor },
  watched: Watched,
  head: Block,
): Promise<void> {
  const { ctx, reader } = turn
  const { chainId } = ctx.chain
  const rows: TransferRow[] = []
  let after = { number: cursor.doneBlock, hash: cursor.doneHash }
  while (after.number < head.number) {
    const stretch = { from: after.number + 1, to: head.number, after: after.hash }
    const read = await readSome(turn, stretch, wantedOf(watched, reader.topicChunk))
    rows.push(...rowsOf(turn, read, watched))
    after = read.end
  }
  await inTransaction(ctx, async (tx) => {
    await holdCursor(tx, chainId, cursor.doneBlock)
    const settled = await settle(tx, chainId, { after: cursor.doneBlock, to: head.number }, rows)
    const saved = await saveTransfers(tx, chainId, rows, 'pending')
    await noteRead(tx, ctx, known, { head, doneBlock: cursor.doneBlock })
    if (settled + saved > 0) await announce(tx, 'chainTransactions', 'users')
  })
}

/**
 * How far they are is a row of each of those that came late, and there may be tens of thousands: it is written down so
 * often, since what is read twice after a crash changes nothing.
 */
const keepEveryMs = 1000

/** Reads some of the earlier transfers of tokens and wallets that came late; answers what of them is left. */
export async function readLate(turn: Turn, cursor: Cursor, watched: Watched): Promise<Watched['late']> {
  const { ctx, reader } = turn
  const { late } = watched
  if (!late) return undefined
  const isBehind = late.from <= cursor.doneBlock
  const read = isBehind
    ? await readSome(turn, { from: late.from, to: cursor.doneBlock }, wantedLate(watched, reader.topicChunk))
    : undefined
  const rows = read ? rowsOf(turn, read, watched) : []
  const next = read && read.end.number < cursor.doneBlock ? read.end.number + 1 : readToCursor
  const isKept = next === readToCursor || performance.now() >= late.keepAt
  await inTransaction(ctx, async (tx) => {
    await holdCursor(tx, ctx.chain.chainId, cursor.doneBlock)
    await requireSame(tx, ctx.chain.chainId, watched)
    const saved = await saveTransfers(tx, ctx.chain.chainId, rows, 'completed')
    if (isKept) await advanceLate(tx, ctx.chain.chainId, watched, next)
    if (saved > 0) await announce(tx, 'chainTransactions', 'users')
    if (next === readToCursor) await announce(tx, 'chain')
  })
  if (next === readToCursor) return undefined
  return { ...late, from: next, ...(isKept && { kept: next, keepAt: performance.now() + keepEveryMs }) }
}

/** Reads final blocks once more, since nodes are known to leave out logs at times; answers where to go on. */
export async function readAgain(turn: Turn, cursor: Cursor, watched: Watched, from: number): Promise<number> {
  const { ctx, reader } = turn
  const { chainId } = ctx.chain
  const read = await readSome(turn, { from, to: cursor.doneBlock }, wantedOf(watched, reader.topicChunk))
  const rows = rowsOf(turn, read, watched)
  const isLast = read.end.number >= cursor.doneBlock
  await inTransaction(ctx, async (tx) => {
    await holdCursor(tx, chainId, cursor.doneBlock)
    await requireSame(tx, chainId, watched)
    const saved = await saveTransfers(tx, chainId, rows, 'completed')
    if (saved > 0) {
      ctx.log.warn({ transfers: saved }, 'nodes had left out transfers; they were found when read again')
      await announce(tx, 'chainTransactions', 'users')
    }
    if (isLast)
      await tx
        .update(chainCursors)
        .set({ rereadAt: sql`now()` })
        .where(eq(chainCursors.chainId, chainId))
  })
  return read.end.number + 1
}
