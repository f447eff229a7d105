import { eq } from 'drizzle-orm'
import { type Config, isLoopback, SettingError } from './config.ts'
import type { Services } from './context.ts'
import type { Database, Db, Tx } from '#server/db/client.ts'
import { settings } from '#server/db/tables/core.ts'

const demoMark = 'holds_demo_data'
const knownDemoDatabases = new WeakSet<Database>()

/** A database once filled with demo data is marked for ever (product 13.4). */
export async function markDemoData(tx: Tx): Promise<void> {
  await tx.insert(settings).values({ name: demoMark, value: true }).onConflictDoNothing()
}

/** The mark never goes, so once seen it is remembered. */
export async function holdsDemoData(database: Database): Promise<boolean> {
  if (knownDemoDatabases.has(database)) return true
  const found = await database.db.select().from(settings).where(eq(settings.name, demoMark))
  if (found.length > 0) knownDemoDatabases.add(database)
  return found.length > 0
}

const chainMark = 'local_chain_since'

/** The moment from which on this database goes with a chain of the console's own, as first said; undefined for none. */
export async function readLocalChainStart(db: Db | Tx): Promise<string | undefined> {
  const [found] = await db.select().from(settings).where(eq(settings.name, chainMark))
  return found && String(found.value)
}

/** Says it once and for ever: the chain's blocks follow from that moment. */
export async function markLocalChain(db: Db | Tx, since: string): Promise<void> {
  await db.insert(settings).values({ name: chainMark, value: since }).onConflictDoNothing()
}

/**
 * Demo members never reach a real platform, provider or chain: a setting that leads there stops the start (product
 * 13.4). Reads the mark in any case, so that pages know it also while the database is away.
 */
export async function protectDemoData({ config, database }: Services): Promise<void> {
  if (!(await holdsDemoData(database))) return
  const away = findExternalSetting(config)
  if (away)
    throw new SettingError(
      `${away}, but this database holds demo data. Start with DEMO=off and an empty DATA_DIR, or without that setting`,
    )
}

const isExternal = (address: string | undefined) => address !== undefined && !isLoopback(address)

function findExternalSetting({ platformWebhookUrl, kycWebhookUrl, chainMode, bscRpcUrls }: Config): string | undefined {
  if (isExternal(platformWebhookUrl)) return 'PLATFORM_WEBHOOK_URL leads off this machine'
  if (isExternal(kycWebhookUrl)) return 'KYC_WEBHOOK_URL leads off this machine'
  if (chainMode === 'rpc') return 'CHAIN_MODE=rpc leads to a real chain'
  if (chainMode === 'auto' && bscRpcUrls.length > 0) return 'BSC_RPC_URLS leads to a real chain'
  return undefined
}
