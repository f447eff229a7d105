import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { createFolderObjects } from '#server/adapters/folder-objects.ts'
import { verifyBackup } from '#server/features/backups/service.ts'
import {
  buildEnvironment,
  makeDatabase,
  makeFolder,
  readDigests,
  readSchema,
  runSql,
  withConsole,
} from './support/backups.ts'
import { buildDatabaseUrl } from './support/console-process.ts'
import { startServer } from './support/server.ts'
import { findCluster } from './support/cluster.ts'

const server = await startServer()
const { name: database } = (await server.sql<{ name: string }>('SELECT current_database() AS name'))[0]!
const url = buildDatabaseUrl(findCluster().postgres, database)
const folder = await makeFolder()
const program = join(import.meta.dirname, '..', 'src', 'server', 'cli', 'admin.ts')
const events = 100_000

/** Starts a command as an operator does. */
function start(args: string[], environment: Record<string, string>) {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [program, ...args], { env: { PATH, NODE_COMPILE_CACHE, ...environment } })
  child.stdin.end()
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(([out, error]) => ({
    code: child.exitCode,
    out,
    error,
  }))
  return { ended, kill: () => (child.kill('SIGKILL'), ended) }
}
const run = (args: string[], environment: Record<string, string>) => start(args, environment).ended
const own = buildEnvironment(url, server.services.config.dataDir)

beforeAll(async () => {
  await server.as('ada')('GET', '/api/auth/user')
  // Enough rows that there is a middle to be killed in.
  await server.sql(
    `INSERT INTO security_events (severity, event_type, description)
     SELECT 'low', 'test', 'Event ' || n || ' ' || md5(n::text) FROM generate_series(1, $1) AS n`,
    [events],
  )
})

test('a back-up that is killed is not a back-up, and the next one is', async () => {
  const place = join(folder, 'killed')
  const killed = start(['backup', place], own)
  await expect
    .poll(() => existsSync(join(place, 'tables')) && readdir(join(place, 'tables')), { interval: 5, timeout: 60_000 })
    .toBeTruthy()
  await killed.kill()
  expect(existsSync(join(place, 'SHA256SUMS'))).toBe(false)
  await expect(verifyBackup({ store: createFolderObjects(place), identities: [] })).rejects.toThrow(
    'is not a finished back-up',
  )
  const verified = await run(['backup', 'verify', place], {})
  expect(verified).toMatchObject({ code: 1, out: '' })
  expect(verified.error).toContain('is not a finished back-up: it has no SHA256SUMS')
  expect((await run(['backup', place], own)).error).toContain('holds a back-up that was cut off')
  await rm(place, { recursive: true })
  expect(await run(['backup', place], own)).toMatchObject({ code: 0, out: expect.stringContaining('Backed up into') })
  const again = await run(['backup', 'verify', place], {})
  expect(again).toMatchObject({ code: 0, error: '' })
  expect(again.out).toMatch(/^The back-up is whole: 10\d,\d{3} rows of \d+ tables and 0 documents, as of 20/)
})

test.each([
  ['before its rows', 'SELECT FROM pg_namespace WHERE nspname = $$unfinished_restore$$'],
  [
    'in the middle of its rows',
    `SELECT FROM pg_stat_activity WHERE application_name = 'back-office restore'
    AND datname = current_database() AND query LIKE 'COPY%security_events%'`,
  ],
])('a restore that is killed %s is begun again', async (_name, isThere) => {
  const place = join(folder, 'whole')
  if (!existsSync(place)) expect(await run(['backup', place], own)).toMatchObject({ code: 0 })
  const target = await makeDatabase()
  const dataDir = await makeFolder()
  const environment = buildEnvironment(target.url, dataDir)
  const killed = start(['restore', place], environment)
  await expect.poll(() => runSql(isThere, target.name), { interval: 5, timeout: 60_000 }).toHaveLength(1)
  await killed.kill()
  const unused = () => withConsole(target.url, dataDir, async () => {})
  await expect(unused()).rejects.toThrow('a restore of this database is under way or was cut off')
  expect((await run(['list'], environment)).error).toContain('Cannot start: a restore of this database is under way')
  const restored = await run(['restore', place], environment)
  expect(restored).toMatchObject({ code: 0, error: expect.stringContaining('was cut off. It begins again.') })
  expect(restored.out).toContain('1 session ended.')
  const [before, after] = [await readDigests(database), await readDigests(target.name)]
  for (const table of ['security_events', 'members', 'admins', 'list_totals']) expect(after[table]).toBe(before[table])
  expect(await readSchema(target.name)).toEqual(await readSchema(database))
  await withConsole(target.url, dataDir, async ({ services }) => {
    const { rows } = await services.database.pool.query('SELECT count(*)::int AS count FROM security_events')
    expect(rows).toEqual([{ count: events }])
  })
})
