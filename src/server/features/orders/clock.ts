import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'

/**
 * The time by the database's clock, which decides what has expired (product 7.4). Call it after the row is locked: `now()`
 * is the time at which the transaction began, before it waited for the lock.
 */
export async function readDatabaseTime(db: Db | Tx): Promise<string> {
  const { rows } = await db.execute<{ now: string }>(sql`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`)
  return toInstant(rows[0]!.now)
}
