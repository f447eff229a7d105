import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type pg from 'pg'
import { SettingError } from '#server/core/config.ts'
import { tryAdvisoryLock } from './advisory-lock.ts'
import {
  applyMigration,
  migrationsTable,
  startWaiting,
  waitFor,
  type MigrationWait,
  type MigrationClock,
} from './apply-migration.ts'
import { keepChangeLists } from './changes.ts'
import { connectOnce, type DatabaseSetting, requireUsable } from './own-server.ts'
import { requireNoRestore } from './restore-mark.ts'
import { grantRights } from './rights.ts'

export const defaultFolder = join(import.meta.dirname, '../../../drizzle')

export interface MigrateOptions {
  migrationsFolder?: string
  /** The account that the server runs with, if another one migrates. It gets its rights on all tables. */
  grantTo?: string | undefined
  /** The setting that `connection` comes from. */
  setting?: DatabaseSetting
  /** Informs the operator of what is waited for. */
  say?: (line: string) => void
  /** How long locks, and another server that migrates, are waited for. */
  waitSeconds?: number
  clock?: MigrationClock
  /** Whether this is a part of restoring a backup. Anybody else waits until that is over. */
  isRestoring?: boolean
}

/**
 * Migrates the schema, each migration in a transaction of its own (docs/decisions/086). A failing one changes nothing
 * and throws. Throws SettingError if the database cannot be reached, cannot store all text, was created by another
 * version, may not be migrated by this account, or is held up by others for too long.
 */
export async function migrateDatabase(
  connection: pg.ClientConfig,
  {
    migrationsFolder = defaultFolder,
    grantTo,
    setting = 'DATABASE_URL',
    say = () => {},
    waitSeconds = 600,
    clock,
    isRestoring = false,
  }: MigrateOptions = {},
): Promise<void> {
  const client = await connectOnce({ ...connection, application_name: 'back-office migration' }, setting)
  try {
    await requireUsable(client)
    // An account's own limits are meant for calls.
    await client.query('SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0')
    const waiting = startWaiting(say, waitSeconds, clock)
    await waitForOthers(client, waiting)
    if (!isRestoring) await requireNoRestore(client)
    const applied = await requireKnownMigrations(client, migrationsFolder, connection.connectionString !== undefined)
    const migrations = readMigrationFiles({ migrationsFolder }).filter(({ name }) => !applied.has(name))
    if (migrations.length > 0) {
      await requireMigrationRights(client, migrations.length)
      await createMigrationsTable(client)
      for (const migration of migrations) await applyMigration(client, migration, waiting)
    }
    if (migrationsFolder === defaultFolder) await keepChangeLists(client)
    if (grantTo !== undefined) await grantRights(client, grantTo)
  } finally {
    await client.end()
  }
}

/** Asks again and again. A statement that waits would hold up an index that the other server builds concurrently. */
const waitForOthers = (client: pg.Client, waiting: MigrationWait): Promise<void> =>
  waitFor(
    waiting,
    () => tryAdvisoryLock(client, 'migration'),
    async () => 'another server migrates the database',
    50,
  )

/** As drizzle's own migrator makes it, so that its tools know the database. */
async function createMigrationsTable(client: pg.Client): Promise<void> {
  await client.query(`CREATE SCHEMA IF NOT EXISTS drizzle`)
  await client.query(`CREATE TABLE IF NOT EXISTS ${migrationsTable} (
    id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint, name text, applied_at timestamp with time zone DEFAULT now())`)
}

/** An account that can make no schema and no table is that of the server alone. */
async function requireMigrationRights(client: pg.Client, waiting: number): Promise<void> {
  const { rows } = await client.query<{ can: boolean }>(
    `SELECT has_database_privilege(current_database(), 'CREATE') AND has_schema_privilege('public', 'CREATE') AS can`,
  )
  if (rows[0]!.can) return
  const what = waiting === 1 ? '1 migration waits' : `${waiting} migrations wait`
  throw new SettingError(
    `DATABASE_URL names an account that may not change tables, and ${what}: set DATABASE_OWNER_URL to the account that owns them`,
  )
}

/**
 * Migrations are never removed, so a database with an unknown one was created by another version. Returns the names of
 * those that the database has.
 */
async function requireKnownMigrations(client: pg.Client, folder: string, isOwn: boolean): Promise<Set<string>> {
  const { rows: found } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
    migrationsTable,
  ])
  if (!found[0]!.exists) return new Set()
  const { rows: applied } = await client.query<{ name: string }>(`SELECT name FROM ${migrationsTable} ORDER BY id`)
  const known = new Set(readdirSync(folder))
  const unknown = applied.find(({ name }) => !known.has(name))
  if (unknown) throw explainUnknown(unknown.name, known, isOwn)
  return new Set(applied.map(({ name }) => name))
}

/** Names begin with when they were made. */
function explainUnknown(name: string, known: ReadonlySet<string>, isOwn: boolean): SettingError {
  const isNewer = [...known].every((each) => each < name)
  const which = isOwn ? 'DATABASE_URL names a database' : 'DATA_DIR holds a database'
  if (isNewer)
    return new SettingError(
      `${which} of a newer version of the console, with the migration ${name}, which this one does not know: ` +
        'start that version or a later one, or restore a back-up of this version',
    )
  const remedy = isOwn ? 'name an empty database' : 'remove the folder to start again'
  return new SettingError(
    `${which} of another version of the console, with the migration ${name}, which is not part of this one: ` +
      `start the version that made it, restore a back-up of this version, or ${remedy}`,
  )
}
