import { eq } from 'drizzle-orm'
import type { ObjectPlace } from '#server/adapters/object-store.ts'
import { isLoopback } from '#server/lib/loopback.ts'
import { type Config, SettingError } from './config.ts'
import type { Services } from './context.ts'
import type { Database, Tx } from '#server/db/client.ts'
import { settings } from '#server/db/tables/core.ts'

const demoMark = 'holds_demo_data'
const knownDemoDatabases = new WeakSet<Database>()

/** Marks a database that contains demo data. The mark is permanent (product 13.4). */
export async function markDemoData(tx: Tx): Promise<void> {
  await tx.insert(settings).values({ name: demoMark, value: true }).onConflictDoNothing()
}

/** The mark never disappears, so it is cached once seen. */
export async function holdsDemoData(database: Database): Promise<boolean> {
  if (knownDemoDatabases.has(database)) return true
  const found = await database.db.select().from(settings).where(eq(settings.name, demoMark))
  if (found.length > 0) knownDemoDatabases.add(database)
  return found.length > 0
}

/**
 * Stops the start if a setting would connect demo members to a real platform, provider or chain (product 13.4). Always
 * reads the mark, so that pages know it while the database is away.
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

const readEndpoint = (place: ObjectPlace | undefined) =>
  place && 'bucket' in place ? place.bucket.endpoint : undefined

function findExternalSetting(config: Config): string | undefined {
  const { platformWebhookUrl, kycWebhookUrl, alarms, mail, chainMode, bscRpcUrls, documentBucket, backups } = config
  if (isExternal(platformWebhookUrl)) return 'PLATFORM_WEBHOOK_URL leads off this machine'
  if (isExternal(kycWebhookUrl)) return 'KYC_WEBHOOK_URL leads off this machine'
  if (isExternal(documentBucket?.endpoint)) return 'DOCUMENTS leads off this machine'
  // The back-ups of a real console may be kept there, and those of the demo would replace them.
  if (isExternal(readEndpoint(backups.place))) return 'BACKUP_TO leads off this machine'
  if (isExternal(readEndpoint(backups.archive))) return 'WAL_ARCHIVE leads off this machine'
  if (isExternal(alarms.url)) return 'ALARMS_URL leads off this machine'
  if (isExternal(alarms.syslogUrl)) return 'ALARMS_SYSLOG leads off this machine'
  if (isExternal(mail?.url)) return 'SMTP_URL leads off this machine'
  if (chainMode === 'rpc') return 'CHAIN_MODE=rpc leads to a real chain'
  if (chainMode === 'auto' && bscRpcUrls.length > 0) return 'BSC_RPC_URLS leads to a real chain'
  return undefined
}
