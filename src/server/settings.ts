import { eq } from 'drizzle-orm'
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
