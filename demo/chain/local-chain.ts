import { eq } from 'drizzle-orm'
import { createChainAccess } from '#server/adapters/chain-access.ts'
import type { Config } from '#server/core/config.ts'
import type { Services } from '#server/core/context.ts'
import { makeChainHistory } from '#demo/platform/chain-history.ts'
import { holdsDemoData } from '#server/core/stored-settings.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { settings } from '#server/db/tables/core.ts'
import { findChainBinary } from './binary.ts'
import type { ChainHistory } from './build.ts'
import { type EmbeddedChain, startEmbeddedChain } from './start.ts'

const chainMark = 'local_chain_since'

/** The start of the console's own chain for this database. Undefined if it has none. */
export async function readLocalChainStart(db: Db | Tx): Promise<string | undefined> {
  const [found] = await db.select().from(settings).where(eq(settings.name, chainMark))
  return found && String(found.value)
}

/** Stores the start of the chain once. Its blocks derive from it. */
export async function markLocalChain(db: Db | Tx, since: string): Promise<void> {
  await db.insert(settings).values({ name: chainMark, value: since }).onConflictDoNothing()
}

export interface LocalChain {
  /** Its URL. Undefined while it is not running, or if there is none. */
  find(): Promise<string | undefined>
  /** Starts it in the background, if there is one. */
  start(): void
  stop(): Promise<void>
}

const isLocalChainMode = ({ chainMode, bscRpcUrls }: Config) =>
  chainMode === 'embedded' || (chainMode === 'auto' && bscRpcUrls.length === 0)

/** Whether a new demo platform gets its transfers from a chain that this console runs. */
export const canRunLocalChain = (config: Config) => isLocalChainMode(config) && findChainBinary() !== undefined

/**
 * Gives the services the chain that this console runs, if settings and database require one (product 13.2). They find no node
 * until it is started and complete.
 */
export async function openLocalChain(services: Services, say: (line: string) => void): Promise<LocalChain> {
  let chain: EmbeddedChain | undefined
  const plan = await planLocalChain(services)
  if (plan && 'whyOff' in plan) {
    services.chain = createChainAccess(services.config, undefined, plan.whyOff)
    say(plan.whyOff)
  }
  const find = async () => chain?.find()
  if (plan && 'history' in plan) services.chain = createChainAccess(services.config, find)
  return {
    find,
    start() {
      if (!plan || !('history' in plan)) return
      const { config, log } = services
      chain = startEmbeddedChain({ binary: plan.binary, dataDir: config.dataDir, history: plan.history(), log })
    },
    stop: async () => chain?.stop(),
  }
}

type LocalChainPlan = { binary: string; history: () => ChainHistory } | { whyOff: string }

async function planLocalChain({ config, database }: Services): Promise<LocalChainPlan | undefined> {
  const isDemo = await holdsDemoData(database)
  if (!isLocalChainMode(config) || (config.chainMode === 'auto' && !isDemo)) return undefined
  const since = await readLocalChainStart(database.db)
  if (isDemo && !since)
    return { whyOff: 'The local chain is off: this demo platform was filled without one, so its transfers are on none' }
  const binary = findChainBinary()
  if (!binary) return { whyOff: 'The local chain is off: its program is not to be had on this system' }
  if (isDemo && since) return { binary, history: () => makeChainHistory(Date.parse(since)) }
  if (!since) await markLocalChain(database.db, new Date().toISOString())
  const begun = Date.parse((await readLocalChainStart(database.db))!)
  return { binary, history: () => ({ genesis: Math.floor(begun / 1000), tokens: [], moves: [] }) }
}
