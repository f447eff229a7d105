import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type pg from 'pg'
import { SettingError } from '#server/core/config.ts'
import { takeAdvisoryLock } from './advisory-lock.ts'
import { keepChangeLists } from './changes.ts'
import { connectOnce, requireUsable } from './own-server.ts'

const defaultFolder = join(import.meta.dirname, '../../../drizzle')

/**
 * Migrates the schema in one transaction. A failing migration changes nothing and throws. Throws SettingError if the database
 * cannot be reached, cannot store all text, or was created by another version.
 */
export async function migrateDatabase(connection: pg.ClientConfig, migrationsFolder = defaultFolder): Promise<void> {
  const client = await connectOnce({ ...connection, application_name: 'back-office migration' })
  try {
    await requireUsable(client)
    await takeAdvisoryLock(client, 'migration')
    await requireKnownMigrations(client, migrationsFolder, connection.connectionString !== undefined)
    await migrate(drizzle({ client }), { migrationsFolder })
    if (migrationsFolder === defaultFolder) await keepChangeLists(client)
  } finally {
    await client.end()
  }
}

/** Migrations are never removed, so a database with an unknown one was created by another version. */
async function requireKnownMigrations(client: pg.Client, folder: string, isOwn: boolean): Promise<void> {
  const table = 'drizzle.__drizzle_migrations'
  const { rows: found } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
    table,
  ])
  if (!found[0]!.exists) return
  const { rows: applied } = await client.query<{ name: string }>(`SELECT name FROM ${table} ORDER BY id`)
  const known = new Set(readdirSync(folder))
  const unknown = applied.find(({ name }) => !known.has(name))
  if (!unknown) return
  const [which, remedy] = isOwn
    ? ['DATABASE_URL names a database', 'name an empty database']
    : ['DATA_DIR holds a database', 'remove the folder to start anew']
  throw new SettingError(
    `${which} of another version of the console, with the migration ${unknown.name}, which is not part of this one: ` +
      `start the version that made it, restore a back-up of this version, or ${remedy}`,
  )
}
