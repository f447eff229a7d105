import type pg from 'pg'
import { SettingError } from '#server/core/config.ts'
import { sqlState } from '#server/lib/errors.ts'
import { type Connection, DatabaseClient, withSessionSettings } from './connection.ts'
import { closeWhenDead } from './dead-connections.ts'
import { NoPrimaryError } from './hosts.ts'

const connectTimeoutMs = 10_000

/**
 * Makes PostgreSQL notice after half a minute that this machine has vanished, so that the locks of its connection are
 * free. By default it takes two hours.
 */
export const keepAliveSql =
  'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 30000'

/** The settings that name a database: for the server, past its pooler, and for the account that owns the tables. */
export type DatabaseSetting = 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_OWNER_URL'

/**
 * Opens one connection besides the pool. Close it. Throws SettingError if `setting` leads to no database. The message
 * never contains the password.
 */
export async function connectOnce(
  connection: Connection,
  setting: DatabaseSetting = 'DATABASE_URL',
): Promise<pg.Client> {
  let client: pg.Client | undefined
  try {
    client = new DatabaseClient({ connectionTimeoutMillis: connectTimeoutMs, ...withSessionSettings(connection) })
    // A connection that breaks later fails its query. Without a listener the event would end the process.
    client.on('error', () => {})
    await client.connect()
    if (!connection.isPooled) await client.query(keepAliveSql)
    closeWhenDead(client, connection, { isPooled: connection.isPooled })
    return client
  } catch (error) {
    await client?.end().catch(() => {})
    if (!connection.connectionString) throw error
    throw new SettingError(`${setting} ${explainUnreachable(error, client)}`, { cause: error })
  }
}

/** What to do where a setting that needs sessions leads to a pooler. */
export const poolerRemedy =
  'leave the pooler in DATABASE_URL, and set DATABASE_DIRECT_URL to the database server itself (docs/operating.md, "Behind a pooler")'

function explainUnreachable(error: unknown, client: pg.Client | undefined): string {
  if (error instanceof NoPrimaryError) return `leads to several hosts, and ${error.message}: start one, or promote one`
  const { host = '', port = '', database = '', user = '' } = client ?? {}
  const server = host.startsWith('/') ? host : `${host}:${port}`
  const state = sqlState(error)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (state === '3D000') return `names the database "${database}", which ${server} does not have: create it first`
  if (state?.startsWith('28'))
    return `names the account "${user}" or a password that ${server} refuses: put name and password right`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `names the host ${host}, which is not known: put it right`
  if (error instanceof Error && error.message.includes('unsupported startup parameter'))
    return `leads to a pooler at ${server} (${error.message}): ${poolerRemedy}`
  const reason = error instanceof Error ? error.message || String(code) : String(error)
  return `leads to ${server}, where no PostgreSQL can be reached (${reason}): start it, or put host and port right`
}

/** The account of DATABASE_URL. Throws SettingError if `owner` is the same account, or of another database. */
export async function readOwnAccount(server: Connection, owner: Connection): Promise<{ account: string }> {
  const [own, theirs] = [await readPlace(server, 'DATABASE_URL'), await readPlace(owner, 'DATABASE_OWNER_URL')]
  if (own.place !== theirs.place)
    throw new SettingError('DATABASE_OWNER_URL names another database than DATABASE_URL: set both to the same one')
  if (own.account === theirs.account)
    throw new SettingError(
      `DATABASE_OWNER_URL names the same account as DATABASE_URL, "${own.account}": give the server one of its own ` +
        `(npm run admin -- db roles), or leave DATABASE_OWNER_URL away`,
    )
  return { account: own.account }
}

/** The server and the database that a connection leads to, and its account there. */
export async function readPlace(connection: Connection, setting: DatabaseSetting) {
  const client = await connectOnce(connection, setting)
  try {
    const { rows } = await client.query<{ account: string; place: string }>(
      `SELECT current_user AS account, pg_postmaster_start_time()::text || '/' || oid AS place
      FROM pg_database WHERE datname = current_database()`,
    )
    return rows[0]!
  } finally {
    await client.end()
  }
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
