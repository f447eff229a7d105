import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createFolderObjects } from '#server/adapters/folder-objects.ts'
import { contextFor } from '#server/core/context.ts'
import { connectPool } from '#server/db/client.ts'
import { accountsOf } from '#server/db/embedded/roles.ts'
import { defaultFolder, migrateDatabase } from '#server/db/migrate.ts'
import { createBackup } from '#server/features/backups/service.ts'
import { makeDatabase, makeFolder, readSchema, restoreInto, runSql, withConsole } from './support/backups.ts'
import { startServer } from './support/server.ts'
import { findCluster } from './support/cluster.ts'

const server = await startServer()
const folder = await makeFolder()
const never = async () => {}

/** A console of an earlier version: some migrations are yet to come. */
async function makeEarlierConsole(until: string) {
  const database = await makeDatabase()
  const migrations = await mkdtemp(join(tmpdir(), 'back-office-earlier-'))
  afterAll(() => rm(migrations, { recursive: true, force: true }))
  for (const name of await readdir(defaultFolder))
    if (name <= until) await cp(join(defaultFolder, name), join(migrations, name), { recursive: true })
  const { owner } = accountsOf({ ...findCluster().postgres, database: database.name })
  await migrateDatabase(owner, { migrationsFolder: migrations })
  return database
}

test('a back-up of an earlier version is restored at its level and then upgraded', async () => {
  // The next migrations count the rows that are there by then, and bring the first ones of other tables.
  const until = '20261128084609_append_only_rules'
  const earlier = await makeEarlierConsole(until)
  await runSql(
    `INSERT INTO members (id, email) SELECT 'm-' || n, n || '@example.com' FROM generate_series(1, 50) AS n`,
    earlier.name,
  )
  const database = connectPool({ ...findCluster().postgres, database: earlier.name }, () => {})
  afterAll(() => database.close())
  const place = join(folder, 'earlier')
  const ctx = contextFor({ ...server.services, database }, { kind: 'command', name: 'tests' })
  const { manifest } = await createBackup(ctx, { store: createFolderObjects(place), recipients: [] })
  expect(manifest.migrations.at(-1)).toBe(until)
  const target = await makeDatabase()
  await restoreInto({ ...target, dataDir: await makeFolder(), store: createFolderObjects(place) })
  const [upgraded] = await runSql(
    'SELECT (SELECT count(*)::int FROM members) AS members, (SELECT count(*)::int FROM bank_policy) AS policies',
    target.name,
  )
  expect(upgraded).toEqual({ members: 50, policies: 1 })
  const own = await server.sql<{ name: string }>('SELECT current_database() AS name')
  expect(await readSchema(target.name)).toEqual(await readSchema(own[0]!.name))
  await withConsole(target.url, await makeFolder(), async ({ services }) => {
    const { rows } = await services.database.pool.query(`SELECT sum(rows)::int AS members FROM
      (SELECT rows FROM list_totals WHERE list = 'users' UNION ALL SELECT rows FROM list_deltas WHERE list = 'users') AS c`)
    expect(rows).toEqual([{ members: 50 }])
  })
})

test('a back-up of a later version is refused with its migration', async () => {
  const later = await makeDatabase()
  await migrateDatabase({ ...findCluster().postgres, database: later.name })
  await runSql(
    `INSERT INTO drizzle.__drizzle_migrations (hash, created_at, name) VALUES ('x', 9e12, '29990101000000_later')`,
    later.name,
  )
  const database = connectPool({ ...findCluster().postgres, database: later.name }, () => {})
  afterAll(() => database.close())
  const place = join(folder, 'later')
  const ctx = contextFor({ ...server.services, database }, { kind: 'command', name: 'tests' })
  await createBackup(ctx, { store: createFolderObjects(place), recipients: [] })
  const target = await makeDatabase()
  await expect(
    restoreInto({ ...target, dataDir: await makeFolder(), store: createFolderObjects(place) }),
  ).rejects.toThrow(/with the migration 29990101000000_later, which is not part of this one/)
  await expect(withConsole(target.url, await makeFolder(), never)).resolves.toBeUndefined()
})

test('a back-up leads onto an embedded database, and off it again', async () => {
  const place = join(await makeFolder(), 'onto')
  await server.as('ada')('GET', '/api/auth/user')
  await createBackup(server.system, { store: createFolderObjects(place), recipients: [] })
  const dataDir = await makeFolder()
  await restoreInto({ dataDir, store: createFolderObjects(place) })
  await expect(restoreInto({ dataDir, store: createFolderObjects(place) })).rejects.toThrow(
    /A restore needs an empty database, and the one of .* is in use: set DATA_DIR to a new folder/,
  )
  const off = join(dataDir, 'off')
  await withConsole(undefined, dataDir, async ({ ctx }) => {
    await createBackup(ctx, { store: createFolderObjects(off), recipients: [] })
  })
  const target = await makeDatabase()
  await restoreInto({ ...target, dataDir: await makeFolder(), store: createFolderObjects(off) })
  expect(await runSql('SELECT username FROM admins', target.name)).toEqual([{ username: 'ada' }])
})
