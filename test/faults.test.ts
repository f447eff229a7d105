import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type PoolConfig } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { createChainAccess } from '#server/adapters/chain-access.ts'
import { openDocumentStore } from '#server/adapters/document-store.ts'
import { createKycProvider } from '#server/adapters/kyc-provider.ts'
import { createPlatformEndpoint } from '#server/adapters/platform-endpoint.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/core/config.ts'
import { createMetrics } from '#server/metrics/metrics.ts'
import { contextFor, type Services } from '#server/core/context.ts'
import { connectPool } from '#server/db/client.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { createAdmin } from '#server/features/auth/admins.ts'
import { createLog } from '#server/process/log.ts'
import { startConnectionCutter } from './support/connection-cutter.ts'
import { makeMember } from './support/make.ts'
import { keepPasswords } from './support/own-passwords.ts'
import { createSession, password, startServer } from './support/server.ts'
import { newDatabaseName } from './support/console-process.ts'
import { findCluster } from './support/cluster.ts'

const server = await startServer()

let consoles = 0
/** The same console over another way to its database; ends with the test. */
async function consoleOver(connection: PoolConfig) {
  const [row] = await server.sql<{ name: string }>('SELECT current_database() AS name')
  const database = connectPool({ ...findCluster().postgres, database: row!.name, ...connection }, () => {})
  const app = await buildApp({ ...server.services, database })
  onTestFinished(async () => {
    await app.close()
    await database.close()
  })
  const username = `ada-${++consoles}`
  await server.addOperator(username, 'super_admin')
  const cookie = await createSession(server, username)
  return (method: 'GET' | 'POST', url: string, payload?: object) =>
    app.inject({ method, url, headers: { cookie }, ...(payload && { payload }) })
}

const isBanned = async (id: string) =>
  (await server.sql<{ banned: boolean }>('SELECT banned FROM members WHERE id = $1', [id]))[0]!.banned

test('calls answer 503 with Retry-After while the database is away (product 8.5)', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'back-office-faults-'))
  let postgres = await startEmbeddedPostgres({ dataDir, say: () => {} })
  await migrateDatabase(postgres.connection)
  const config = readConfig({ DATA_DIR: dataDir })
  const services: Services = {
    config,
    database: connectPool(postgres.connection, () => {}),
    documents: openDocumentStore(config),
    chain: createChainAccess(config),
    kycProvider: createKycProvider(config),
    platformEndpoint: createPlatformEndpoint(config),
    metrics: createMetrics(),
    log: createLog('silent'),
  }
  const app = await buildApp(services)
  await createAdmin(contextFor(services, { kind: 'system', name: 'tests' }), 'ada', password)
  await keepPasswords(services)
  const signedIn = await app.inject({ method: 'POST', url: '/api/auth/login', payload: { username: 'ada', password } })
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
  const call = (url: string) => app.inject({ url, headers: { cookie } })
  expect((await call('/api/users')).statusCode).toBe(200)

  await postgres.stop()
  for (const url of ['/api/users', '/api/auth/user', '/api/analytics']) {
    const reply = await call(url)
    expect(reply.statusCode, url).toBe(503)
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    expect(reply.json()).toMatchObject({ code: 'database_unavailable', requestId: expect.any(String) })
    expect(reply.body).not.toMatch(/ECONN|ENOENT|socket|pg/i)
  }
  const image = await call('/api/documents/proxy/any')
  expect(image.json(), 'product 8.5').toMatchObject({ status: 503, suggestion: expect.stringMatching(/\w/) })
  expect((await call('/live')).statusCode).toBe(200)
  expect((await call('/ready')).statusCode).toBe(503)

  postgres = await startEmbeddedPostgres({ dataDir, say: () => {} })
  await eventually(async () => expect((await call('/api/users')).statusCode).toBe(200))
  expect((await call('/ready')).statusCode).toBe(200)
  await app.close()
  await services.database.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true })
})

async function onNewDatabase(work: (connection: { host: string; port: number; database: string }) => Promise<void>) {
  const postgres = findCluster().postgres
  const database = newDatabaseName('faults')
  const maintenance = new Client(postgres)
  await maintenance.connect()
  await maintenance.query(`CREATE DATABASE ${database}`)
  try {
    await work({ ...postgres, database })
  } finally {
    await maintenance.query(`DROP DATABASE ${database} WITH (FORCE)`)
    await maintenance.end()
  }
}

test('a failing migration stops with its error and changes nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'back-office-migrations-'))
  const statements = ['CREATE TABLE good (id int)', 'CREATE TABLE bad (id nonsense)']
  await mkdir(join(folder, '20260101000000_bad'))
  await writeFile(join(folder, '20260101000000_bad', 'migration.sql'), statements.join(';--> statement-breakpoint\n'))
  await onNewDatabase(async (connection) => {
    await expect(migrateDatabase(connection, { migrationsFolder: folder })).rejects.toThrow()
    const client = new Client(connection)
    await client.connect()
    const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    await client.end()
    expect(rows).toEqual([])
  })
  await rm(folder, { recursive: true })
})

test('several servers that start at once on a new database migrate it once', async () => {
  await onNewDatabase(async (connection) => {
    await expect(Promise.all([1, 2, 3].map(() => migrateDatabase(connection)))).resolves.toHaveLength(3)
  })
})

/** A console behind a cutter; both end with the test. */
async function consoleBehindCutter() {
  const cutter = await startConnectionCutter()
  onTestFinished(cutter.close)
  const call = await consoleOver({ ...cutter.connection, max: 2 })
  return { call, cut: (at: RegExp, isForwarded: boolean) => cutter.cut({ at, isForwarded, what: 'connection' }) }
}

test('a COMMIT whose answer is lost is reported as unknown', async () => {
  const { call, cut } = await consoleBehindCutter()
  for (let round = 0; round < 3; round++) {
    const { id } = await makeMember(server)
    cut(/commit/i, true)
    const reply = await call('POST', `/api/users/${id}/ban`, { reason: 'Fraud' })
    expect(reply.statusCode).toBe(503)
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    expect(reply.json()).toMatchObject({
      code: 'outcome_unknown',
      message: 'It is not known whether the change was made: reload and look before trying again',
    })
    expect(await isBanned(id)).toBe(true)
  }
  expect((await call('GET', '/api/users')).statusCode).toBe(200)
})

test('a connection lost before COMMIT changes nothing and says so', async () => {
  const { call, cut } = await consoleBehindCutter()
  const { id } = await makeMember(server)
  for (const at of [/begin/i, /begin/i, /begin/i, /for (no key )?update/i, /insert into "audit_log"/i]) {
    cut(at, false)
    const reply = await call('POST', `/api/users/${id}/ban`, { reason: 'Fraud' })
    expect(reply.json(), String(at)).toMatchObject({
      code: 'database_unavailable',
      message: expect.stringContaining('nothing was changed'),
    })
    expect(await isBanned(id)).toBe(false)
  }
  cut(/select/i, false)
  const read = await call('GET', `/api/users/${id}`)
  expect(read.json()).toMatchObject({ code: 'database_unavailable', message: expect.not.stringContaining('changed') })
  expect((await call('POST', `/api/users/${id}/ban`, { reason: 'Fraud' })).statusCode).toBe(200)
})

test.each([
  ['a row that another change holds', { lock_timeout: 50 }, 'Another change of the same data'],
  ['a statement that takes too long', { lock_timeout: 0, statement_timeout: 200 }, 'The database took too long'],
])('%s is 503 with Retry-After, and nothing was changed', async (_what, patience, message) => {
  const call = await consoleOver(patience)
  const { id } = await makeMember(server)
  const holder = await server.services.database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT FROM members WHERE id = $1 FOR UPDATE', [id])
  const reply = await call('POST', `/api/users/${id}/ban`, { reason: 'Fraud' })
  await holder.query('ROLLBACK')
  holder.release()
  expect(reply.statusCode).toBe(503)
  expect(reply.headers['retry-after']).toBe('2')
  expect(reply.json()).toMatchObject({ code: 'busy', message: expect.stringContaining(message) })
  expect(await isBanned(id)).toBe(false)
})

test('a call that gets no connection because all are in use is 503 overloaded', async () => {
  const call = await consoleOver({ max: 1, connectionTimeoutMillis: 50, lock_timeout: 0 })
  const { id } = await makeMember(server)
  const holder = await server.services.database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT FROM members WHERE id = $1 FOR UPDATE', [id])
  // The only connection is open before it is taken: a busy machine may need more than 50 ms to open one.
  await eventually(async () => expect((await call('GET', '/api/users')).statusCode).toBe(200))
  const ban = call('POST', `/api/users/${id}/ban`, { reason: 'Fraud' })
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await eventually(async () => expect(await server.sql(waiting)).toHaveLength(1))
  const reply = await call('GET', '/api/users')
  await holder.query('ROLLBACK')
  holder.release()
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '2'])
  expect(reply.json()).toMatchObject({ code: 'overloaded', message: expect.stringContaining('too much to do') })
  expect((await ban).statusCode).toBe(200)
})
