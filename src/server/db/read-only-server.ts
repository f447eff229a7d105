import type pg from 'pg'

/** What a client has, and its types leave out. */
interface ClientInternals {
  connection: pg.Connection & {
    on(event: 'errorMessage', listener: (message: { code?: string }) => void): void
    on(event: 'readyForQuery', listener: (message: { status: string }) => void): void
  }
}

/** read_only_sql_transaction */
const readOnly = '25006'

/**
 * Closes the idle connections of a pool once its server refuses a write because it takes none any more: the next ones
 * are opened to whichever server does. Transactions under way end by themselves.
 */
export function closeWhenReadOnly(pool: pg.Pool): void {
  const idle = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('release', (_error, client) => idle.add(client))
  pool.on('remove', (client) => idle.delete(client))
  pool.on('connect', (client) => {
    const { connection } = client as unknown as ClientInternals
    let isRefused = false
    connection.on('errorMessage', ({ code }) => {
      if (code === readOnly) isRefused = true
    })
    connection.on('readyForQuery', ({ status }) => {
      // Within a transaction its ROLLBACK is still to come.
      if (!isRefused || status !== 'I') return
      isRefused = false
      for (const each of [client, ...idle]) (each as unknown as ClientInternals).connection.stream.destroy()
    })
  })
}
