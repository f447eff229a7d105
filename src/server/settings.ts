import { eq } from 'drizzle-orm'
import { type Config, isLoopback, SettingError } from './config.ts'
import type { Services } from './context.ts'
import type { Database, Tx } from './db/client.ts'
import { settings } from './db/tables/core.ts'

const demoMark = 'holds_demo_data'
const marked = new WeakSet<Database>()

/** A database once filled with demo data is marked for ever (PRODUCT section 6). */
export async function markDemoData(tx: Tx): Promise<void> {
  await tx.insert(settings).values({ name: demoMark, value: true }).onConflictDoNothing()
}

/** The mark never goes, so once seen it is remembered. */
export async function holdsDemoData(database: Database): Promise<boolean> {
  if (marked.has(database)) return true
  const found = await database.db.select().from(settings).where(eq(settings.name, demoMark))
  if (found.length > 0) marked.add(database)
  return found.length > 0
}

/**
 * Demo members never reach a real platform, provider or chain: a setting that leads there stops the start (PRODUCT
 * section 6). Reads the mark in any case, so that pages know it also while the database is away.
 */
export async function protectDemoData({ config, database }: Services): Promise<void> {
  if (!(await holdsDemoData(database))) return
  const away = whatLeadsAway(config)
  if (away)
    throw new SettingError(
      `${away}, but this database holds demo data. Start with DEMO=off and an empty DATA_DIR, or without that setting`,
    )
}

const leavesMachine = (address: string | undefined) => address !== undefined && !isLoopback(address)

function whatLeadsAway({ platformWebhookUrl, kycWebhookUrl, chainMode, bscRpcUrls }: Config): string | undefined {
  if (leavesMachine(platformWebhookUrl)) return 'PLATFORM_WEBHOOK_URL leads off this machine'
  if (leavesMachine(kycWebhookUrl)) return 'KYC_WEBHOOK_URL leads off this machine'
  if (chainMode === 'rpc') return 'CHAIN_MODE=rpc leads to a real chain'
  if (chainMode === 'auto' && bscRpcUrls.length > 0) return 'BSC_RPC_URLS leads to a real chain'
  return undefined
}
