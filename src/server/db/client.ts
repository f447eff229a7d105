import { setTimeout as pause } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { AppError, isDatabaseAway, sqlState } from '#server/lib/errors.ts'
import { type Connection, DatabaseClient, timeouts, withSessionSettings } from './connection.ts'
import { closeWhenDead } from './dead-connections.ts'
import { closeWhenReadOnly } from './read-only-server.ts'
import { type Reads, readsUntil } from './reads.ts'

export type Db = ReturnType<typeof drizzle<Record<string, never>>>
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

export interface Database {
  db: Db
  pool: pg.Pool
  /** How connections are opened that need a session: for locks, notifications and temporary tables. Past a pooler. */
  session: Connection
  /** Runs `work` in one transaction. Repeats it if PostgreSQL reports a deadlock or a serialisation conflict. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Where reads go that take long: to a standby, if there is one that knows all that is committed. */
  findReader(): Promise<Database>
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

/** The options of a pool, for a further connection. A pool hides its password from a plain copy of its options. */
export const readConnectionOptions = ({ options }: pg.Pool): Connection => ({ ...options, password: options.password })

interface PoolOptions {
  silentMs?: number
  /** Past the pooler, if `connection` leads to one. */
  direct?: Connection | undefined
}

/** A pooler takes no limits at the start of a session. The role has them. */
const unlimited = Object.fromEntries(Object.keys(timeouts).map((name) => [name, undefined]))

/**
 * `onPoolError` gets errors of idle connections. Without a listener such an event would end the process. A connection that has
 * not answered for `silentMs`, longer than a statement may take, is closed if the database is not at work for it.
 */
export function connectPool(
  connection: pg.PoolConfig & Connection,
  onPoolError: (error: Error) => void,
  { silentMs, direct }: PoolOptions = {},
): Database {
  const limits = { connectionTimeoutMillis: 3000, ...timeouts, application_name: 'back-office' }
  const pool = new pg.Pool({
    max: 10,
    idleTimeoutMillis: 30_000,
    ...withSessionSettings({ ...limits, ...(connection.isPooled && unlimited), ...connection }),
    Client: DatabaseClient,
  })
  pool.on('error', onPoolError)
  const session = direct ? { ...limits, ...direct } : readConnectionOptions(pool)
  // Cancel requests use their own connections, so that they never wait for the statements that they cancel.
  const cancels = new pg.Pool({
    idleTimeoutMillis: 30_000,
    ...withSessionSettings({ ...session, application_name: 'back-office cancel' }),
    max: 1,
    Client: DatabaseClient,
  })
  cancels.on('error', onPoolError)
  closeWhenReadOnly(pool)
  for (const each of [pool, cancels])
    each.on('connect', (client) => {
      // The pool listens to idle clients alone. The end of one that is just handed over would end the process.
      client.on('error', () => {})
      closeWhenDead(client, session, { silentMs, isPooled: each === pool && connection.isPooled })
    })
  const db = drizzle({ client: pool })
  const database: Database = {
    db,
    pool,
    session,
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
    findReader: async () => database,
    reads: (asked) => readsUntil(pool, cancels, asked),
    close: async () => {
      await pool.end()
      await cancels.end()
    },
  }
  return database
}
