/* oxlint-disable typescript/no-unnecessary-type-parameters -- as with pg's own query, the caller says what rows come */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { sqlState } from '#server/lib/errors.ts'

/** Runs statements that only read. A pool is one. */
export interface Reads {
  query<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<{ rows: Row[] }>
}

const canceled = '57014'

// The cancel request names the statement, not only its process, so that it cannot cancel a later one.
const cancel = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE state = 'active' AND starts_with(query, $1)`

/**
 * Reads that end when nobody waits for them any more. A named statement is short and runs to its end. Any other is
 * cancelled when `asked.signal` aborts, through `cancels`, which must not wait for a connection of `pool`.
 */
export function readsUntil(pool: pg.Pool, cancels: pg.Pool, asked: { readonly signal: AbortSignal }): Reads {
  return {
    query: async <Row extends pg.QueryResultRow>(statement: pg.QueryConfig) => {
      if (statement.name) return pool.query<Row>(statement)
      const { signal } = asked
      signal.throwIfAborted()
      const client = await pool.connect()
      if (!signal.aborted) return runUntil<Row>(client, cancels, statement, signal)
      client.release()
      throw signal.reason
    },
  }
}

/** A broken connection also fails its statement, whose caller gets the error. */
const onLost = () => {}

async function runUntil<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  cancels: pg.Pool,
  statement: pg.QueryConfig,
  signal: AbortSignal,
): Promise<{ rows: Row[] }> {
  const mark = `/* ${randomUUID()} */`
  let ended: AbortController | undefined
  let stopped: Promise<void> | undefined

  // The first cancel request may arrive before the statement has reached the database.
  async function stop(until: AbortSignal) {
    for (let wait = 5; !until.aborted; wait = Math.min(500, wait * 2)) {
      await cancels.query(cancel, [mark])
      await pause(wait, undefined, { signal: until })
    }
  }
  const onAbort = () => {
    ended = new AbortController()
    stopped = stop(ended.signal).catch(() => {})
  }
  client.on('error', onLost)
  signal.addEventListener('abort', onAbort, { once: true })
  let failure: unknown
  try {
    return await client.query<Row>({ ...statement, text: `${mark} ${statement.text}` })
  } catch (error) {
    failure = error
    throw error
  } finally {
    ended?.abort()
    signal.removeEventListener('abort', onAbort)
    // Nobody else gets the connection while a cancel request may still be on its way.
    await stopped
    client.off('error', onLost)
    client.release(failure !== undefined && sqlState(failure) !== canceled)
  }
}
