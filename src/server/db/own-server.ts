import pg from 'pg'
import { SettingError } from '#server/core/config.ts'
import { sqlState } from '#server/lib/errors.ts'
import { withSessionSettings } from './client.ts'

const connectTimeoutMs = 10_000

/**
 * Opens one connection besides the pool. Close it. Throws SettingError if DATABASE_URL leads to no database. The message never
 * contains the password.
 */
export async function connectOnce(connection: pg.ClientConfig): Promise<pg.Client> {
  let client: pg.Client | undefined
  try {
    client = new pg.Client({ connectionTimeoutMillis: connectTimeoutMs, ...withSessionSettings(connection) })
    // A connection that breaks later fails its query. Without a listener the event would end the process.
    client.on('error', () => {})
    await client.connect()
    return client
  } catch (error) {
    await client?.end().catch(() => {})
    if (!connection.connectionString) throw error
    throw new SettingError(`DATABASE_URL ${explainUnreachable(error, client)}`, { cause: error })
  }
}

function explainUnreachable(error: unknown, client: pg.Client | undefined): string {
  const { host = '', port = '', database = '', user = '' } = client ?? {}
  const server = host.startsWith('/') ? host : `${host}:${port}`
  const state = sqlState(error)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (state === '3D000') return `names the database "${database}", which ${server} does not have: create it first`
  if (state?.startsWith('28'))
    return `names the account "${user}" or a password that ${server} refuses: put name and password right`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `names the host ${host}, which is not known: put it right`
  const reason = error instanceof Error ? error.message || String(code) : String(error)
  return `leads to ${server}, where no PostgreSQL can be reached (${reason}): start it, or put host and port right`
}

/** Throws SettingError if the database cannot store every script, or if its search ignores upper case beyond ASCII. */
export async function requireUsable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; encoding: string }>(
    `SELECT current_database() AS name, current_setting('server_encoding') AS encoding`,
  )
  const { name, encoding } = rows[0]!
  const remedy = `create one with ENCODING 'UTF8' and a UTF-8 locale (CREATE DATABASE … TEMPLATE template0) and name that`
  if (encoding !== 'UTF8')
    throw new SettingError(`DATABASE_URL names the database "${name}", whose encoding is ${encoding}: ${remedy}`)
  const folded = await client.query<{ knows: boolean }>(`SELECT lower('É') = 'é' AS knows`)
  if (!folded.rows[0]!.knows)
    throw new SettingError(
      `DATABASE_URL names the database "${name}", whose locale knows no letters beyond ASCII: ${remedy}`,
    )
}
