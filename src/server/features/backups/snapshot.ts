import pg from 'pg'
import type { Services } from '#server/core/context.ts'
import { connectOnce } from '#server/db/own-server.ts'
import type { SequenceManifest } from './manifest.ts'

const escape = pg.escapeIdentifier

/** A table, and its columns that hold what was written. The database computes the others. */
export interface TableColumns {
  name: string
  columns: string[]
  /** By the statistics of the table. */
  estimatedBytes: number
}

/** The form in which rows are read and written is the same in all sessions, whatever the server's defaults. */
export const copySettings = [
  `SET client_encoding = 'UTF8'`,
  'SET extra_float_digits = 1',
  `SET bytea_output = 'hex'`,
  // A scan that joins another one in its middle gives the rows in another order.
  'SET synchronize_seqscans = off',
].join(';')

type Database = Pick<Services, 'database'>

/** A connection of its own, whose reads are not limited, since copying the tables takes long. Close it. */
export async function connectForBackup({ database }: Database): Promise<pg.Client> {
  const client = await connectOnce({
    ...database.session,
    statement_timeout: 0,
    // A migration may be under way.
    lock_timeout: 60_000,
    idle_in_transaction_session_timeout: 0,
    keepAlive: true,
    application_name: 'back-office backup',
  })
  await client.query(copySettings)
  return client
}

/** Tables of the console, without those of extensions. */
const tablesSql = `
  SELECT c.relname AS name, pg_relation_size(c.oid)::float AS "estimatedBytes",
    array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns
  FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
    AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  GROUP BY c.oid ORDER BY c.relname`

export const readTables = async (client: pg.ClientBase): Promise<TableColumns[]> =>
  (await client.query<TableColumns>(tablesSql)).rows

export const readMigrations = async (client: pg.ClientBase): Promise<string[]> =>
  (await client.query<{ name: string }>('SELECT name FROM drizzle.__drizzle_migrations ORDER BY id')).rows.map(
    ({ name }) => name,
  )

/** Numbers that are given out while the backup runs are above those of its rows. */
export async function readSequences(client: pg.ClientBase): Promise<SequenceManifest[]> {
  const { rows: names } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' ORDER BY relname`,
  )
  const found: SequenceManifest[] = []
  for (const { name } of names) {
    const { rows } = await client.query<Omit<SequenceManifest, 'name'>>(
      `SELECT last_value::text AS "lastValue", is_called AS "isCalled" FROM public.${escape(name)}`,
    )
    found.push({ name, ...rows[0]! })
  }
  return found
}

export const buildCopyTo = ({ name, columns }: Pick<TableColumns, 'name' | 'columns'>): string =>
  `COPY public.${escape(name)} (${columns.map(escape).join(', ')}) TO STDOUT`

interface Snapshot {
  /** Its transaction holds the snapshot open. */
  client: pg.Client
  id: string
  takenAt: string
  postgresVersion: string
}

/** Opens a snapshot of all tables, and keeps migrations away from them until the connection ends. */
export async function openSnapshot(client: pg.Client): Promise<Snapshot> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const { rows } = await client.query<Omit<Snapshot, 'client'>>(
    `SELECT pg_export_snapshot() AS id, current_setting('server_version') AS "postgresVersion",
      to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "takenAt"`,
  )
  const names = (await readTables(client)).map(({ name }) => `public.${escape(name)}`)
  await client.query(`LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE`)
  return { client, ...rows[0]! }
}

/** Makes another connection read the same snapshot. */
export async function joinSnapshot(client: pg.Client, { id }: Snapshot): Promise<void> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await client.query(`SET TRANSACTION SNAPSHOT ${pg.escapeLiteral(id)}`)
}
