import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createFolderObjects } from '#server/adapters/folder-objects.ts'
import { sealAudit, verifyAndReport } from '#server/features/audit-chain/service.ts'
import { createBackup, verifyBackup } from '#server/features/backups/service.ts'
import { foldCounts } from '#server/jobs/fold-counts.ts'
import { generateAgeKey } from '#server/lib/age.ts'
import {
  findFaults,
  makeDatabase,
  makeFolder,
  readDigests,
  readSchema,
  restoreInto,
  runSql,
  withConsole,
} from './support/backups.ts'
import { camtEntry, camtFile } from './support/bank-files.ts'
import { createBankCaller } from './support/bank.ts'
import { dialCluster, findCluster } from './support/cluster.ts'
import { buildDatabaseUrl } from './support/console-process.ts'
import { buildOrderBody, createPlatformCaller } from './support/platform-calls.ts'
import { password, startServer } from './support/server.ts'
import { createFileFixtures } from './support/stored-files.ts'
import { settle } from './support/settle.ts'
import { startSecondServer } from './support/second-server.ts'

const server = await startServer()
const { name: database } = (await server.sql<{ name: string }>('SELECT current_database() AS name'))[0]!
const platform = createPlatformCaller(server)
const ada = server.as('ada')
const folder = await makeFolder()
const never = new AbortController().signal
let documentPath: string

const member = (id: string, more: object = {}) => ({
  email: `${id}@example.com`,
  legalFirstName: 'Ana\tLima\\',
  ...more,
})

beforeAll(async () => {
  const replies = [
    await platform('PUT', '/members/m-1', member('m-1', { legalLastName: 'Ünal\r\n"x"' })),
    await platform('PUT', '/orders/o-1', buildOrderBody('m-1')),
    await ada('POST', '/api/users/m-1/ban', { reason: 'Fraud' }),
  ]
  expect(replies.map(({ statusCode, body }) => (statusCode < 300 ? 'done' : body))).toEqual(Array(3).fill('done'))
  documentPath = await createFileFixtures(server).upload('m-1')
  const bank = createBankCaller(server)
  await bank.addAccount()
  await bank.importFile(camtFile(camtEntry('40.00', 'CRDT')))
  await settle(server)
  await sealAudit(server.system, never)
})

/** The tables that a restore, or the console that starts then, writes. */
const written = new Set([
  'settings',
  'sessions',
  'ended_sessions',
  'audit_log',
  'audit_chain',
  'list_deltas',
  'change_marks',
  'sequence audit_log_id_seq',
  'sequence list_deltas_id_seq',
])
const omitWritten = (digests: Record<string, string>) =>
  Object.fromEntries(Object.entries(digests).filter(([name]) => !written.has(name)))

test('a back-up that is restored has the same rows, schema and documents', async () => {
  const place = join(folder, 'same')
  const before = await readDigests(database)
  const { manifest } = await createBackup(server.system, { store: createFolderObjects(place), recipients: [] })
  expect(manifest.documents).toMatchObject({ files: 2, missing: [] })
  expect(await verifyBackup({ store: createFolderObjects(place), identities: [] })).toMatchObject({
    isEncrypted: false,
  })
  const target = await makeDatabase()
  const dataDir = await makeFolder()
  const outcome = await restoreInto({ ...target, dataDir, store: createFolderObjects(place) })
  expect(outcome.endedSessions).toBeGreaterThan(0)
  expect(omitWritten(await readDigests(target.name))).toEqual(omitWritten(before))
  expect(await readSchema(target.name)).toEqual(await readSchema(database))
  expect(await findFaults(target.name)).toEqual([])
  await withConsole(target.url, dataDir, async ({ app, ctx, services }) => {
    const reply = await app.inject({ method: 'POST', url: '/api/auth/login', payload: { username: 'ada', password } })
    expect(reply.statusCode, reply.body).toBe(200)
    const cookie = String(reply.headers['set-cookie']).split(';')[0]!
    const call = (method: 'GET' | 'POST', url: string, payload?: object) =>
      app.inject({ method, url, headers: { cookie }, ...(payload && { payload }) })
    const asked = await call('POST', '/api/documents/token', { userId: 'm-1', documentPath })
    expect((await call('GET', `/api/documents/proxy/${asked.json().token}`)).headers['content-type']).toBe('image/jpeg')
    await foldCounts(services)
    await expect.poll(async () => (await sealAudit(ctx, never), readUnsealed(target.name)), { timeout: 60_000 }).toBe(0)
    expect(await verifyAndReport(ctx)).toMatchObject({ fault: null })
  })
  const [row] = await runSql<{ details: object }>(
    `SELECT actor_kind, details FROM audit_log WHERE action = 'restore_backup'`,
    target.name,
  )
  expect(row).toMatchObject({ actor_kind: 'command', details: { takenAt: manifest.takenAt } })
})

const readUnsealed = async (name: string) =>
  (
    await runSql<{ rows: number }>(
      'SELECT ((SELECT count(*) FROM audit_log) - (SELECT count(*) FROM audit_chain))::int AS rows',
      name,
    )
  )[0]!.rows

test('a back-up while two consoles write is of one moment', async () => {
  const place = join(folder, 'written')
  const second = await startSecondServer(server)
  const other = createPlatformCaller({ ...server, app: second.app })
  const writing = new AbortController()
  let acknowledged = 0
  const write = async (call: typeof platform, prefix: string) => {
    for (let n = 0; !writing.signal.aborted; n++) {
      const id = `${prefix}-${n}`
      const made = await call('PUT', `/members/${id}`, member(id))
      const ordered = await call('PUT', `/orders/o-${id}`, buildOrderBody(id))
      await ada('POST', `/api/users/${id}/ban`, { reason: 'Fraud' })
      if (made.statusCode < 300 && ordered.statusCode < 300) acknowledged++
    }
  }
  const writers = [write(platform, 'a'), write(other, 'b')]
  try {
    await expect.poll(() => acknowledged).toBeGreaterThan(10)
    const before = acknowledged
    await createBackup(server.system, { store: createFolderObjects(place), recipients: [] })
    expect(acknowledged).toBeGreaterThan(before)
    const target = await makeDatabase()
    await restoreInto({ ...target, dataDir: await makeFolder(), store: createFolderObjects(place) })
    expect(await findFaults(target.name)).toEqual([])
    const [restored] = await runSql<{ orders: number }>('SELECT count(*)::int AS orders FROM orders', target.name)
    expect(restored!.orders).toBeGreaterThan(before)
  } finally {
    writing.abort()
    await Promise.all(writers)
    await second.close()
  }
})

test('an encrypted back-up opens with its key alone', async () => {
  const place = join(folder, 'encrypted')
  const { recipient, identity } = await generateAgeKey()
  await createBackup(server.system, {
    store: createFolderObjects(place),
    recipients: [recipient, (await generateAgeKey()).recipient],
  })
  const files = await readdir(place, { recursive: true })
  expect(files.filter((file) => /members|manifest/.test(file))).toEqual(
    expect.arrayContaining(['manifest.json.age', join('tables', 'members.copy.zst.age')]),
  )
  const stored = await readFile(join(place, 'tables/members.copy.zst.age'))
  expect(stored.includes('example.com')).toBe(false)
  const verify = (...identities: string[]) => verifyBackup({ store: createFolderObjects(place), identities })
  await expect(verify()).rejects.toThrow('is encrypted: name the file of its key with --key <file>')
  await expect(verify((await generateAgeKey()).identity)).rejects.toThrow('none of the given keys opens it')
  expect(await verify(identity)).toMatchObject({ isEncrypted: true })
  const target = await makeDatabase()
  const before = await readDigests(target.name)
  const wrong = restoreInto({
    ...target,
    dataDir: await makeFolder(),
    store: createFolderObjects(place),
    identities: [(await generateAgeKey()).identity],
  })
  await expect(wrong).rejects.toThrow('none of the given keys opens it')
  expect(await readDigests(target.name)).toEqual(before)
  await restoreInto({
    ...target,
    dataDir: await makeFolder(),
    store: createFolderObjects(place),
    identities: [identity],
  })
  expect(await runSql('SELECT id FROM members WHERE id = $$m-1$$', target.name)).toEqual([{ id: 'm-1' }])
})

test('a back-up is never written over another, or into a folder in use', async () => {
  const place = join(folder, 'whole')
  await createBackup(server.system, { store: createFolderObjects(place), recipients: [] })
  const again = () => createBackup(server.system, { store: createFolderObjects(place), recipients: [] })
  await expect(again()).rejects.toThrow('holds a back-up already')
  await rename(join(place, 'SHA256SUMS'), join(place, 'UNFINISHED'))
  await expect(again()).rejects.toThrow('holds a back-up that was cut off')
  await rm(join(place, 'UNFINISHED'))
  await expect(again()).rejects.toThrow('is not empty')
})

test('a restore is refused where the database is in use', async () => {
  const place = join(folder, 'refused')
  await createBackup(server.system, { store: createFolderObjects(place), recipients: [] })
  const target = await makeDatabase()
  await runSql('CREATE TABLE somebody_elses (id int)', target.name)
  const into = async () => restoreInto({ ...target, dataDir: await makeFolder(), store: createFolderObjects(place) })
  await expect(into()).rejects.toThrow('A restore needs an empty database, and the one of DATABASE_URL is in use')
  await runSql('DROP TABLE somebody_elses', target.name)
  await into()
  await expect(into()).rejects.toThrow('is in use')
})

const copyDone = Buffer.from('c\0\0\0\x04')

/** A proxy before PostgreSQL that keeps back what follows the last row of a COPY until `release`. */
async function startLateProxy() {
  const held: (() => void)[] = []
  const proxy = createServer((client) => {
    const upstream = dialCluster()
    const close = () => void [client, upstream].map((socket) => socket.destroy())
    for (const socket of [client, upstream]) socket.on('error', close).on('close', close)
    client.on('data', (bytes) => upstream.write(bytes))
    upstream.on('data', (bytes) => {
      const at = bytes.indexOf(copyDone)
      const end = at < 0 ? bytes.length : at + copyDone.length
      if (at >= 0) held.push(() => client.write(bytes.subarray(end)))
      client.write(bytes.subarray(0, end))
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    connection: { host: '127.0.0.1', port: (proxy.address() as AddressInfo).port },
    release: () => held.splice(0).forEach((write) => write()),
    close: () => new Promise((resolve) => proxy.close(resolve)),
  }
}

test('rows are counted where the database confirms them late', async () => {
  const proxy = await startLateProxy()
  const { name } = await makeDatabase()
  const url = buildDatabaseUrl({ ...findCluster().postgres, ...proxy.connection }, name)
  const objects = createFolderObjects(join(folder, 'late'))
  const store: typeof objects = {
    ...objects,
    put: async (...part) => {
      await objects.put(...part)
      proxy.release()
    },
  }
  await withConsole(url, await makeFolder(), async ({ ctx }) => {
    const { rows } = await createBackup(ctx, { store, recipients: [] })
    expect(rows).toBeGreaterThan(0)
    expect(await verifyBackup({ store, identities: [] })).toMatchObject({ rows })
  })
  await proxy.close()
})
