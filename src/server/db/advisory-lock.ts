import { sql } from 'drizzle-orm'
import type pg from 'pg'
import type { Tx } from './client.ts'

// Work that only one server may do at a time has a name, the same on all servers of a database.
const lockKey = 'hashtextextended($1, 0)'

/** Takes the lock if it is free. It ends with the connection, and so with the process. */
export async function tryAdvisoryLock(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(`SELECT pg_try_advisory_lock(${lockKey}) AS held`, [name])
  return rows[0]!.held
}

/** Waits for the lock, within the limits of the connection. It ends with the connection. */
export async function takeAdvisoryLock(client: pg.ClientBase, name: string): Promise<void> {
  await client.query(`SELECT pg_advisory_lock(${lockKey})`, [name])
}

export async function releaseAdvisoryLock(client: pg.ClientBase, name: string): Promise<void> {
  await client.query(`SELECT pg_advisory_unlock(${lockKey})`, [name])
}

/** SQL: takes the lock until the transaction ends, if it is free. */
export const tryLockInTransaction = (name: string) => sql`pg_try_advisory_xact_lock(hashtextextended(${name}, 0))`

/** Waits for the lock and holds it until the transaction ends. */
export async function lockInTransaction(tx: Tx, name: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

/** SQL: whether any connection to this database holds the lock that the parameter `name` names. */
export const isLockHeld = (name: string) => `EXISTS (
  SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND ((classid::bigint << 32) | objid::bigint) = hashtextextended(${name}, 0))`
