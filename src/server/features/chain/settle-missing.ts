import { sql } from 'drizzle-orm'
import { announce } from '#server/core/audit.ts'
import { inTransaction } from '#server/core/context.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Tx } from '#server/db/client.ts'
import type { Block } from './blocks.ts'
import { type Cursor, lockCursor } from './cursor.ts'
import { enqueueConfirmed, enqueueDropped } from './deposit-events.ts'
import { type Fate, findFates, type MissingTransfer } from './fates.ts'
import type { Turn } from './read-blocks.ts'
import { setStatus } from './transfer-rows.ts'

/** The head at which no node knew a missing transfer, by row id. At a second head it has failed. */
export type UnknownTransfers = ReadonlyMap<string, string>

interface Judgement {
  of: (fate: Fate) => MissingTransfer[]
  /** What failed by its receipt, or is unknown at a second head. */
  failed: MissingTransfer[]
  /** For the next turn. */
  unknown: UnknownTransfers
}

/** Undefined if no node has the head. */
async function judgeMissing(
  { reader, unlessStopped }: Turn,
  head: Block,
  missing: readonly MissingTransfer[],
  firstUnknown: UnknownTransfers,
): Promise<Judgement | undefined> {
  const fates = missing.length > 0 ? await unlessStopped(findFates(reader, head, missing)) : []
  if (!fates) return undefined
  const of = (fate: Fate) => missing.filter((_, at) => fates[at] === fate)
  const seenAt = ({ id }: MissingTransfer) => firstUnknown.get(id) ?? head.hash
  const unknown = of('unknown')
  const failed = [...of('reverted'), ...unknown.filter((each) => seenAt(each) !== head.hash)]
  return { of, failed, unknown: new Map(unknown.map((each) => [each.id, seenAt(each)])) }
}

/** Settles missing pending transfers by what the nodes know of their transactions. Returns what is unknown so far. */
export async function settleMissing(
  turn: Turn,
  cursor: Cursor,
  head: Block,
  missing: readonly MissingTransfer[],
  firstUnknown: UnknownTransfers,
): Promise<UnknownTransfers> {
  const { ctx } = turn
  const judged = await judgeMissing(turn, head, missing, firstUnknown)
  if (!judged) return firstUnknown
  const { of, failed, unknown } = judged
  const completed = of('mined').filter(({ blockNumber }) => blockNumber <= cursor.doneBlock)
  if (failed.length + completed.length > 0)
    await inTransaction(ctx, async (tx) => {
      await lockCursor(tx, ctx.chain.chainId, cursor.doneBlock)
      await enqueueDropped(tx, ctx, await setStatus(tx, failed, { from: 'pending', to: 'failed' }))
      const final = await setStatus(tx, completed, { from: 'pending', to: 'completed' })
      await enqueueConfirmed(tx, ctx, final)
      await announce(tx, 'chainTransactions', 'users')
    })
  return unknown
}

/**
 * Settles final transfers that were missing when their blocks were read again. One whose transaction is stored in another
 * block is a copy of that. Returns those that are still open: a transaction that waits to be mined, or is unknown so far.
 */
export async function settleVanished(
  turn: Turn,
  cursor: Cursor,
  head: Block,
  vanished: readonly MissingTransfer[],
  firstUnknown: UnknownTransfers,
): Promise<{ open: MissingTransfer[]; unknown: UnknownTransfers }> {
  const { ctx } = turn
  const judged = await judgeMissing(turn, head, vanished, firstUnknown)
  if (!judged) return { open: [...vanished], unknown: firstUnknown }
  const dropped = await inTransaction(ctx, async (tx) => {
    await lockCursor(tx, ctx.chain.chainId, cursor.doneBlock)
    const moved = judged.of('moved')
    const copies = new Set(await findCopies(tx, moved))
    const gone = [...judged.failed, ...moved.filter(({ id }) => copies.has(id))]
    const failed = await setStatus(tx, gone, { from: 'completed', to: 'failed' })
    await enqueueDropped(tx, ctx, failed)
    if (failed.length > 0) await announce(tx, 'chainTransactions', 'users')
    return new Set(gone)
  })
  const open = [...judged.of('unknown'), ...judged.of('moved')].filter((each) => !dropped.has(each))
  return { open, unknown: judged.unknown }
}

/** The ids of those whose transaction is also stored as final in another block. */
async function findCopies(tx: Tx, moved: readonly MissingTransfer[]): Promise<string[]> {
  if (moved.length === 0) return []
  const { rows } = await tx.execute<{ id: string }>(sql`
    SELECT t.id::text FROM chain_transactions t WHERE t.id = ANY(${textArray(moved.map(({ id }) => id))}::bigint[])
      AND EXISTS (SELECT FROM chain_transactions o WHERE o.transaction_hash = t.transaction_hash
        AND o.status = 'completed' AND NOT o.is_imported AND o.block_hash <> t.block_hash)`)
  return rows.map(({ id }) => id)
}
