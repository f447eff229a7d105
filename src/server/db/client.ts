import { setTimeout as pause } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { AppError, isDatabaseAway, sqlState } from '#server/lib/errors.ts'
import { type Reads, readsUntil } from './reads.ts'

export type Db = ReturnType<typeof drizzle<Record<string, never>>>
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

export interface Database {
  db: Db
  pool: pg.Pool
  /** Runs `work` in one transaction; again, from its start, when PostgreSQL broke a deadlock or a serialization conflict. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Reads whose statements the database stops once `asked.signal` aborts. */
  reads(asked: { readonly signal: AbortSignal }): Reads
  close(): Promise<void>
}

const conflicts = new Set(['40001', '40P01'])

/** Throws outcome_unknown when the connection broke between COMMIT and its answer: the change may stand, or not. */
async function runOnce<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  let isCommitting = false
  try {
    return await db.transaction(async (tx) => {
      const result = await work(tx)
      isCommitting = true
      return result
    })
  } catch (error) {
    // Whatever else PostgreSQL says to a COMMIT, such as a broken constraint, has rolled it back.
    if (!isCommitting || (sqlState(error) && !isDatabaseAway(error))) throw error
    const message = 'It is not known whether the change was made: reload and look before trying again'
    throw new AppError('outcome_unknown', message, { retryAfter: 2, cause: error })
  }
}

/**
 * How text is read and written whatever the server's own settings say: the code counts on ISO dates in UTC. And one
 * process a statement: many operators ask at once, and helpers made a search some 15 % quicker for twice the work.
 */
const sessionSettings =
  '-c TimeZone=UTC -c DateStyle=ISO,MDY -c IntervalStyle=postgres -c max_parallel_workers_per_gather=0'

const withOptions = (options: string | null | undefined) =>
  options?.includes(sessionSettings) ? options : [options, sessionSettings].filter(Boolean).join(' ')

/** The connection with the settings that every session of ours needs, after the options that it has of its own. */
export function withSessionSettings<T extends pg.ClientConfig>(connection: T): T {
  if (!connection.connectionString) return { ...connection, options: withOptions(connection.options) }
  // What a URL says wins over what stands beside it, so that they have to go into the URL.
  const url = new URL(connection.connectionString)
  url.searchParams.set('options', withOptions(url.searchParams.get('options') ?? connection.options))
  return { ...connection, connectionString: url.href }
}

/** How a pool connects, for a connection or a pool beside it: it hides its password from a mere copy of its options. */
export const readConnectionOptions = ({ options }: pg.Pool): pg.PoolConfig => ({
  ...options,
  password: options.password,
})

/** `onPoolError` hears of idle connections that broke; without a listener one such event would end the process. */
export function connectPool(options: pg.PoolConfig, onPoolError: (error: Error) => void): Database {
  const pool = new pg.Pool({
    max: 10,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 15_000,
    lock_timeout: 5000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'back-office',
    ...withSessionSettings(options),
  })
  pool.on('error', onPoolError)
  // A request to cancel never waits for the statements that it is to end.
  const cancels = new pg.Pool({ ...readConnectionOptions(pool), max: 1, application_name: 'back-office cancel' })
  cancels.on('error', onPoolError)
  const db = drizzle({ client: pool })
  return {
    db,
    pool,
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runOnce(db, work)
        } catch (error) {
          if (attempt === 5 || !conflicts.has(sqlState(error) ?? '')) throw error
          await pause(Math.random() * 20 * attempt)
        }
      }
    },
    reads: (asked) => readsUntil(pool, cancels, asked),
    close: async () => {
      await pool.end()
      await cancels.end()
    },
  }
}
