/**
 * How many rows a second a backup, its verification and its restore take, beside a bare COPY of the same tables out of the
 * database and into an empty one with its indexes and triggers.
 *
 *   node bench/backup.ts [members, default 200000]
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { pino } from 'pino'
import { createFolderObjects } from '#server/adapters/folder-objects.ts'
import { readConfig } from '#server/core/config.ts'
import { contextFor } from '#server/core/context.ts'
import { connectPool } from '#server/db/client.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { createBackup, restoreBackup, verifyBackup } from '#server/features/backups/service.ts'
import { generateAgeKey } from '#server/lib/age.ts'
import { openServerBase } from '#server/process/start.ts'
import { openRestoreBase } from '#server/process/restore.ts'
import { seed } from './seed.ts'

const members = Number(process.argv[2] ?? 200_000)
const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const config = readConfig({ DATA_DIR: join(folder, 'data'), DEMO: 'off' })
const log = pino({ level: 'silent' })
const tables = ['members', 'platform_transactions']

async function time<T>(work: () => Promise<T>): Promise<[seconds: number, result: T]> {
  const begun = performance.now()
  const result = await work()
  return [(performance.now() - begun) / 1000, result]
}

async function sizeOf(path: string): Promise<number> {
  const names = await readdir(path, { recursive: true })
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(path, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

const base = await openServerBase(config, log, () => {})
const superuser = connectPool({ ...base.owner, options: '', statement_timeout: 0 }, () => {})
const ctx = contextFor(base.services, { kind: 'system', name: 'bench' })
let rows = 0
const print = (what: string, seconds: number, bare?: number) =>
  console.log(
    `${what}: ${seconds.toFixed(1)} s, ${Math.round(rows / seconds).toLocaleString('en')} rows a second` +
      (bare === undefined ? '' : `, × ${(seconds / bare).toFixed(2)} of the bare COPY`),
  )

/** Tables into an empty database by nothing but COPY: with indexes and triggers, as a database has them. */
async function copyIn(pieces: ReadonlyMap<string, Buffer[]>): Promise<number> {
  await superuser.pool.query('CREATE DATABASE bare')
  const connection = { ...base.owner, options: '', database: 'bare' }
  await migrateDatabase(connection)
  const client = new pg.Client(connection)
  await client.connect()
  const [seconds] = await time(async () => {
    for (const [table, chunks] of pieces)
      await pipeline(Readable.from(chunks), client.query(copyFrom(`COPY ${table} (${columns.get(table)}) FROM STDIN`)))
  })
  await client.end()
  return seconds
}

const columns = new Map<string, string>()

try {
  await seed(superuser, members)
  await superuser.pool.query(
    `INSERT INTO platform_transactions (id, member_id, type, amount, status)
     SELECT 't-' || n, 'm-' || 1 + n % $2::bigint, 'deposit', round(n / 100.0, 2), 'completed' FROM generate_series(1, $1::bigint) AS n`,
    [members * 5, members],
  )
  await superuser.pool.query('VACUUM ANALYZE')
  for (const table of tables) {
    const { rows: found } = await superuser.pool.query<{ list: string }>(
      `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS list FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
      [table],
    )
    columns.set(table, found[0]!.list)
  }
  rows = members * 6
  const client = new pg.Client({ ...base.owner, options: '' })
  await client.connect()
  const pieces = new Map<string, Buffer[]>()
  const [bareOut] = await time(async () => {
    for (const table of tables) {
      const chunks: Buffer[] = []
      for await (const chunk of client.query(copyTo(`COPY ${table} (${columns.get(table)}) TO STDOUT`)))
        chunks.push(chunk as Buffer)
      pieces.set(table, chunks)
    }
  })
  await client.end()
  print('bare COPY TO, one table after another', bareOut)
  const { recipient, identity } = await generateAgeKey()
  for (const [name, recipients] of [
    ['plain', []],
    ['encrypted', [recipient]],
  ] as const) {
    const place = join(folder, name)
    const [seconds, outcome] = await time(() => createBackup(ctx, { store: createFolderObjects(place), recipients }))
    const bytes = outcome.manifest.tables.reduce((sum, table) => sum + table.bytes, 0)
    print(`backup, ${name}`, seconds, bareOut)
    console.log(`  ${(bytes / 1e6).toFixed(0)} MB of rows in ${((await sizeOf(place)) / 1e6).toFixed(0)} MB`)
    const [verified] = await time(() => verifyBackup({ store: createFolderObjects(place), identities: [identity] }))
    print(`verify, ${name}`, verified, bareOut)
  }
  const bareIn = await copyIn(pieces)
  print('bare COPY FROM, with indexes and triggers', bareIn)
  await superuser.close()
  await base.close()
  const target = await openRestoreBase(readConfig({ DATA_DIR: join(folder, 'restored') }), log, () => {})
  const [restored] = await time(() =>
    restoreBackup(contextFor(target.services, ctx.actor), target.owner, {
      store: createFolderObjects(join(folder, 'plain')),
      identities: [],
      say: () => {},
    }),
  )
  await target.close()
  print('restore, verified before and after, with indexes and keys', restored, bareIn)
} finally {
  await rm(folder, { recursive: true, force: true })
}
