import { eq, sql } from 'drizzle-orm'
import { announce, raiseSecurityEvent } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { chainCoverage, chainCursors } from '#server/db/tables/chain.ts'
import { chainTransactions } from '#server/db/tables/transactions.ts'
import { type Block, instantOf } from './blocks.ts'
import type { ChainProblem } from './observe.ts'
import { type IndexerSettings, resolveIndexerSettings } from './indexer-settings.ts'

export type Cursor = typeof chainCursors.$inferSelect

/** Another indexer moved the cursor first. What this one has read is discarded. */
export class CursorMovedError extends Error {}

const problemColumns = ({ code, text }: ChainProblem) => ({ problemCode: code, problem: text })

/** A row without a hash only records why nothing could be read yet. */
export const hasBegun = (cursor: Cursor | undefined): cursor is Cursor => cursor !== undefined && cursor.doneHash !== ''

export async function readCursor({ database: { db }, chain }: Ctx): Promise<Cursor | undefined> {
  const [cursor] = await db.select().from(chainCursors).where(eq(chainCursors.chainId, chain.chainId))
  return cursor
}

/** Reads the cursor and locks it until the transaction ends. Throws CursorMovedError unless it is at `expected`. */
export async function lockCursor(tx: Tx, chainId: number, expected?: number): Promise<Cursor> {
  const [cursor] = await tx.select().from(chainCursors).where(eq(chainCursors.chainId, chainId)).for('update')
  if (!cursor || (expected !== undefined && cursor.doneBlock !== expected))
    throw new CursorMovedError('another indexer moved the cursor')
  return cursor
}

/** The columns of a cursor whose last finished block is `end`. */
export const positionAt = (end: Block) => ({ doneBlock: end.number, doneHash: end.hash, doneAt: instantOf(end) })

interface CursorStart {
  /** Reading starts after this block. Earlier blocks stay unread. */
  done: Block
  startBlock: number
  /** Deposits up to here are history, unless reading starts again. */
  final: number
  genesisHash: string
}

export async function startCursor(ctx: Ctx, { done, startBlock, final, genesisHash }: CursorStart): Promise<void> {
  const { chainId } = ctx.chain
  const begun = { startBlock, ...positionAt(done), genesisHash }
  await inTransaction(ctx, (tx) =>
    tx
      .insert(chainCursors)
      .values({ chainId, ...begun, depositsFrom: final + 1, rereadAt: sql`now()` })
      .onConflictDoUpdate({
        target: chainCursors.chainId,
        set: {
          ...begun,
          depositsFrom: sql`coalesce(${chainCursors.depositsFrom}, ${final + 1})`,
          rereadAt: sql`now()`,
        },
        setWhere: eq(chainCursors.doneHash, ''),
      }),
  )
}

export const moveCursor = (tx: Tx, chainId: number, end: Block) =>
  tx.update(chainCursors).set(positionAt(end)).where(eq(chainCursors.chainId, chainId))

/** Records a read to the chain's head, which ends every problem. `before` is the cursor at the start of the turn. */
export async function recordProgress(
  tx: Tx,
  ctx: Ctx,
  before: Cursor,
  { head, doneBlock }: { head: Block; doneBlock: number },
): Promise<void> {
  await tx
    .update(chainCursors)
    .set({
      headBlock: head.number,
      headAt: instantOf(head),
      headMovedAt: headMovedAt(head, resolveIndexerSettings(ctx)),
      checkedAt: sql`now()`,
      failingSince: null,
      problemCode: null,
      problem: null,
      isHalted: false,
    })
    .where(eq(chainCursors.chainId, ctx.chain.chainId))
  const { stallMs } = resolveIndexerSettings(ctx)
  const wasStill = before.headMovedAt !== null && Date.now() - Date.parse(before.headMovedAt) > stallMs
  const isOver = before.failingSince !== null || before.isHalted || (wasStill && before.headBlock !== head.number)
  if (isOver || before.headBlock !== head.number || before.doneBlock !== doneBlock) await announce(tx, 'chain')
  // The notice of the problem disappears too.
  if (isOver) await announce(tx, 'security')
}

/** When the head last moved: by our clock while we watch it, otherwise by the time of the block. */
const headMovedAt = (head: Block, { stallMs }: IndexerSettings) => sql`CASE
  WHEN ${chainCursors.headBlock} IS NULL OR ${chainCursors.checkedAt} < now() - ${stallMs} * interval '1 millisecond'
    THEN least(now(), ${instantOf(head)}::timestamptz)
  WHEN ${chainCursors.headBlock} < ${head.number} THEN now() ELSE ${chainCursors.headMovedAt} END`

/**
 * Records that nothing could be read. Returns whether that is new. A chain that becomes shorter starts a new period,
 * because a node that returns after an outage needs time to catch up.
 */
export async function recordFailure(ctx: Ctx, problem: ChainProblem): Promise<{ isNew: boolean; isStall: boolean }> {
  const { chainId } = ctx.chain
  const nothing = { genesisHash: '', startBlock: 0, doneBlock: -1, doneHash: '' }
  return inTransaction(ctx, async (tx) => {
    await tx
      .insert(chainCursors)
      .values({ chainId, ...nothing })
      .onConflictDoNothing()
    const before = await lockCursor(tx, chainId)
    const startsAnew = problem.code === 'chain_shorter' && before.problemCode !== 'chain_shorter'
    const [after] = await tx
      .update(chainCursors)
      .set({
        failingSince: startsAnew ? sql`now()` : sql`coalesce(${chainCursors.failingSince}, now())`,
        ...problemColumns(problem),
      })
      .where(eq(chainCursors.chainId, chainId))
      .returning({
        isStall: sql<boolean>`failing_since < now() - ${resolveIndexerSettings(ctx).stallMs} * interval '1 millisecond'`,
      })
    const isNew = before.failingSince === null
    if (isNew || before.problem !== problem.text) await announce(tx, 'chain')
    return { isNew, isStall: after!.isStall }
  })
}

/** Records that earlier blocks cannot be read although new ones can. */
export async function recordProblem(ctx: Ctx, problem: ChainProblem): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const before = await lockCursor(tx, ctx.chain.chainId)
    if (before.problem === problem.text) return
    await tx.update(chainCursors).set(problemColumns(problem)).where(eq(chainCursors.chainId, ctx.chain.chainId))
    await announce(tx, 'chain')
  })
}

/** Records that the chain contradicts blocks that were final. Nothing is deleted. Operators are informed once. */
export async function recordHalt(ctx: Ctx, problem: ChainProblem): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { isHalted, doneBlock } = await lockCursor(tx, ctx.chain.chainId)
    await tx
      .update(chainCursors)
      .set({
        isHalted: true,
        ...problemColumns(problem),
        failingSince: sql`coalesce(${chainCursors.failingSince}, now())`,
      })
      .where(eq(chainCursors.chainId, ctx.chain.chainId))
    if (isHalted) return
    await raiseSecurityEvent(tx, ctx, {
      severity: 'critical',
      type: 'chain_indexer_halted',
      description: `Reading transfers from the chain has halted: ${problem.text}`,
      details: { chainId: ctx.chain.chainId, indexedBlock: doneBlock },
    })
    await announce(tx, 'chain')
  })
}

/** Deletes what was read from the console's own chain after that chain was created again. */
export async function deleteChainData(ctx: Ctx): Promise<void> {
  const { chainId } = ctx.chain
  await inTransaction(ctx, async (tx) => {
    await lockCursor(tx, chainId)
    await tx.delete(chainTransactions).where(eq(chainTransactions.chainId, chainId))
    await tx.delete(chainCoverage).where(eq(chainCoverage.chainId, chainId))
    await tx.delete(chainCursors).where(eq(chainCursors.chainId, chainId))
    await announce(tx, 'chainTransactions', 'users', 'chain')
  })
}
