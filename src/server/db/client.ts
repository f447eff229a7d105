import { setTimeout as pause } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { AppError, isDatabaseAway, sqlState } from '#server/lib/errors.ts'
import { closeWhenDead } from './dead-connections.ts'
import { type Reads, readsUntil } from './reads.ts'

export type Db = ReturnType<typeof drizzle<Record<string, never>>>
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

export interface Database {
  db: Db
  pool: pg.Pool
  /** Runs `work` in one transaction. Repeats it if PostgreSQL reports a deadlock or a serialisation conflict. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Reads whose statements the database cancels when `asked.signal` aborts. */
  reads(asked: { readonly signal: AbortSignal }): Reads
  close(): Promise<void>
}

const conflicts = new Set(['40001', '40P01'])

/** Throws outcome_unknown if the connection breaks between COMMIT and its answer, because the change may be stored. */
async function runOnce<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  let isCommitting = false
  try {
    return await db.transaction(async (tx) => {
      const result = await work(tx)
      isCommitting = true
      return result
    })
  } catch (error) {
    // Any other error of a COMMIT, such as a violated constraint, has rolled it back.
    if (!isCommitting || (sqlState(error) && !isDatabaseAway(error))) throw error
    const message = 'It is not known whether the change was made: reload and look before trying again'
    throw new AppError('outcome_unknown', message, { retryAfter: 2, cause: error })
  }
}

/**
 * Session settings that the code relies on, whatever the server's defaults: ISO dates in UTC. And one process per statement:
 * many operators search at once, and parallel workers made a search 15 % faster for twice the work. No memos of joined rows:
 * PostgreSQL makes their tables as large as the whole list could need, which took a quarter of the time of a page of 50 rows.
 */
const sessionSettings =
  '-c TimeZone=UTC -c DateStyle=ISO,MDY -c IntervalStyle=postgres -c max_parallel_workers_per_gather=0 -c enable_memoize=off'

const withOptions = (options: string | null | undefined) =>
  options?.includes(sessionSettings) ? options : [options, sessionSettings].filter(Boolean).join(' ')

/** The connection with our session settings, after its own options. */
export function withSessionSettings<T extends pg.ClientConfig>(connection: T): T {
  if (!connection.connectionString) return { ...connection, options: withOptions(connection.options) }
  // Options in a URL override those beside it, so ours must go into the URL.
  const url = new URL(connection.connectionString)
  url.searchParams.set('options', withOptions(url.searchParams.get('options') ?? connection.options))
  return { ...connection, connectionString: url.href }
}

/** The options of a pool, for a further connection. A pool hides its password from a plain copy of its options. */
export const readConnectionOptions = ({ options }: pg.Pool): pg.PoolConfig => ({
  ...options,
  password: options.password,
})

/**
 * `onPoolError` gets errors of idle connections. Without a listener such an event would end the process. A connection that has
 * not answered for `silentMs`, longer than a statement may take, is closed if the database is not at work for it.
 */
export function connectPool(
  options: pg.PoolConfig,
  onPoolError: (error: Error) => void,
  { silentMs }: { silentMs?: number } = {},
): Database {
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
  // Cancel requests use their own connections, so that they never wait for the statements that they cancel.
  const cancels = new pg.Pool({ ...readConnectionOptions(pool), max: 1, application_name: 'back-office cancel' })
  cancels.on('error', onPoolError)
  for (const each of [pool, cancels])
    each.on('connect', (client) => {
      // The pool listens to idle clients alone. The end of one that is just handed over would end the process.
      client.on('error', () => {})
      closeWhenDead(client, readConnectionOptions(pool), silentMs)
    })
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
