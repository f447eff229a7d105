import { afterAll, beforeEach, expect, test } from 'vitest'
import { readCommand } from '#server/cli/admin-commands.ts'
import { contextFor } from '#server/core/context.ts'
import { openObjectStore } from '#server/adapters/object-store.ts'
import { makeDatabase, makeFolder, readDigests, restoreInto, runSql } from '#test/support/backups.ts'
import { runJob } from '#test/support/jobs.ts'
import { makeMember } from '#test/support/make.ts'
import { startS3Gate } from '#test/support/s3-gate.ts'
import { startS3 } from '#test/support/s3-server.ts'
import { startServer } from '#test/support/server.ts'
import { createFileFixtures } from '#test/support/stored-files.ts'
import { createBackup } from './create.ts'
import { verifyBackup } from './verify.ts'

const s3 = await startS3()
const gate = await startS3Gate(s3.port)
afterAll(async () => {
  await gate.close()
  await s3.close()
})
const server = await startServer({
  BACKUP_TO: `s3://documents/kept/here?endpoint=${gate.endpoint}`,
  BACKUP_KEEP: '2',
  BACKUP_ACCESS_KEY_ID: s3.account.accessKeyId,
  BACKUP_SECRET_ACCESS_KEY: s3.account.secretAccessKey,
})
const { services } = server
const place = services.config.backups.place!
// A store that is away is found out sooner here.
if ('bucket' in place) place.bucket.pausesMs = [5]
const store = openObjectStore(place)
const backUp = () => runJob(services, 'make-backup')
const readHealth = async () => (await server.as(null)('GET', '/ready')).json().backup
const command = (...words: string[]) =>
  readCommand(['backup', ...words])!.standalone!({
    config: services.config,
    log: services.log,
    actor: { kind: 'command', name: 'tests' },
    say: () => {},
  })

beforeEach(async () => {
  gate.answer = () => undefined
  await server.sql(`DELETE FROM settings WHERE name = 'scheduled_backup'`)
  for (const name of await store.listFolders()) await store.within(name).deleteAll('UNFINISHED')
})

test('a back-up by the clock goes into the bucket and is restored from there', async () => {
  const { id } = await makeMember(server)
  await createFileFixtures(server).upload(id)
  await backUp()
  const [name, ...others] = await store.listFolders()
  expect([name, others]).toEqual([expect.stringMatching(/^back-office-20\d{6}T\d{9}Z$/), []])
  const made = store.within(name!)
  expect(await made.has('UNFINISHED')).toBe(false)
  const { manifest } = await verifyBackup({ store: made, identities: [] })
  expect(manifest.documents).toMatchObject({ files: 1, missing: [] })
  expect(await readHealth()).toEqual({ lastAt: manifest.takenAt, isFailing: false, isOverdue: false })
  expect(await command('list')).toMatch(/^20\S+Z {2}finished {4}s3:\/\/documents\/kept\/here\/back-office-\w+\/$/)
  expect(await command('verify', `s3://documents/kept/here/${name}?endpoint=${gate.endpoint}`)).toMatch(
    /^The back-up is whole: /,
  )
  const before = await readDigests((await server.sql<{ name: string }>('SELECT current_database() AS name'))[0]!.name)
  const target = await makeDatabase()
  await restoreInto({ ...target, dataDir: await makeFolder(), store: made })
  expect((await readDigests(target.name)).members).toBe(before.members)
})

test('a table of more than 8 MB goes up in parts and is restored as it was', async () => {
  const large = `to_jsonb((
    SELECT string_agg(encode(sha256(n::text::bytea), 'base64'), '' ORDER BY n) FROM generate_series(1, 300000) AS n))`
  await server.sql(`INSERT INTO settings VALUES ('large', ${large})`)
  gate.seen.length = 0
  const made = store.within('large')
  await createBackup(server.system, { store: made, recipients: [] })
  await server.sql(`DELETE FROM settings WHERE name = 'large'`)
  expect(gate.seen).toContainEqual(expect.stringMatching(/tables\/settings\S+[?&]partNumber=2&/))
  await verifyBackup({ store: made, identities: [] })
  const target = await makeDatabase()
  await restoreInto({ ...target, dataDir: await makeFolder(), store: made })
  const read = `SELECT value = ${large} AS "isSame" FROM settings WHERE name = 'large'`
  expect(await runSql(read, target.name)).toEqual([{ isSame: true }])
  await made.deleteAll('UNFINISHED')
})

test('while documents are copied the back-up holds no snapshot', async () => {
  const { id } = await makeMember(server)
  await createFileFixtures(server).upload(id)
  const [isCopying, mayCopy] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const heldStore = new Proxy(store.within('held'), {
    get: (target, name) =>
      name === 'put'
        ? async (...given: Parameters<typeof target.put>) => {
            if (given[0].startsWith('documents/')) {
              isCopying.resolve()
              await mayCopy.promise
            }
            return target.put(...given)
          }
        : Reflect.get(target, name).bind(target),
  })
  const made = createBackup(server.system, { store: heldStore, recipients: [] })
  await Promise.race([isCopying.promise, made])
  const connections = await server.sql(
    `SELECT state, xact_start, backend_xmin FROM pg_stat_activity
     WHERE application_name = 'back-office backup' AND datname = current_database()`,
  )
  mayCopy.resolve()
  expect(connections).toEqual([{ state: 'idle', xact_start: null, backend_xmin: null }])
  expect((await made).manifest.documents.missing).toEqual([])
  await verifyBackup({ store: store.within('held'), identities: [] })
  await store.within('held').deleteAll('UNFINISHED')
})

test('of those in a bucket the newest BACKUP_KEEP stay, and what was cut off goes', async () => {
  const names = ['20260101', '20260102', '20260103', '20260104'].map((day) => `back-office-${day}T000000000Z`)
  await store.within(names[0]!).put('SHA256SUMS', Buffer.from(''))
  await store.within(names[1]!).put('SHA256SUMS', Buffer.from(''))
  await store.within(names[2]!).put('tables/members.copy.zst', Buffer.from('half'))
  await store.within(names[2]!).put('UNFINISHED', Buffer.from(''))
  // Somebody copies one there.
  await store.within(names[3]!).put('manifest.json', Buffer.from('half'))
  await store.within('archive').put('x', Buffer.from('x'))
  await backUp()
  expect((await store.listFolders()).toSorted()).toEqual([
    'archive',
    names[1],
    names[3],
    expect.stringMatching(/^back-office-20\d{6}T\d{9}Z$/),
  ])
})

test('of several servers with one bucket one makes the back-up', async () => {
  await Promise.all([backUp(), backUp(), backUp()])
  await backUp()
  expect(await store.listFolders()).toHaveLength(1)
})

test.each([
  ['is away', () => ({ status: 503 }), /cannot be used: it answered 503/],
  ['is full', (text: string) => (text.includes('tables/') ? { status: 507 } : undefined), /it answered 507/],
  ['refuses', () => ({ status: 403, body: '<Code>AccessDenied</Code>' }), /it answered 403 AccessDenied/],
])('a bucket that %s is an event, and leaves the next back-up whole', async (_what, answer, problem) => {
  await server.sql('DELETE FROM security_events')
  gate.answer = answer
  await expect(backUp()).rejects.toThrow(problem)
  expect(await readHealth()).toMatchObject({ lastAt: null, isFailing: true })
  const [event] = await server.sql<{ description: string }>('SELECT description FROM security_events')
  expect(event!.description).toMatch(problem)
  gate.answer = () => undefined
  await server.sql(`DELETE FROM settings WHERE name = 'scheduled_backup'`)
  await backUp()
  const names = await store.listFolders()
  expect(names).toHaveLength(1)
  await verifyBackup({ store: store.within(names[0]!), identities: [] })
})

test('a server that stops leaves nothing that counts as a back-up', async () => {
  const stopping = new AbortController()
  gate.answer = (text) => {
    if (text.includes('tables/')) stopping.abort()
    return undefined
  }
  const { backUpWhenDue } = await import('./service.ts')
  await backUpWhenDue(contextFor(services, { kind: 'system', name: 'tests' }), stopping.signal)
  expect(await readHealth()).toMatchObject({ lastAt: null, isFailing: false })
  expect(await command('list')).toMatch(/unfinished/)
})
