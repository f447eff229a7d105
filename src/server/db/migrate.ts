import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type pg from 'pg'
import { takeAdvisoryLock } from './advisory-lock.ts'
import { keepChangeLists } from './changes.ts'
import { connectOnce, requireUsable } from './own-server.ts'

const defaultFolder = join(import.meta.dirname, '../../../drizzle')

/**
 * Brings the schema up to date in one transaction: a failing migration changes nothing and throws. Throws SettingError
 * where no database can be reached, or where it is one that text cannot be kept in.
 */
export async function migrateDatabase(connection: pg.ClientConfig, migrationsFolder = defaultFolder): Promise<void> {
  const client = await connectOnce({ ...connection, application_name: 'back-office migration' })
  try {
    await requireUsable(client)
    await takeAdvisoryLock(client, 'migration')
    await migrate(drizzle({ client }), { migrationsFolder })
    if (migrationsFolder === defaultFolder) await keepChangeLists(client)
  } finally {
    await client.end()
  }
}
