import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { announce } from '#server/core/audit.ts'
import { contextFor } from '#server/core/context.ts'
import { verifyAndReport } from '#server/features/audit-chain/service.ts'
import { openSnapshot } from '#server/features/exports/snapshot.ts'
import { jobs } from '#server/jobs/jobs.ts'
import { findCluster } from './support/cluster.ts'
import { eventually } from './support/eventually.ts'
import { holdLock } from './support/held-lock.ts'
import { buildMemberLine, createHistoryHeaders, importHeaders, importUrl } from './support/import.ts'
import { makeMembers } from './support/make.ts'
import { buildOrderBody, createPlatformCaller } from './support/platform-calls.ts'
import { startServer, type TestServer } from './support/server.ts'

const poolers = ['discard', 'pgbouncer'] as const
type Pooler = (typeof poolers)[number]

async function startBehind(pooler: Pooler): Promise<TestServer> {
  vi.stubEnv('TEST_POOLER', pooler)
  try {
    return await startServer({ CHAIN_MODE: 'off' })
  } finally {
    vi.unstubAllEnvs()
  }
}
const servers = new Map<Pooler, TestServer>()
for (const pooler of poolers) servers.set(pooler, await startBehind(pooler))

const lines = (...members: string[]) => members.map((id) => JSON.stringify(buildMemberLine(id))).join('\n')
/** Statements of the test's consoles that contain a text. */
const findRunning = (server: TestServer, word: string) =>
  server.sql(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE $1 AND pid <> pg_backend_pid()`,
    [`%${word}%`],
  )

/** Holds a lock in the server's own database, past the pooler. */
const holdLockOf = async (server: TestServer) => {
  const [place] = await server.sql<{ database: string }>('SELECT current_database() AS database')
  return holdLock({ ...findCluster().postgres, ...place })
}

describeEach('operators sign in, search and change members', async (server) => {
  await server.sql(`DELETE FROM members WHERE legal_first_name = 'Rosalind'`)
  const [member] = await makeMembers(server, 3, (n) => ({ legalFirstName: 'Rosalind', legalLastName: `Vega ${n}` }))
  const ada = server.as('ada')
  for (let round = 0; round < 3; round++) {
    expect((await ada('GET', '/api/users?search=rosalind')).json()).toMatchObject({ total: 3 })
  }
  expect((await ada('POST', `/api/users/${member!.id}/ban`, { reason: 'Fraud' })).statusCode).toBe(200)
  expect((await ada('GET', `/api/users/${member!.id}`)).json()).toMatchObject({ user: { kycBanned: true } })
})

describeEach('the platform writes members and orders', async (server) => {
  const call = createPlatformCaller(server)
  for (const id of ['p-1', 'p-2', 'p-3']) {
    expect((await call('PUT', `/members/${id}`, { email: `${id}@example.com` })).statusCode).toBe(200)
    expect((await call('PUT', `/orders/o-${id}`, buildOrderBody(id))).statusCode).toBe(200)
  }
  expect(await server.sql(`SELECT FROM orders WHERE member_id LIKE 'p-_'`)).toHaveLength(3)
})

describeEach('instants are read in UTC', async ({ services }) => {
  const asked = `SELECT timestamptz '2026-07-01 00:30:00Z'::text AS at, current_setting('statement_timeout') AS limit`
  for (let round = 0; round < 3; round++)
    expect((await services.database.pool.query(asked)).rows).toEqual([{ at: '2026-07-01 00:30:00+00', limit: '15s' }])
})

describeEach('a dry run stores nothing and leaves no other connection read-only', async (server) => {
  const headers = await createHistoryHeaders(server)
  const tried = await server.as(null)('POST', `${importUrl}?dryRun=true`, lines('dry-1', 'dry-2'), headers)
  expect(tried.json()).toMatchObject({ created: 2 })
  expect(await server.sql(`SELECT FROM members WHERE id LIKE 'dry-_'`)).toEqual([])
  const written = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      createPlatformCaller(server)('PUT', `/members/w-${n}`, { email: `w${n}@e.co` }),
    ),
  )
  expect(written.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 12 }, () => 200))
})

describeEach('an import in batches counts once', async (server) => {
  for (const created of [2, 2]) {
    const reply = await server.as(null)('POST', `${importUrl}?batch=pooled`, lines('b-1', 'b-2'), importHeaders)
    expect(reply.json()).toMatchObject({ created })
  }
})

describeEach('a read whose caller has gone is cancelled', async (server) => {
  const asked = new AbortController()
  const { waitingCall } = await holdLockOf(server)
  const read = server.services.database.reads(asked).query({ text: `SELECT 'abandoned' FROM ${waitingCall}` })
  const failed = expect(read).rejects.toThrow('canceling statement')
  await eventually(async () => expect(await findRunning(server, 'abandoned')).toHaveLength(1))
  asked.abort()
  await failed
})

describeEach('an export that is given up ends its own process alone', async (server) => {
  const { pool } = server.services.database
  const stop = new AbortController()
  const snapshot = await openSnapshot(pool, stop)
  const { waitingCall, release } = await holdLockOf(server)
  const walk = snapshot.client.query(`SELECT 'given up' FROM ${waitingCall}`).catch((error: Error) => error)
  const others = Array.from({ length: 4 }, () => pool.query(`SELECT 'other' AS kept FROM ${waitingCall}`))
  await eventually(async () => expect(await findRunning(server, 'given up')).toHaveLength(1))
  await eventually(async () => expect(await findRunning(server, 'AS kept')).toHaveLength(4))
  stop.abort()
  await snapshot.closed
  expect(await walk).toBeInstanceOf(Error)
  await release()
  for (const { rows } of await Promise.all(others)) expect(rows).toEqual([{ kept: 'other' }])
  await eventually(async () => expect(await findRunning(server, 'given up')).toEqual([]))
})

describeEach('an export has every row', async (server) => {
  await makeMembers(server, 5, (n) => ({ id: `exported-${n}` }))
  const reply = await server.as('ada')('GET', '/api/exports/users')
  expect(reply.body.match(/exported-/g)).toHaveLength(5)
})

describeEach('event streams hear of changes', async (server) => {
  const address = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { headers } = await server.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username: 'ada', password: 'seven grey herons at noon' },
  })
  const cookie = String(headers['set-cookie']).split(';')[0]!
  const [reply] = (await once(get(`${address}/api/live`, { headers: { cookie } }), 'response')) as [IncomingMessage]
  onTestFinished(() => void reply.destroy())
  let heard = ''
  reply.setEncoding('utf8').on('data', (text: string) => (heard += text))
  await eventually(() => expect(heard).toContain('heartbeat'))
  await server.services.database.transaction((tx) => announce(tx, 'tokens'))
  await eventually(() => expect(heard).toContain('"tokens"'))
})

describeEach('every job runs, twice', async (server) => {
  const { signal } = new AbortController()
  for (const job of [...jobs, ...jobs])
    await job.run(contextFor(server.services, { kind: 'system', name: job.actor ?? job.name }), signal)
})

describeEach('the audit log is verified', async (server) => {
  expect(await verifyAndReport(server.system)).toMatchObject({ fault: null })
})

/** The same claim behind each pooler that is here. */
function describeEach(claim: string, check: (server: TestServer) => Promise<void>): void {
  for (const pooler of poolers) test(`${claim} (${pooler})`, async () => check(servers.get(pooler)!))
}
