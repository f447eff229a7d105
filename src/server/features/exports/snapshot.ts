import type pg from 'pg'

/** A connection whose transaction sees the database as it was at its beginning, however long the client reads. */
export interface Snapshot {
  client: pg.ClientBase
  /** Returns the connection to the pool, once. `false` means incomplete: cancels what still runs. */
  close(isWhole: boolean): Promise<void>
  closed: Promise<void>
}

// A fetch may scan a whole table for a rare word. A client may pause its download, but not for ever, because a snapshot
// keeps the database from cleaning up.
const begin = `
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = '5min';
  SET LOCAL idle_in_transaction_session_timeout = '2min'`

/** A client that reads a little now and then would otherwise hold a snapshot for as long as its session lives. */
const mostMs = 15 * 60_000

/** `stop` closes it at once, and is aborted if the database closes the connection. */
export async function openSnapshot(pool: pg.Pool, stop: AbortController): Promise<Snapshot> {
  const client = await pool.connect()
  const onLost = (error: Error) => stop.abort(error)
  client.on('error', onLost)
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  let isClosing = false
  const timer = setTimeout(() => onLost(new Error('the snapshot of an export has become too old')), mostMs).unref()
  try {
    await client.query(begin)
    // Within the transaction, because a pooler may give the next one to another process.
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const close = (isWhole: boolean) => {
      if (!isClosing) resolve(releaseClient(rows[0]!.pid, isWhole))
      isClosing = true
      clearTimeout(timer)
      return closed
    }
    stop.signal.throwIfAborted()
    stop.signal.addEventListener('abort', () => void close(false))
    return { client, close, closed }
  } catch (error) {
    clearTimeout(timer)
    client.release(true)
    throw error
  }

  async function releaseClient(pid: number, isWhole: boolean) {
    if (isWhole && (await client.query('COMMIT').then(Boolean, () => false))) {
      client.off('error', onLost)
      return client.release()
    }
    client.release(true)
    // Otherwise a statement would continue without a reader. If the database is away, none runs.
    await pool.query('SELECT pg_terminate_backend($1)', [pid]).catch(() => {})
  }
}
