import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SettingError } from '#server/core/config.ts'
import { buildDatabaseUrl, newDatabaseName } from '#test/support/console-process.ts'
import { templateName } from '#test/global-setup.ts'
import { migrateDatabase } from './migrate.ts'
import { findCluster } from '#test/support/cluster.ts'

const postgres = findCluster().postgres
const database = newDatabaseName('migrated')
const maintenance = new pg.Client(postgres)
const client = new pg.Client({ ...postgres, database })

beforeAll(async () => {
  await maintenance.connect()
  await maintenance.query(`CREATE DATABASE ${database} TEMPLATE ${templateName}`)
  await client.connect()
})

afterAll(async () => {
  await client.end()
  await maintenance.end()
})

const applied = async () => (await client.query('SELECT name FROM drizzle.__drizzle_migrations ORDER BY id')).rows

const refusal = (connection: pg.ClientConfig) =>
  migrateDatabase(connection).then(
    () => expect.fail('it was not refused'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(SettingError)
      return (error as SettingError).message
    },
  )

test('a start on a migrated database applies nothing', async () => {
  const before = await applied()
  await migrateDatabase({ ...postgres, database })
  expect(await applied()).toEqual(before)
})

test('a start on a database of another version says in one line what to do', async () => {
  // As a database of development has it, whose migrations were written again since; one that is missing is not applied.
  await client.query(
    `UPDATE drizzle.__drizzle_migrations SET name = '20260101000000_older' WHERE id = (SELECT min(id) FROM drizzle.__drizzle_migrations)`,
  )
  const before = await applied()
  const fact =
    'of another version of the console, with the migration 20260101000000_older, which is not part of this one: ' +
    'start the version that made it, restore a back-up of this version, or '
  expect(await refusal({ ...postgres, database })).toBe(
    `DATA_DIR holds a database ${fact}remove the folder to start again`,
  )
  expect(await refusal({ connectionString: buildDatabaseUrl(postgres, database) })).toBe(
    `DATABASE_URL names a database ${fact}name an empty database`,
  )
  expect(await applied()).toEqual(before)
})

test('a database of a newer version is refused in one line', async () => {
  await client.query(
    `UPDATE drizzle.__drizzle_migrations SET name = '29990101000000_newer' WHERE name = '20260101000000_older'`,
  )
  const before = await applied()
  expect(await refusal({ connectionString: buildDatabaseUrl(postgres, database) })).toBe(
    'DATABASE_URL names a database of a newer version of the console, with the migration 29990101000000_newer, which this one ' +
      'does not know: start that version or a later one, or restore a back-up of this version',
  )
  expect(await applied()).toEqual(before)
})
