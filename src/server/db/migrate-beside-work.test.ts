import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { SettingError } from '#server/core/config.ts'
import { takeAdvisoryLock } from './advisory-lock.ts'
import { migrateDatabase, type MigrateOptions } from './migrate.ts'
import { newDatabaseName } from '#test/support/console-process.ts'
import { findCluster } from '#test/support/cluster.ts'

const postgres = findCluster().postgres
const database = newDatabaseName('beside')
const maintenance = new pg.Client(postgres)
let migrationsFolder: string
let said: string[]
let client: pg.Client

beforeAll(() => maintenance.connect())
afterAll(() => maintenance.end())
beforeEach(async () => {
  migrationsFolder = mkdtempSync(join(tmpdir(), 'back-office-migrations-'))
  said = []
  await maintenance.query(`CREATE DATABASE ${database}`)
  client = await connect()
  add('20260101000000_first', 'CREATE TABLE rows (id int, name text)')
  await migrate()
  await client.query(`INSERT INTO rows SELECT n, 'name ' || n FROM generate_series(1, 1000) AS n`)
})
afterEach(async () => {
  await client.end()
  await maintenance.query(`DROP DATABASE ${database} WITH (FORCE)`)
  rmSync(migrationsFolder, { recursive: true })
})

async function connect() {
  const opened = new pg.Client({ ...postgres, database })
  opened.on('error', () => {})
  await opened.connect()
  return opened
}

function add(name: string, ...statements: string[]) {
  mkdirSync(join(migrationsFolder, name), { recursive: true })
  writeFileSync(join(migrationsFolder, name, 'migration.sql'), statements.join('--> statement-breakpoint\n'))
}

const migrate = (more: MigrateOptions = {}) =>
  migrateDatabase({ ...postgres, database }, { migrationsFolder, say: (line) => said.push(line), ...more })

const readApplied = async () =>
  (await client.query<{ name: string }>('SELECT name FROM drizzle.__drizzle_migrations ORDER BY id')).rows.map(
    ({ name }) => name.slice(15),
  )
const readColumns = async () =>
  (
    await client.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'rows' ORDER BY ordinal_position`,
    )
  ).rows.map(({ name }) => name)

/** A transaction that has read the table, as an export does. Ends with the test at the latest. */
async function startExport() {
  const reader = await connect()
  await reader.query('BEGIN; SELECT count(*) FROM rows')
  const end = () => reader.end().catch(() => {})
  onTestFinished(end)
  return { end }
}

/** A clock of which only the pauses of a migration take time. `onPause` runs in each. */
function createClock(onPause: () => unknown = () => {}) {
  let now = 0
  return {
    now: () => now,
    async pause(ms: number) {
      now += ms
      await onPause()
    },
  }
}

const countLockWaits = async () =>
  (
    await maintenance.query(
      `SELECT FROM pg_stat_activity WHERE datname = '${database}' AND wait_event_type = 'Lock' AND query LIKE 'ALTER TABLE%'`,
    )
  ).rowCount

test('a migration that waits for an export holds up no reader', async () => {
  add('20260102000000_second', 'ALTER TABLE rows ADD COLUMN more text')
  const { end } = await startExport()
  const migrated = migrate({ clock: createClock(() => said.length > 0 && end()) })
  await expect.poll(countLockWaits).toBe(1)
  // It stands behind the migration, which gives its turn up while the export goes on.
  expect((await client.query('SELECT name FROM rows LIMIT 1')).rowCount).toBe(1)
  await migrated
  expect(await readColumns()).toContain('more')
  expect(said).toEqual([
    expect.stringMatching(
      /^Waiting: the migration 20260102000000_second needs a lock that another transaction holds; the oldest is of .+ \(process \d+\) and \d+ s old$/,
    ),
  ])
})

test('a migration gives up after its time with a line that says why', async () => {
  add('20260102000000_second', 'ALTER TABLE rows ADD COLUMN more text')
  await startExport()
  const failed = migrate({ waitSeconds: 2, clock: createClock() })
  await expect(failed).rejects.toThrow(SettingError)
  await expect(failed).rejects.toThrow(
    /^the migration 20260102000000_second needs a lock that another transaction holds; .+\. That is still so after 2 seconds: end what holds it up, or raise MIGRATION_WAIT_SECONDS$/,
  )
  expect(await readColumns()).toEqual(['id', 'name'])
  expect(await readApplied()).toEqual(['first'])
})

test('a migration that fails leaves those before it applied, and nothing of itself', async () => {
  add('20260102000000_second', 'ALTER TABLE rows ADD COLUMN more text')
  add('20260103000000_third', 'ALTER TABLE rows ADD COLUMN most text;', 'SELECT nonsense')
  await expect(migrate()).rejects.toThrow('nonsense')
  expect([await readApplied(), await readColumns()]).toEqual([
    ['first', 'second'],
    ['id', 'name', 'more'],
  ])
  add('20260103000000_third', 'ALTER TABLE rows ADD COLUMN most text')
  await migrate()
  expect([await readApplied(), await readColumns()]).toEqual([
    ['first', 'second', 'third'],
    ['id', 'name', 'more', 'most'],
  ])
})

test('a server waits for another one that migrates, with a line', async () => {
  const other = await connect()
  await takeAdvisoryLock(other, 'migration')
  const failed = migrate({ waitSeconds: 2, clock: createClock() })
  await expect(failed).rejects.toThrow(/^another server migrates the database\. That is still so after 2 seconds/)
  // What is waited for so shortly is not told.
  expect(said).toEqual([])
  await migrate({ clock: createClock(() => said.length > 0 && other.end()) })
  expect(said).toEqual(['Waiting: another server migrates the database'])
})

test('two servers at once apply each migration once', async () => {
  add('20260102000000_second', 'ALTER TABLE rows ADD COLUMN more text')
  await Promise.all([migrate(), migrate(), migrate()])
  expect(await readApplied()).toEqual(['first', 'second'])
})

test('an index is built concurrently while rows are written', async () => {
  add('20260102000000_second', '-- concurrently\nCREATE INDEX CONCURRENTLY "rows_name" ON "rows" ("name")')
  const writer = await connect()
  await writer.query(`BEGIN; INSERT INTO rows VALUES (0, 'under way')`)
  const migrated = migrate()
  await expect.poll(() => said.length).toBe(1)
  await client.query(`INSERT INTO rows VALUES (-1, 'beside it')`)
  // A second server that starts meanwhile waits without a statement, which would hold the index up.
  const second = migrate()
  await writer.query('COMMIT')
  await writer.end()
  await Promise.all([migrated, second])
  const { rows } = await client.query(`SELECT indisvalid FROM pg_index WHERE indexrelid = 'rows_name'::regclass`)
  expect(rows).toEqual([{ indisvalid: true }])
  expect(await readApplied()).toEqual(['first', 'second'])
})

test('an index that could not be built is built again by the next start', async () => {
  add('20260102000000_second', '-- concurrently\nCREATE UNIQUE INDEX CONCURRENTLY "rows_id" ON "rows" ("id")')
  await client.query(`INSERT INTO rows VALUES (1, 'twice')`)
  await expect(migrate()).rejects.toThrow('rows_id')
  expect(await readApplied()).toEqual(['first'])
  await client.query(`DELETE FROM rows WHERE name = 'twice'`)
  await migrate()
  expect(await readApplied()).toEqual(['first', 'second'])
  await expect(client.query('INSERT INTO rows VALUES (1)')).rejects.toThrow('rows_id')
  // As where the process ended before it noted the migration.
  await client.query(`DELETE FROM drizzle.__drizzle_migrations WHERE name LIKE '%second'`)
  await migrate()
  expect(await readApplied()).toEqual(['first', 'second'])
})

test('a migration outside a transaction may do nothing else', async () => {
  add('20260102000000_second', '-- concurrently\nALTER TABLE rows ADD COLUMN more text')
  await expect(migrate()).rejects.toThrow(/^20260102000000_second: each statement of a migration that begins with/)
})
