import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type pg from 'pg'
import { keepChangeLists } from './changes.ts'
import { connectOnce, requireUsable } from './own-server.ts'

/** One number that all console servers agree on: only one of them migrates at a time. */
const migrationLock = 7_260_119

const defaultFolder = join(import.meta.dirname, '../../../drizzle')

/**
 * Brings the schema up to date in one transaction: a failing migration changes nothing and throws. Throws SettingError
 * where no database can be reached, or where it is one that text cannot be kept in.
 */
export async function migrateDatabase(connection: pg.ClientConfig, migrationsFolder = defaultFolder): Promise<void> {
  const client = await connectOnce({ ...connection, application_name: 'back-office migration' })
  try {
    await requireUsable(client)
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock])
    await migrate(drizzle({ client }), { migrationsFolder })
    if (migrationsFolder === defaultFolder) await keepChangeLists(client)
  } finally {
    await client.end()
  }
}
