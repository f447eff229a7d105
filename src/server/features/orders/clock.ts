import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'

/**
 * What time it is for the database, whose clock decides what has expired (product 7.4). Ask once the row is locked: a
 * transaction's own `now()` is as old as the wait for the lock was long.
 */
export async function readDatabaseTime(tx: Tx): Promise<string> {
  const { rows } = await tx.execute<{ now: string }>(sql`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`)
  return toInstant(rows[0]!.now)
}
