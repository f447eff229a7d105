import { sql } from 'drizzle-orm'
import { type IndexerState, mostBackfilling, type NodeProblem } from '#contract/chain.ts'
import type { ChainHealth } from '#contract/schemas/chain.ts'
import type { Services } from '#server/core/context.ts'
import { toInstant } from '#server/db/columns.ts'
import { formatInstant } from '#server/lib/errors.ts'
import { resolveIndexerSettings, isIndexing } from './indexer-settings.ts'
import { isBehindCursor } from './watch-list.ts'

const networkNames: Record<number, string> = { 56: 'BNB Smart Chain', 97: 'BSC testnet', 1337: 'Local chain' }

/** Up to this many blocks beyond the confirmations, the indexer counts as up to date. */
const maxBlocksBehind = 60

interface Progress {
  hasBegun: boolean
  isHalted: boolean
  problem: string | null
  startBlock: number
  doneBlock: number
  headBlock: number | null
  headAt: string | null
  checkedAt: string | null
  lagSeconds: number | null
  failingMs: number | null
  uncheckedMs: number | null
  /** Since the head last moved. */
  unmovedMs: number | null
  headMovedAt: string | null
  backfilling: number
  pendingAboveHead: number
}

type ChainServices = Pick<Services, 'chain' | 'config' | 'database'>

async function readProgress({ chain, database }: ChainServices): Promise<Progress | undefined> {
  const { rows } = await database.db.execute<Record<keyof Progress, never>>(sql`
    SELECT done_hash <> '' AS "hasBegun", is_halted AS "isHalted", problem, start_block::float8 AS "startBlock",
      done_block::float8 AS "doneBlock", head_block::float8 AS "headBlock", head_at AS "headAt",
      checked_at AS "checkedAt", extract(epoch FROM now() - done_at)::float8 AS "lagSeconds",
      extract(epoch FROM now() - failing_since)::float8 * 1000 AS "failingMs",
      extract(epoch FROM now() - checked_at)::float8 * 1000 AS "uncheckedMs",
      extract(epoch FROM now() - head_moved_at)::float8 * 1000 AS "unmovedMs", head_moved_at AS "headMovedAt",
      (SELECT count(*)::int FROM (SELECT FROM chain_coverage v WHERE v.chain_id = c.chain_id AND ${isBehindCursor}
        LIMIT ${mostBackfilling + 1}) v) AS backfilling,
      (SELECT count(*)::int FROM chain_transactions t WHERE t.chain_id = c.chain_id AND t.block_number > c.head_block
        AND t.status = 'pending') AS "pendingAboveHead"
    FROM chain_cursors c WHERE chain_id = ${chain.chainId}`)
  return rows[0]
}

/** Whether no node has had a new block for a while, on a chain that mines continuously. */
function isHeadStalled(services: ChainServices, { unmovedMs }: Progress): boolean {
  return !services.chain.logNodes.isMinedOnDemand && (unmovedMs ?? 0) > resolveIndexerSettings(services).stallMs
}

function indexerState(services: ChainServices, progress: Progress | undefined): IndexerState {
  const { confirmationsWithoutTag, stallMs } = resolveIndexerSettings(services)
  if (!isIndexing(services)) return 'off'
  if (!progress) return 'starting'
  if (progress.isHalted) return 'halted'
  const { failingMs, uncheckedMs, headBlock, doneBlock } = progress
  // A server that has just started gives the reading server time to begin.
  const isUnread = failingMs === null && (uncheckedMs ?? 0) > stallMs && process.uptime() * 1000 > stallMs
  if ((failingMs ?? 0) > stallMs || isUnread || isHeadStalled(services, progress)) return 'stalled'
  if (!progress.hasBegun || headBlock === null) return 'starting'
  if (failingMs !== null) return 'retrying'
  return headBlock - doneBlock > confirmationsWithoutTag + maxBlocksBehind ? 'behind' : 'ok'
}

function describeProblem(services: ChainServices, progress: Progress): string | null {
  if (progress.problem !== null || !isHeadStalled(services, progress)) return progress.problem
  return `No node has had a new block since ${formatInstant(progress.headMovedAt!)}`
}

const instant = (value: string | null | undefined) => (value ? toInstant(value) : null)

/** How far the chain is read, from the database, and the state of the nodes as this server sees them (product 12.3). */
export async function readChainHealth(services: ChainServices): Promise<ChainHealth> {
  const { chain } = services
  if (chain.mode === 'off') return { ...emptyHealth, mode: 'off', network: null, chainId: null, providers: [] }
  const progress = await readProgress(services)
  const known = {
    ...emptyHealth,
    mode: chain.mode,
    network: networkNames[chain.chainId] ?? `Chain ${chain.chainId}`,
    chainId: chain.chainId,
    indexer: indexerState(services, progress),
    problem: progress ? describeProblem(services, progress) : null,
    checkedAt: instant(progress?.checkedAt),
    providers: listProviders(services),
  }
  if (!progress?.hasBegun) return known
  const { headBlock, headAt, doneBlock, lagSeconds, backfilling, pendingAboveHead } = progress
  return {
    ...known,
    headBlock,
    headAt: instant(headAt),
    indexedBlock: doneBlock,
    lagBlocks: headBlock === null ? null : Math.max(0, headBlock - doneBlock),
    lagSeconds: lagSeconds === null || chain.logNodes.isMinedOnDemand ? null : Math.max(0, Math.round(lagSeconds)),
    backfilling,
    pendingAboveHead,
  }
}

const emptyHealth = {
  indexer: 'off',
  problem: null,
  headBlock: null,
  headAt: null,
  indexedBlock: null,
  lagBlocks: null,
  lagSeconds: null,
  backfilling: 0,
  pendingAboveHead: 0,
  checkedAt: null,
} as const

/** A node that has not been called yet has no problem. */
function listProviders({ chain, config }: ChainServices): ChainHealth['providers'] {
  const isOwn = chain.mode === 'embedded'
  const hostsOf = (urls: readonly string[]) =>
    isOwn ? [] : urls.map((url) => ({ host: new URL(url).host, problem: null }))
  const balances = problemsByHost([...hostsOf(config.bscRpcUrls), ...chain.nodes.health()])
  const transfers = problemsByHost([...hostsOf(config.chain.logsUrls), ...chain.logNodes.health()])
  return [...new Set([...balances.keys(), ...transfers.keys()])].map((host) => {
    const problem = transfers.get(host) ?? balances.get(host) ?? null
    const serves = isOwn ? 'both' : !balances.has(host) ? 'transfers' : transfers.has(host) ? 'both' : 'balances'
    return { host, isUp: problem === null, problem, serves }
  })
}

/** The last entry of a host counts: results of calls come after the configured hosts. */
const problemsByHost = (list: readonly { host: string; problem: NodeProblem | null }[]) =>
  new Map(list.map(({ host, problem }) => [host, problem]))

/** 1 if the chain should be read and is not (product 3.6). */
export async function countUnreadChain(services: ChainServices): Promise<number> {
  if (!isIndexing(services)) return 0
  const state = indexerState(services, await readProgress(services))
  return state === 'stalled' || state === 'halted' ? 1 : 0
}
