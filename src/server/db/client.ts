import { setTimeout as pause } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { sqlState } from '#server/errors.ts'

export type Db = ReturnType<typeof drizzle<Record<string, never>>>
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

export interface Database {
  db: Db
  pool: pg.Pool
  /** Runs `work` in one transaction; again, from its start, when PostgreSQL broke a deadlock or a serialization conflict. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const conflicts = new Set(['40001', '40P01'])

/** `onPoolError` hears of idle connections that broke; without a listener one such event would end the process. */
export function connect(options: pg.PoolConfig, onPoolError: (error: Error) => void): Database {
  const pool = new pg.Pool({
    max: 10,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'back-office',
    ...options,
  })
  pool.on('error', onPoolError)
  const db = drizzle({ client: pool })
  return {
    db,
    pool,
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await db.transaction(work)
        } catch (error) {
          if (attempt === 5 || !conflicts.has(sqlState(error) ?? '')) throw error
          await pause(Math.random() * 20 * attempt)
        }
      }
    },
    close: () => pool.end(),
  }
}
