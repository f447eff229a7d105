import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { createChainAccess } from '#server/adapters/chain-access.ts'
import { openDocumentStore } from '#server/adapters/document-store.ts'
import { createKycProvider } from '#server/adapters/kyc-provider.ts'
import { createPlatformEndpoint } from '#server/adapters/platform-endpoint.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/core/config.ts'
import { createMetrics } from '#server/metrics/metrics.ts'
import { connectPool } from '#server/db/client.ts'
import { createAdminIfNone } from '#server/process/first-admin.ts'
import { createLog } from '#server/process/log.ts'
import { receiveGiven } from './given.ts'

/** Serves the real console on a port, as `npm start` does. Reports the port and a session cookie. */
const { connection, settings, isRecording } = await receiveGiven<{
  connection: pg.PoolConfig
  /** Besides the settings that it needs to run. */
  settings?: Record<string, string>
  /** Answers at `/recorded` the statements of the last call, without those of its session. */
  isRecording?: boolean
}>()
const username = 'bench'
const password = 'a password for measuring only'
const dataDir = mkdtempSync(join(tmpdir(), 'back-office-bench-'))
const config = readConfig({
  DATA_DIR: dataDir,
  DATABASE_URL: 'postgres://localhost/given-otherwise',
  ADMIN_USERNAME: username,
  ADMIN_PASSWORD: password,
  ...settings,
})
const log = createLog('warn')
const database = connectPool(connection, () => {})
const services = {
  config,
  database,
  log,
  documents: openDocumentStore(config),
  chain: createChainAccess(config),
  kycProvider: createKycProvider(config),
  platformEndpoint: createPlatformEndpoint(config),
  metrics: createMetrics(),
}
await createAdminIfNone(services)
await database.pool.query('UPDATE admins SET must_change_password = false')
const app = await buildApp(services)
if (isRecording) record(app, database.pool)
// The load names no browser either. With another one each call would look up whether the session is known there.
const headers = { 'user-agent': '' }
const reply = await app.inject({ method: 'POST', url: '/api/auth/login', headers, payload: { username, password } })
const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? ''
await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ port: (app.server.address() as AddressInfo).port, cookie })
/** Notes what is asked of the pool and of its connections: a search has one of its own, so that it can be cancelled. */
function record(app: FastifyInstance, pool: pg.Pool) {
  let seen: pg.QueryConfig[] = []
  const note = (given: pg.QueryConfig | string, values?: unknown[]) => {
    const { text, values: bound, name } = typeof given === 'string' ? { text: given, values, name: undefined } : given
    if (/\b(sessions|settings)\b/.test(text) || /^(BEGIN|COMMIT|ROLLBACK)\b/i.test(text)) return
    seen.push({ text, values: bound ?? values ?? [], ...(name && { name }) })
  }
  const noteQueries = (asked: pg.Pool | pg.PoolClient) => {
    const query = asked.query.bind(asked) as (...given: unknown[]) => unknown
    asked.query = ((given: pg.QueryConfig | string, values?: unknown[]) => {
      note(given, values)
      return query(given, values)
    }) as typeof asked.query
    return query
  }
  noteQueries(pool)
  const connect = pool.connect.bind(pool) as (done?: unknown) => Promise<pg.PoolClient>
  pool.connect = (async (done?: unknown) => {
    // The pool's own queries are noted above.
    if (done) return connect(done)
    const client = await connect()
    const query = noteQueries(client)
    const release = client.release.bind(client)
    client.release = (error) => {
      client.query = query as typeof client.query
      release(error)
    }
    return client
  }) as typeof pool.connect
  app.addHook('onRequest', async ({ url }) => {
    if (url !== '/recorded') seen = []
  })
  app.get('/recorded', { config: { access: 'public' } }, async () => seen)
}
process.on('disconnect', () => {
  rmSync(dataDir, { recursive: true, force: true })
  process.exit()
})
