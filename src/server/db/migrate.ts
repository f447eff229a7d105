import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type pg from 'pg'
import { SettingError } from '#server/core/config.ts'
import { takeAdvisoryLock } from './advisory-lock.ts'
import { keepChangeLists } from './changes.ts'
import { connectOnce, type DatabaseSetting, requireUsable } from './own-server.ts'
import { grantRights } from './rights.ts'

const defaultFolder = join(import.meta.dirname, '../../../drizzle')

interface MigrateOptions {
  migrationsFolder?: string
  /** The account that the server runs with, if another one migrates. It gets its rights on all tables. */
  grantTo?: string | undefined
  /** The setting that `connection` comes from. */
  setting?: DatabaseSetting
}

/**
 * Migrates the schema in one transaction. A failing migration changes nothing and throws. Throws SettingError if the database
 * cannot be reached, cannot store all text, was created by another version, or may not be migrated by this account.
 */
export async function migrateDatabase(
  connection: pg.ClientConfig,
  { migrationsFolder = defaultFolder, grantTo, setting = 'DATABASE_URL' }: MigrateOptions = {},
): Promise<void> {
  const client = await connectOnce({ ...connection, application_name: 'back-office migration' }, setting)
  try {
    await requireUsable(client)
    await takeAdvisoryLock(client, 'migration')
    const applied = await requireKnownMigrations(client, migrationsFolder, connection.connectionString !== undefined)
    const waiting = readdirSync(migrationsFolder).filter((name) => !applied.has(name))
    if (waiting.length > 0) {
      await requireMigrationRights(client, waiting.length)
      await migrate(drizzle({ client }), { migrationsFolder })
    }
    if (migrationsFolder === defaultFolder) await keepChangeLists(client)
    if (grantTo !== undefined) await grantRights(client, grantTo)
  } finally {
    await client.end()
  }
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
 * Migrations are never removed, so a database with an unknown one was created by another version. Returns the names of those
 * that the database has.
 */
async function requireKnownMigrations(client: pg.Client, folder: string, isOwn: boolean): Promise<Set<string>> {
  const table = 'drizzle.__drizzle_migrations'
  const { rows: found } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
    table,
  ])
  if (!found[0]!.exists) return new Set()
  const { rows: applied } = await client.query<{ name: string }>(`SELECT name FROM ${table} ORDER BY id`)
  const known = new Set(readdirSync(folder))
  const unknown = applied.find(({ name }) => !known.has(name))
  if (!unknown) return new Set(applied.map(({ name }) => name))
  const [which, remedy] = isOwn
    ? ['DATABASE_URL names a database', 'name an empty database']
    : ['DATA_DIR holds a database', 'remove the folder to start anew']
  throw new SettingError(
    `${which} of another version of the console, with the migration ${unknown.name}, which is not part of this one: ` +
      `start the version that made it, restore a back-up of this version, or ${remedy}`,
  )
}
