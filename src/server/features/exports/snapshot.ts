import type pg from 'pg'

/** A connection whose transaction sees the database as it was when it began, for as long as a client takes to read. */
export interface Snapshot {
  client: pg.ClientBase
  /** Gives the connection back, once. `false`: it did not come to its end, and what still runs on it is stopped. */
  close(isWhole: boolean): Promise<void>
  closed: Promise<void>
}

// A fetch may walk a whole table for a rare word. A client may let its download rest for a while, not for ever: a snapshot
// keeps the database from tidying up.
const begin = `
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = '5min';
  SET LOCAL idle_in_transaction_session_timeout = '2min'`

/** `stop` ends it at once, and hears when the database has ended it. */
export async function openSnapshot(pool: pg.Pool, stop: AbortController): Promise<Snapshot> {
  const client = await pool.connect()
  const onLost = (error: Error) => stop.abort(error)
  client.on('error', onLost)
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  let isClosing = false
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await client.query(begin)
    const close = (isWhole: boolean) => {
      if (!isClosing) resolve(releaseClient(rows[0]!.pid, isWhole))
      isClosing = true
      return closed
    }
    stop.signal.throwIfAborted()
    stop.signal.addEventListener('abort', () => void close(false))
    return { client, close, closed }
  } catch (error) {
    client.release(true)
    throw error
  }

  async function releaseClient(pid: number, isWhole: boolean) {
    if (isWhole && (await client.query('COMMIT').then(Boolean, () => false))) {
      client.off('error', onLost)
      return client.release()
    }
    client.release(true)
    // Without this a statement runs on although nobody is there to read. With the database away, none does.
    await pool.query('SELECT pg_terminate_backend($1)', [pid]).catch(() => {})
  }
}
