import type pg from 'pg'
import { SettingError } from '#server/core/config.ts'
import { sqlState } from '#server/lib/errors.ts'
import { type Connection, sessionSettings, timeouts } from './connection.ts'
import { connectOnce, type DatabaseSetting, poolerRemedy, readPlace } from './own-server.ts'

/** More than a pooler that is asked by others needs to give itself away. */
const rounds = 10

const readProcess = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid

/** Opens two connections at once for `work`. */
async function withTwo<T>(
  connection: Connection,
  setting: DatabaseSetting,
  work: (one: pg.Client, other: pg.Client) => Promise<T>,
): Promise<T> {
  const one = await connectOnce(connection, setting)
  try {
    const other = await connectOnce(connection, setting)
    try {
      return await work(one, other)
    } finally {
      await other.end()
    }
  } finally {
    await one.end()
  }
}

/** As the server announced it when the connection was opened. pg has it, and its types leave it out. */
const announcedProcess = (client: pg.Client) => (client as unknown as { processID: number | null }).processID

/**
 * Whether transactions of one connection run in several processes. Without a pooler one process serves a connection for
 * ever, and is the one that was announced. Otherwise a second connection holds a transaction open, for which a pooler
 * takes the process that the first one just had, and the first one gets another.
 */
export async function isPooledByTransaction(connection: Connection, setting: DatabaseSetting): Promise<boolean> {
  return withTwo(connection, setting, async (one, other) => {
    for (let round = 0; round < rounds; round++) {
      const before = await readProcess(one)
      await other.query('BEGIN')
      const held = await readProcess(other)
      const after = await readProcess(one)
      await other.query('ROLLBACK')
      if (before !== after || before === held) return true
      if (before === announcedProcess(one)) return false
    }
    return false
  })
}

/** Throws SettingError where `setting` leads to a pooler that keeps no session. */
export async function requireSessions(connection: Connection, setting: DatabaseSetting): Promise<void> {
  if (!(await isPooledByTransaction(connection, setting))) return
  throw new SettingError(
    setting === 'DATABASE_URL'
      ? `DATABASE_URL leads to a pooler that gives each transaction another connection: ${poolerRemedy}`
      : `${setting} leads to a pooler that gives each transaction another connection: set it to the database server itself`,
  )
}

/** Throws SettingError where the pooler and the direct address lead to different databases or accounts. */
export async function requireSamePlace(pooled: Connection, direct: Connection): Promise<void> {
  const [own, theirs] = [await readPlace(pooled, 'DATABASE_URL'), await readPlace(direct, 'DATABASE_DIRECT_URL')]
  if (own.place === theirs.place && own.account === theirs.account) return
  const what = own.place === theirs.place ? 'account' : 'database'
  throw new SettingError(`DATABASE_DIRECT_URL names another ${what} than DATABASE_URL: both lead to the same one`)
}

/** Settings whose values are limits: any that is set and no longer will do. */
const isLimit = (name: string): name is keyof typeof timeouts => name in timeouts

const expected: Readonly<Record<string, string>> = {
  ...sessionSettings,
  ...Object.fromEntries(Object.entries(timeouts).map(([name, value]) => [name, String(value)])),
}

const isRight = (name: string, present: string): boolean =>
  isLimit(name)
    ? Number(present) > 0 && Number(present) <= timeouts[name]
    : present.replaceAll(' ', '') === expected[name]

const statedValue = (name: string) => (isLimit(name) ? `${timeouts[name] / 1000}s` : expected[name]!)

interface PooledSession {
  account: string
  database: string
  present: Record<string, string>
}

const sessionSql = `SELECT quote_ident(current_user) AS account, quote_ident(current_database()) AS database,
  json_object_agg(n, (SELECT setting FROM pg_settings WHERE lower(name) = lower(n))) AS present FROM unnest($1::text[]) AS n`

/**
 * Throws SettingError where a pooled connection works with other settings than the code relies on. It says what to run.
 * A pooler lets no client set them, so the role must have them.
 */
export async function requirePooledSettings(pooled: Connection): Promise<void> {
  const client = await connectOnce(pooled)
  try {
    const { rows } = await client.query<PooledSession>(sessionSql, [Object.keys(expected)])
    const { account, database, present } = rows[0]!
    const wrong = Object.keys(expected).filter((name) => !isRight(name, present[name] ?? ''))
    if (wrong.length === 0) return
    const statements = wrong.map(
      (name) => `ALTER ROLE ${account} IN DATABASE ${database} SET ${name} = '${statedValue(name)}';`,
    )
    const names = wrong.map((name) => `${name} (now ${present[name]})`)
    throw new SettingError(
      `connections of the pooler in DATABASE_URL need other settings: ${names.join(', ')}. Run this at the database server, ` +
        `then let the pooler open its connections again (PgBouncer: RECONNECT): ${statements.join(' ')}`,
    )
  } finally {
    await client.end()
  }
}

/** SQLSTATEs of a name that the process does not know, or that another connection gave. */
const lostNames = new Set(['26000', '42P05'])

/** Throws SettingError where the pooler does not carry the names of statements from one connection to another. */
export async function requireNamedStatements(pooled: Connection): Promise<void> {
  if (pooled.hasNamedStatements === false) return
  const statement = { name: 'pooler_probe', text: 'SELECT 1' }
  await withTwo(pooled, 'DATABASE_URL', async (one, other) => {
    for (let round = 0; round < rounds; round++) {
      await one.query(statement)
      await other.query('BEGIN')
      await other.query(statement)
      await one.query(statement)
      await other.query('ROLLBACK')
    }
  }).catch((error: unknown) => {
    if (!lostNames.has(sqlState(error) ?? '')) throw error
    throw new SettingError(
      'DATABASE_URL leads to a pooler that knows no named statements: set DATABASE_PREPARE=off, or have it keep them ' +
        '(PgBouncer from 1.21 on: max_prepared_statements)',
      { cause: error },
    )
  })
}
