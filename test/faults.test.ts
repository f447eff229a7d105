import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, inject, test, vi } from 'vitest'
import { folderStore } from '#server/adapters/document-store.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { contextFor, type Services } from '#server/context.ts'
import { connect } from '#server/db/client.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { createAdmin } from '#server/features/auth/service.ts'
import { createLog } from '#server/log.ts'
import { password } from './server.ts'

test('PRODUCT 3.5: while the database is away calls answer 503 with Retry-After, and recover by themselves', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'back-office-faults-'))
  let postgres = await startEmbeddedPostgres({ dataDir, say: () => {} })
  await migrateDatabase(postgres.connection)
  const services: Services = {
    config: readConfig({ DATA_DIR: dataDir }),
    database: connect(postgres.connection, () => {}),
    documents: folderStore(join(dataDir, 'documents')),
    log: createLog('silent'),
  }
  const app = await buildApp(services)
  await createAdmin(contextFor(services, { kind: 'system', name: 'tests' }), 'ada', password)
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
  expect((await call('/live')).statusCode).toBe(200)
  expect((await call('/ready')).statusCode).toBe(503)

  postgres = await startEmbeddedPostgres({ dataDir, say: () => {} })
  await vi.waitFor(async () => expect((await call('/api/users')).statusCode).toBe(200), { timeout: 10_000 })
  expect((await call('/ready')).statusCode).toBe(200)
  await app.close()
  await services.database.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true })
})

async function onNewDatabase(work: (connection: { host: string; port: number; database: string }) => Promise<void>) {
  const postgres = inject('postgres')
  const database = `faults_${process.pid}`
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

test('a failing migration stops with its error and changes nothing, also not by the migrations before it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'back-office-migrations-'))
  const migrations = {
    '20260101000000_good': 'CREATE TABLE good (id int)',
    '20260101000001_bad': 'CREATE TABLE bad (id nonsense)',
  }
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'migration.sql'), sql)
  }
  await onNewDatabase(async (connection) => {
    await expect(migrateDatabase(connection, folder)).rejects.toThrow()
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
