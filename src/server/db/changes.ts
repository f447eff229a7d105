import { sql } from 'drizzle-orm'
import type pg from 'pg'
import type { Database } from './client.ts'

const tables = ['members', 'orders', 'platform_events', 'bank_allocations']

/** Identifies a PostgreSQL server. Null without the permission to read it. */
async function readSystemId(client: pg.Client): Promise<string | null> {
  const asked = client.query<{ id: string }>('SELECT system_identifier::text AS id FROM pg_control_system()')
  return asked.then(
    ({ rows }) => rows[0]?.id ?? null,
    () => null,
  )
}

/**
 * Keeps lists of changes complete after the database was moved to another server, for example by a dump, where transaction
 * numbers mean nothing. Rows that look newer than the present become as new as the present, and older cursors are refused.
 */
export async function keepChangeLists(client: pg.Client): Promise<void> {
  const system = await readSystemId(client)
  if (system === null) return
  const { rows } = await client.query<{ system: string | null }>(
    `SELECT value->>'system' AS system FROM settings WHERE name = 'change_lists'`,
  )
  const known = rows[0]?.system ?? null
  if (known === system) return
  await client.query('BEGIN')
  if (known !== null) await renewChangeLists((statement) => client.query(statement))
  await client.query(
    `UPDATE settings SET value = value || jsonb_build_object('system', $1::text) WHERE name = 'change_lists'`,
    [system],
  )
  await client.query('COMMIT')
}

/** Makes lists of changes begin again, in the present transaction: older cursors are refused. */
export async function renewChangeLists(run: (statement: string) => Promise<unknown>): Promise<void> {
  for (const table of tables)
    await run(`UPDATE ${table} SET changed_in = pg_current_xact_id() WHERE changed_in > pg_current_xact_id()`)
  await run('DELETE FROM change_marks')
  await run(
    `UPDATE settings SET value = value || jsonb_build_object('epoch', gen_random_uuid()) WHERE name = 'change_lists'`,
  )
}

/** Changes can be listed since an instant for this long. An earlier instant lists all. */
const keepFor = sql`interval '35 days'`

/**
 * Records which transactions are under way now. Rounds the time up, because the mark must not cover a moment before it.
 * The same statement reads the oldest transaction under way.
 */
export async function markChanges({ database: { db } }: { database: Pick<Database, 'db'> }): Promise<void> {
  await db.execute(sql`
    INSERT INTO change_marks (at, open_from)
    SELECT date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond', pg_snapshot_xmin(pg_current_snapshot())
    ON CONFLICT DO NOTHING`)
  await db.execute(sql`DELETE FROM change_marks WHERE at < now() - ${keepFor}`)
}

/**
 * For how many seconds, a day at most, marks have found the same writing transaction to be the oldest one of the database
 * server, which sealing and lists of changes wait for. An account without further rights does not see those of others.
 */
export async function readOldestWriteSeconds({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const { rows } = await pool.query<{ seconds: number }>(`
    SELECT coalesce(greatest(extract(epoch FROM clock_timestamp() - min(at)), 0), 0)::float AS seconds FROM change_marks
    WHERE at > now() - interval '1 day' AND open_from = pg_snapshot_xmin(pg_current_snapshot())`)
  return rows[0]!.seconds
}
