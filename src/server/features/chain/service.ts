import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Client } from 'pg'
import type { ChainAccess } from '#server/adapters/chain-access.ts'
import { raiseSecurityEvent } from '#server/audit.ts'
import { type Ctx, inTransaction } from '#server/context.ts'
import { connectionOf } from '#server/db/client.ts'
import { connectOnce } from '#server/db/own-server.ts'
import { AppError } from '#server/errors.ts'
import { noteFailure, noteHalt, Raced } from './cursor.ts'
import { HistoryAway, Indexer, ShorterChain, Stopped } from './indexer.ts'
import { isShorter } from './observe.ts'
import { TooWide } from './refusals.ts'
import { indexerSettings, isIndexing } from './settings.ts'

export { chainHealth, countUnread } from './health.ts'
export { indexerSettings } from './settings.ts'

const releaseMs = 2000

interface State {
  indexer: Indexer
  /** Held while this server is the one that reads. */
  lock: Client | undefined
  /** Since when, by this machine's clock, what came late can't be read. */
  awaySince: number | undefined
}
const states = new WeakMap<ChainAccess, State>()

/**
 * Reads transfers until nothing is left to read at the moment. Of all servers on one database one does; one that can't
 * reach the chain lets another try. Every server tells of a stall, once.
 */
export async function indexTransfers(ctx: Ctx, stop: AbortSignal): Promise<void> {
  if (!isIndexing(ctx)) return
  const state = states.get(ctx.chain) ?? { indexer: new Indexer(ctx), lock: undefined, awaySince: undefined }
  states.set(ctx.chain, state)
  if (!(await takeLock(ctx, state, stop))) return tellStall(ctx)
  try {
    while (!stop.aborted && state.lock && (await state.indexer.turn(ctx, stop)));
    state.awaySince = undefined
  } catch (failure) {
    const isAway = failure instanceof HistoryAway
    const error = isAway ? failure.cause : failure
    await release(state)
    if (error instanceof Stopped || error instanceof Raced) return
    const problem = problemOf(error)
    if (!problem) {
      // No matter of the chain, but nothing is read all the same.
      await tellStall(ctx)
      throw error
    }
    const isBehind = error instanceof ShorterChain
    const { isNew, isStall } = await noteFailure(ctx, problem, (before) => isBehind && !isShorter(before))
    // The console's own chain comes up behind it, and says itself when it can't.
    const level = ctx.chain.mode === 'embedded' ? 'info' : 'warn'
    if (isNew) ctx.log[level]({ err: error }, 'transfers can’t be read from the chain; it is tried again')
    // Nodes that are behind catch up; a chain that stays shorter than what was final is another one.
    if (isStall && isBehind) await noteHalt(ctx, problem)
    else if (isAway) await tellAway(ctx, (state.awaySince ??= Date.now()), problem)
    else await tellStall(ctx)
  }
}

/** What an operator is told; undefined for what is no matter of the chain. */
function problemOf(error: unknown): string | undefined {
  if (error instanceof ShorterChain) return error.message
  if (error instanceof TooWide) return 'The nodes refuse to answer eth_getLogs even for a single block and wallet'
  if (!(error instanceof AppError) || !error.code.startsWith('chain_')) return undefined
  if (error.code === 'chain_busy')
    return `${error.message}. Public nodes of BSC refuse eth_getLogs altogether: see BSC_LOGS_RPC_URLS`
  return error.message
}

/** A lock that ends with this process, on a connection of its own. */
async function takeLock(ctx: Ctx, state: State, stop: AbortSignal): Promise<boolean> {
  if (state.lock) return true
  const client = await connectOnce({
    ...connectionOf(ctx.database.pool),
    keepAlive: true,
    application_name: 'back-office indexer',
  })
  const { rows } = await client.query<{ held: boolean }>(
    'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held',
    [`chain indexer ${ctx.chain.chainId}`],
  )
  if (!rows[0]?.held || stop.aborted) {
    await client.end()
    return false
  }
  state.lock = client
  // Another may have read on meanwhile.
  state.indexer.lookAgain()
  const onStop = () => void release(state)
  stop.addEventListener('abort', onStop, { once: true })
  client.once('end', () => {
    stop.removeEventListener('abort', onStop)
    if (state.lock === client) state.lock = undefined
  })
  return true
}

async function release(state: State): Promise<void> {
  const client = state.lock
  state.lock = undefined
  // A connection that hangs would hold up whoever waits for it.
  await Promise.race([client?.end().catch(() => {}), pause(releaseMs, undefined, { ref: false })])
}

/** Raises one security event, until it is resolved, where what came late stays unread: nodes may keep no history. */
async function tellAway(ctx: Ctx, since: number, problem: string): Promise<void> {
  if (Date.now() - since < indexerSettings(ctx).stallMs) return
  await inTransaction(ctx, async (tx) => {
    const { rows } = await tx.execute<{ isTold: boolean }>(sql`SELECT EXISTS (SELECT FROM security_events
      WHERE event_type = 'chain_history_unread' AND resolved_at IS NULL) AS "isTold"`)
    if (rows[0]!.isTold) return
    await raiseSecurityEvent(tx, ctx, {
      severity: 'high',
      type: 'chain_history_unread',
      description: `Earlier transfers of wallets or tokens that came later cannot be read from the chain: ${problem}`,
      details: { chainId: ctx.chain.chainId },
    })
  })
}

/** Raises one security event for each stall, whichever server finds it. */
async function tellStall(ctx: Ctx): Promise<void> {
  const { chainId } = ctx.chain
  const { stallMs } = indexerSettings(ctx)
  await inTransaction(ctx, async (tx) => {
    const { rows } = await tx.execute<{ since: string; problem: string | null; indexedBlock: string }>(sql`
      SELECT since, problem, done_block AS "indexedBlock" FROM (
        SELECT *, coalesce(failing_since, checked_at) AS since FROM chain_cursors WHERE chain_id = ${chainId} FOR UPDATE
      ) c
      WHERE since < now() - ${stallMs} * interval '1 millisecond' AND NOT is_halted AND NOT EXISTS (
        SELECT FROM security_events e WHERE e.created_at > since AND e.event_type = 'chain_indexer_stalled')`)
    const [stall] = rows
    if (!stall) return
    await raiseSecurityEvent(tx, ctx, {
      severity: 'high',
      type: 'chain_indexer_stalled',
      description: `No transfers have been read from the chain for ${Math.round(stallMs / 60_000)} minutes${
        stall.problem ? `: ${stall.problem}` : ''
      }`,
      details: { chainId, indexedBlock: Number(stall.indexedBlock) },
    })
  })
}
