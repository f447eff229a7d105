/**
 * How long a back-up, its verification and its restore take, beside pg_dump and pg_restore of the same database: on the PostgreSQL
 * of this machine, since the embedded one has no pg_dump.
 *
 *   node bench/backup.ts [members, default 200000]
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { createFolderObjects } from '#server/adapters/folder-objects.ts'
import { readConfig } from '#server/core/config.ts'
import { contextFor } from '#server/core/context.ts'
import { connectPool } from '#server/db/client.ts'
import { createBackup, restoreBackup, verifyBackup } from '#server/features/backups/service.ts'
import { generateAgeKey } from '#server/lib/age.ts'
import { openServerBase } from '#server/process/start.ts'
import { openRestoreBase } from '#server/process/restore.ts'
import { findSystemPostgres, runTool, startSystemPostgres } from '#test/support/system-postgres.ts'
import { seed } from './seed.ts'

const members = Number(process.argv[2] ?? 200_000)
const bin = findSystemPostgres()
if (!bin) throw new Error('PostgreSQL with pg_dump is not installed: apt-get install postgresql')
const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const server = await startSystemPostgres(bin, { fsync: 'on' })
const log = pino({ level: 'silent' })
const rows = members * 6

async function time<T>(work: () => Promise<T> | T): Promise<[seconds: number, result: T]> {
  const begun = performance.now()
  const result = await work()
  return [(performance.now() - begun) / 1000, result]
}

async function sizeOf(path: string): Promise<number> {
  if ((await stat(path)).isFile()) return (await stat(path)).size / 1e6
  const names = await readdir(path, { recursive: true })
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(path, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6
}

const print = (what: string, seconds: number, other?: number) =>
  console.log(
    `${what}: ${seconds.toFixed(1)} s, ${Math.round(rows / seconds).toLocaleString('en')} rows a second` +
      (other === undefined
        ? ''
        : `, × ${(seconds / other).toFixed(2)} of ${what.startsWith('restore') ? 'pg_restore' : 'pg_dump'}`),
  )

async function createDatabase(name: string) {
  const client = new pg.Client(server.buildUrl('postgres'))
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  return server.buildUrl(name)
}

const readSettings = (url: string) => readConfig({ DATABASE_URL: url, DATA_DIR: join(folder, 'data') })

async function fill(url: string) {
  const database = connectPool({ connectionString: url, statement_timeout: 0 }, () => {})
  await seed(database, members)
  await database.pool.query(
    `INSERT INTO platform_transactions (id, member_id, type, amount, status)
     SELECT 't-' || n, 'm-' || 1 + n % $2::bigint, 'deposit', round(n / 100.0, 2), 'completed' FROM generate_series(1, $1::bigint) AS n`,
    [members * 5, members],
  )
  await database.pool.query('VACUUM ANALYZE')
  await database.close()
}

try {
  const url = await createDatabase('first')
  const base = await openServerBase(readSettings(url), log, () => {})
  await fill(url)
  const dump = join(folder, 'console.dump')
  const [dumped] = await time(() => runTool(bin, 'pg_dump', ['--format=custom', `--file=${dump}`, url]))
  print('pg_dump, custom format', dumped)
  console.log(`  in ${(await sizeOf(dump)).toFixed(0)} MB`)
  const ctx = contextFor(base.services, { kind: 'system', name: 'bench' })
  const { recipient, identity } = await generateAgeKey()
  for (const [name, recipients] of [
    ['plain', []],
    ['encrypted', [recipient]],
  ] as const) {
    const place = join(folder, name)
    const [seconds, outcome] = await time(() => createBackup(ctx, { store: createFolderObjects(place), recipients }))
    const bytes = outcome.manifest.tables.reduce((sum, table) => sum + table.bytes, 0)
    print(`backup, ${name}`, seconds, dumped)
    console.log(`  ${(bytes / 1e6).toFixed(0)} MB of rows in ${(await sizeOf(place)).toFixed(0)} MB`)
    const [verified] = await time(() => verifyBackup({ store: createFolderObjects(place), identities: [identity] }))
    print(`verify, ${name}`, verified)
  }
  await base.close()
  const into = await createDatabase('dumped')
  const load = ['--no-owner', '--no-acl', '--exit-on-error', '--jobs=4', `--dbname=${into}`, dump]
  const [loaded] = await time(() => runTool(bin, 'pg_restore', load))
  print('pg_restore, four jobs', loaded)
  const target = await openRestoreBase(readSettings(await createDatabase('restored')), log, () => {})
  const [restored] = await time(() =>
    restoreBackup(contextFor(target.services, ctx.actor), target.owner, {
      store: createFolderObjects(join(folder, 'plain')),
      identities: [],
      say: () => {},
    }),
  )
  await target.close()
  print('restore, verified before and after', restored, loaded)
} finally {
  server.stop()
  await rm(folder, { recursive: true, force: true })
}
