import { eq } from 'drizzle-orm'
import { isLoopback, SettingError } from './config.ts'
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

/** Demo members never reach a real platform or provider: such an address stops the start (PRODUCT section 6). */
export async function protectDemoData({ config, database }: Services): Promise<void> {
  const away = (['platformWebhookUrl', 'kycWebhookUrl'] as const).find((name) => {
    const address = config[name]
    return address !== undefined && !isLoopback(address)
  })
  if (!away || !(await holdsDemoData(database))) return
  const setting = away === 'platformWebhookUrl' ? 'PLATFORM_WEBHOOK_URL' : 'KYC_WEBHOOK_URL'
  throw new SettingError(
    `${setting} leads off this machine, but this database holds demo data. Start with DEMO=off and an empty DATA_DIR`,
  )
}
