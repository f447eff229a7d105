import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { readCommand } from '#server/cli/admin-commands.ts'
import { readConfig } from '#server/core/config.ts'
import type { Services } from '#server/core/context.ts'
import { openServerBase } from '#server/process/start.ts'
import { generateAgeKey } from '#server/lib/age.ts'
import { createFolderObjects } from '#server/adapters/folder-objects.ts'
import type { ObjectStore } from '#server/adapters/object-store.ts'
import { readArchiveHealth } from './archive-state.ts'
import { dataFile, makeBase } from './base.ts'
import { takeLog } from './log-files.ts'
import { runJob } from '#test/support/jobs.ts'
import { auditKey, documentsKey } from '#test/support/console-process.ts'

const log = pino({ level: 'silent' })
const root = await mkdtemp(join(tmpdir(), 'back-office-instant-'))
afterAll(() => rm(root, { recursive: true, force: true }))
const { recipient, identity } = await generateAgeKey()
const keyFile = join(root, 'key.txt')
await writeFile(keyFile, `${identity}\n`)
const archive = join(root, 'archive')

const buildConfig = (name: string, more: Record<string, string> = {}) =>
  readConfig({
    DATA_DIR: join(root, name),
    DEMO: 'off',
    AUDIT_KEY: auditKey,
    DOCUMENTS_KEY: documentsKey,
    BACKUP_KEY: recipient,
    ...more,
  })

async function withDatabase<T>(config: ReturnType<typeof buildConfig>, work: (services: Services) => Promise<T>) {
  const base = await openServerBase(config, log, () => {})
  try {
    return await work(base.services)
  } finally {
    await base.close()
  }
}

const actor = { kind: 'command', name: 'tests' } as const
const restore = (name: string, at: string, more: Record<string, string> = {}) =>
  readCommand(['restore', archive, '--at', at, '--key', keyFile])!.standalone!({
    config: buildConfig(name, more),
    log,
    actor,
    say: () => {},
  })

async function ask<Row extends pg.QueryResultRow>(services: Services, text: string): Promise<Row[]> {
  const client = new pg.Client(services.embedded!.connection)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
const digestSql = `SELECT count(*)::int AS rows, md5(string_agg(s::text, E'\\n' ORDER BY id)) AS digest FROM security_events AS s`
const readDigest = async (services: Services) => (await ask(services, digestSql))[0]!
const write = (services: Services, what: string) =>
  ask(
    services,
    `INSERT INTO security_events (severity, event_type, description) SELECT 'low', 'test', '${what} ' || n FROM generate_series(1, 500) AS n`,
  )
const readClock = async (services: Services) =>
  (await ask<{ at: Date }>(services, 'SELECT clock_timestamp() AS at'))[0]!.at.toISOString()
/** Ends the present segment of the log, and waits for the server to give it away. Returns its name. */
const endSegment = async (services: Services) => {
  const [present] = await ask<{ name: string }>(services, 'SELECT pg_walfile_name(pg_current_wal_lsn()) AS name')
  await ask(services, 'SELECT pg_switch_wal()')
  const isArchived = async () =>
    (
      await ask<{ is: boolean }>(services, `SELECT last_archived_wal >= '${present!.name}' AS is FROM pg_stat_archiver`)
    )[0]!.is
  await expect.poll(isArchived, { timeout: 60_000 }).toBe(true)
  return present!.name
}

test('the embedded database is restored to an instant, and to the end of its archive', async () => {
  const config = buildConfig('first', { WAL_ARCHIVE: archive })
  let beforeFirst = ''
  let instant = ''
  let atInstant = {}
  let atEnd = {}
  await withDatabase(config, async (services) => {
    beforeFirst = await readClock(services)
    await write(services, 'before')
    await runJob(services, 'archive-log')
    expect(await readArchiveHealth(services)).toMatchObject({
      isBehind: false,
      completeAt: expect.stringMatching(/^20/),
    })
    await write(services, 'in between')
    atInstant = await readDigest(services)
    instant = await readClock(services)
    await write(services, 'after')
    atEnd = await readDigest(services)
    await endSegment(services)
    await runJob(services, 'archive-log')
  })
  await expect(restore('early', beforeFirst)).rejects.toThrow('The archive begins later: the earliest instant is')
  await expect(restore('future', '2999-01-01T00:00:00Z')).rejects.toThrow(
    'The archive has nothing after that instant: its last transaction is of',
  )
  expect(await restore('restored', instant)).toMatch(/is as it was at 20.*Z\. \d+ sessions? ended/)
  await withDatabase(buildConfig('restored'), async (services) => {
    expect(await readDigest(services)).toEqual(atInstant)
    await write(services, 'and it takes writes')
  })
  await expect(restore('restored', instant)).rejects.toThrow('set DATA_DIR to a new folder')
  await restore('latest', 'latest')
  await withDatabase(buildConfig('latest'), async (services) => expect(await readDigest(services)).toEqual(atEnd))
  // Another database may not write beside it.
  await withDatabase(buildConfig('other', { WAL_ARCHIVE: archive }), async (services) => {
    await expect(runJob(services, 'archive-log')).rejects.toThrow('holds the log of another database')
    await ask(services, `UPDATE settings SET value = '{"failedAt": "2026-01-01T00:00:00Z"}' WHERE name = 'log_archive'`)
    await expect(runJob(services, 'archive-log')).rejects.toThrow('holds the log of another database')
    expect(await readArchiveHealth(services)).toEqual({ completeAt: null, isBehind: true })
    const readEvent = async () =>
      (
        await ask(services, `SELECT severity, description FROM security_events WHERE event_type = 'log_archive_behind'`)
      )[0]
    expect(await readEvent()).toMatchObject({
      severity: 'critical',
      description: expect.stringContaining('not been archived at all yet'),
    })
    // Its log is archived, but each copy of a new base fails.
    await ask(
      services,
      `UPDATE settings SET value = jsonb_build_object('baseAt', '2026-01-01T00:00:00Z', 'completeAt', now()) WHERE name = 'log_archive'`,
    )
    await expect(runJob(services, 'archive-log')).rejects.toThrow('holds the log of another database')
    expect((await readEvent())!.description).toContain('has had no new base since 2026-01-01T00:00:00Z')
  })
}, 300_000)

test('a change made while a base is copied is in the archive before the base ends', async () => {
  await withDatabase(buildConfig('copied', { WAL_ARCHIVE: archive }), async (services) => {
    const { folder, cluster } = services.embedded!.spool!
    const [bases, stored] = ['base', 'wal'].map((name) => createFolderObjects(join(root, 'copied-archive', name)))
    let isInArchive = false
    async function* changeMeanwhile(content: AsyncIterable<Buffer>) {
      let segment = ''
      for await (const chunk of content) {
        if (!segment) {
          await write(services, 'meanwhile')
          segment = await endSegment(services)
        }
        yield chunk
      }
      isInArchive = await stored!.has(`${segment}.zst`)
    }
    const put: ObjectStore['put'] = (path, content, options) =>
      bases!.put(path, Buffer.isBuffer(content) || path !== dataFile ? content : changeMeanwhile(content), options)
    const take = () => takeLog(folder, { store: stored!, recipients: [] })
    const client = new pg.Client(services.embedded!.connection)
    await client.connect()
    const options = { store: { ...bases!, put }, recipients: [], takeLog: async () => {}, takeLogWhenDue: take }
    try {
      await makeBase(client, cluster, options)
    } finally {
      await client.end()
    }
    expect(isInArchive).toBe(true)
  })
}, 300_000)
