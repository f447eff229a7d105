import { sql } from 'drizzle-orm'
import type { ChainAccess } from '#server/adapters/chain-access.ts'
import { announce, raiseSecurityEvent } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { type Lease, LeaseLostError, takeLease } from '#server/db/lease.ts'
import { AppError } from '#server/lib/errors.ts'
import { recordFailure, recordHalt, recordProblem, CursorMovedError } from './cursor.ts'
import { HistoryUnreadableError, Indexer, ShorterChainError, StoppedError } from './indexer.ts'
import type { ChainProblem } from './observe.ts'
import { LogsRefusedError } from './range-size.ts'
import { resolveIndexerSettings, isIndexing } from './indexer-settings.ts'

interface ReaderState {
  indexer: Indexer
  /** Present while this server is the one that reads. */
  lease: Lease | undefined
  /** Since when earlier transfers cannot be read, by this machine's clock. */
  backfillFailingSince: number | undefined
}
const states = new WeakMap<ChainAccess, ReaderState>()

/**
 * Reads transfers until none are left at the moment. One server per database reads. A server that cannot reach the
 * chain lets another try. Any server reports a stall, once.
 */
export async function indexTransfers(ctx: Ctx, stop: AbortSignal): Promise<void> {
  if (!isIndexing(ctx)) return
  const state = states.get(ctx.chain) ?? {
    indexer: new Indexer(ctx),
    lease: undefined,
    backfillFailingSince: undefined,
  }
  states.set(ctx.chain, state)
  const lease = await acquireLease(ctx, state, stop)
  if (!lease) return reportStall(ctx)
  // A server that was frozen finds out by its first transaction that another one reads.
  const reading = { ...ctx, database: lease.guard(ctx.database) }
  try {
    while (!stop.aborted && !lease.signal.aborted && (await state.indexer.runTurn(reading, stop)));
    state.backfillFailingSince = undefined
    // The chain may have been read up to a head that no longer moves.
    await reportStall(ctx)
  } catch (failure) {
    try {
      await recordOutcome(ctx, reading, state, failure)
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error
    } finally {
      await releaseLease(state)
    }
  }
}

/** Lets another server read at once. Call this when this one stops. */
export async function endIndexing({ chain }: Ctx): Promise<void> {
  const state = states.get(chain)
  if (state) await releaseLease(state)
}

/** What is written of a failure as the one that reads goes through `reading`. */
async function recordOutcome(ctx: Ctx, reading: Ctx, state: ReaderState, failure: unknown): Promise<void> {
  const isAway = failure instanceof HistoryUnreadableError
  const error = isAway ? failure.cause : failure
  if (error instanceof StoppedError || error instanceof CursorMovedError || error instanceof LeaseLostError) return
  const problem = describeProblem(error)
  if (!problem) {
    // The chain is not the cause, but nothing is read.
    await reportStall(ctx)
    throw error
  }
  if (isAway) return reportUnreadHistory(reading, state, problem)
  const isBehind = error instanceof ShorterChainError
  const { isNew, isStall } = await recordFailure(reading, problem)
  // The console's own chain starts later than the indexer, and reports its own failures.
  const level = ctx.chain.mode === 'embedded' ? 'info' : 'warn'
  if (isNew) ctx.log[level]({ err: error }, 'transfers can’t be read from the chain; it is tried again')
  // Nodes that lag catch up. A chain that stays shorter than its final blocks is another chain.
  if (isStall && isBehind) await recordHalt(reading, problem)
  else await reportStall(ctx)
}

/** What operators read. Undefined if the chain is not the cause. */
function describeProblem(error: unknown): ChainProblem | undefined {
  if (error instanceof ShorterChainError) return { code: 'chain_shorter', text: error.message }
  if (error instanceof LogsRefusedError)
    return {
      code: 'logs_refused',
      text: 'The nodes refuse eth_getLogs even for a single block and wallet, as public nodes of BSC do: see BSC_LOGS_RPC_URLS',
    }
  return error instanceof AppError && isChainCode(error.code) ? { code: error.code, text: error.message } : undefined
}

const isChainCode = (code: string): code is `chain_${string}` => code.startsWith('chain_')

async function acquireLease(ctx: Ctx, state: ReaderState, stop: AbortSignal): Promise<Lease | null> {
  if (state.lease && !state.lease.signal.aborted) return state.lease
  state.lease = undefined
  if (stop.aborted) return null
  const lease = await takeLease(ctx.database, `chain indexer ${ctx.chain.chainId}`, ctx.config.leaseSeconds)
  if (!lease) return null
  state.lease = lease
  // Another server may have read in the meantime.
  state.indexer.resetCache()
  return lease
}

async function releaseLease(state: ReaderState): Promise<void> {
  const { lease } = state
  state.lease = undefined
  await lease?.release()
}

/** Raises one security event while earlier transfers stay unread. Nodes may have pruned their history. */
async function reportUnreadHistory(ctx: Ctx, state: ReaderState, problem: ChainProblem): Promise<void> {
  if (state.backfillFailingSince === undefined)
    ctx.log.warn({ problem: problem.text }, 'earlier transfers can’t be read; it is tried again')
  state.backfillFailingSince ??= Date.now()
  await recordProblem(ctx, problem)
  if (Date.now() - state.backfillFailingSince < resolveIndexerSettings(ctx).stallMs) return
  await inTransaction(ctx, async (tx) => {
    const { rows } = await tx.execute<{ isReported: boolean }>(sql`SELECT EXISTS (SELECT FROM security_events
      WHERE event_type = 'chain_history_unread' AND resolved_at IS NULL) AS "isReported"`)
    if (rows[0]!.isReported) return
    await raiseSecurityEvent(tx, ctx, {
      severity: 'high',
      type: 'chain_history_unread',
      description: `Earlier transfers of wallets or tokens that came later cannot be read from the chain: ${problem.text}`,
      details: { chainId: ctx.chain.chainId },
    })
  })
}

/** Raises one security event per stall, from any server: nothing is read, or no node has a new block. */
async function reportStall(ctx: Ctx): Promise<void> {
  const { chainId, logNodes } = ctx.chain
  const { stallMs } = resolveIndexerSettings(ctx)
  const longAgo = sql`now() - ${stallMs} * interval '1 millisecond'`
  const headMovedAt = logNodes.isMinedOnDemand ? sql`NULL` : sql`head_moved_at`
  const stalled = sql`
    SELECT problem, done_block AS "indexedBlock", read_at < ${longAgo} AS "isUnread" FROM (
      SELECT *, least(read_at, ${headMovedAt}) AS since
      FROM (SELECT *, coalesce(failing_since, checked_at) AS read_at FROM chain_cursors WHERE chain_id = ${chainId}) r
    ) c
    WHERE since < ${longAgo} AND NOT is_halted AND NOT EXISTS (
      SELECT FROM security_events e WHERE e.created_at > since AND e.event_type = 'chain_indexer_stalled')`
  const { rows: found } = await ctx.database.db.execute<Record<string, unknown>>(stalled)
  if (found.length === 0) return
  await inTransaction(ctx, async (tx) => {
    await tx.execute(sql`SELECT FROM chain_cursors WHERE chain_id = ${chainId} FOR UPDATE`)
    const { rows } = await tx.execute<{ problem: string | null; indexedBlock: string; isUnread: boolean }>(stalled)
    const [stall] = rows
    if (!stall) return
    const minutes = Math.round(stallMs / 60_000)
    const what = stall.isUnread
      ? 'No transfers have been read from the chain'
      : 'No node of the chain has had a new block'
    await raiseSecurityEvent(tx, ctx, {
      severity: 'high',
      type: 'chain_indexer_stalled',
      description: `${what} for ${minutes} minutes${stall.problem ? `: ${stall.problem}` : ''}`,
      details: { chainId, indexedBlock: Number(stall.indexedBlock) },
    })
    await announce(tx, 'chain')
  })
}
