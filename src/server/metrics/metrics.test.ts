import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { raiseSecurityEvent } from '#server/core/audit.ts'
import { inTransaction } from '#server/core/context.ts'
import { sealAudit } from '#server/features/audit-chain/service.ts'
import { startJobs } from '#server/jobs/run.ts'
import { buildEvents, neverStop, startEventDelivery } from '#test/support/event-delivery.ts'
import { connectPool } from '#server/db/client.ts'
import { makeFolder } from '#test/support/backups.ts'
import { runJob as runNamedJob } from '#test/support/jobs.ts'
import { makeMember } from '#test/support/make.ts'
import { createMetrics } from './metrics.ts'
import { startMetricsServer } from './metrics-server.ts'

const { server, services, system, answer, enqueue, runJob, makeAllDue } = await startEventDelivery()
const { port, close } = await startMetricsServer(services, { port: 0, host: '127.0.0.1' })
afterAll(close)

/** All lines, by name and labels. */
async function scrape(): Promise<Map<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}
const read = async (line: string) => (await scrape()).get(`back_office_${line}`)

test('requests are counted by route and status, with their duration (product 13.6)', async () => {
  const member = await makeMember(server)
  const ada = server.as('ada')
  await ada('GET', `/api/users/${member.id}`)
  await ada('GET', `/api/users/${member.id}`)
  await ada('GET', '/api/users/nobody-has-this-id')
  const of = 'method="GET",route="/api/users/:id"'
  expect(await read(`http_requests_total{${of},status="200"}`)).toBe(2)
  expect(await read(`http_requests_total{${of},status="404"}`)).toBe(1)
  expect(await read(`http_request_duration_seconds_count{${of}}`)).toBe(3)
  expect(await read(`http_request_duration_seconds_bucket{le="10",${of}}`)).toBe(3)
})

test('no label holds an id, a text or an address that a caller chose', async () => {
  const ada = server.as('ada')
  const secret = 'c0ffee-of-nobody'
  for (const url of [`/api/users/${secret}`, `/api/users?search=${secret}`, `/${secret}`, `/api/${secret}/x`])
    for (const method of ['GET', 'POST', 'PATCH'] as const) await ada(method, url, {})
  await enqueue(...buildEvents(secret, 'member.banned'))
  await runJob()
  const lines = [...(await scrape()).keys()]
  expect(lines.length).toBeGreaterThan(50)
  expect(lines.filter((line) => line.includes(secret))).toEqual([])
  const routes = new Set(lines.map((line) => /route="([^"]*)"/.exec(line)?.[1]).filter((route) => route !== undefined))
  const known = (route: string) =>
    server.app.hasRoute({ method: 'GET', url: route }) || server.app.hasRoute({ method: 'POST', url: route })
  expect([...routes].filter((route) => route !== 'none' && !known(route))).toEqual([])
})

test('messages that wait, failed and were tried move their figures', async () => {
  const before = await scrape()
  const delivered = 'back_office_message_tries_total{channel="platform",outcome="delivered"}'
  const failed = 'back_office_message_tries_total{channel="platform",outcome="failed"}'
  await enqueue(...buildEvents('m-1', 'member.banned'), ...buildEvents('m-2', 'member.banned'))
  await server.sql(`UPDATE messages SET created_at = now() - interval '1 hour' WHERE entity_id = 'm-1'`)
  expect(await read('messages{channel="platform",state="open"}')).toBe(2)
  expect(await read('messages{channel="kyc",state="open"}')).toBe(0)
  expect(await read('message_oldest_open_seconds{channel="platform"}')).toBeCloseTo(3600, -2)
  answer(500)
  await runJob()
  await server.sql(`UPDATE messages SET tries = 9, retries = 8 WHERE entity_id = 'm-1'`)
  await makeAllDue()
  await runJob()
  answer(200)
  await makeAllDue()
  await runJob()
  const after = await scrape()
  const [tries] = await server.sql<{ failed: number; delivered: number }>(
    'SELECT count(*) FILTER (WHERE NOT success)::int AS failed, count(*) FILTER (WHERE success)::int AS delivered FROM message_attempts',
  )
  expect(tries).toEqual({ failed: 3, delivered: 1 })
  expect((after.get(failed) ?? 0) - (before.get(failed) ?? 0)).toBe(3)
  expect((after.get(delivered) ?? 0) - (before.get(delivered) ?? 0)).toBe(1)
  expect(after.get('back_office_messages{channel="platform",state="open"}')).toBe(0)
  expect(after.get('back_office_messages{channel="platform",state="failed"}')).toBe(1)
  expect(after.get('back_office_message_oldest_open_seconds{channel="platform"}')).toBe(0)
})

test('critical events and unsealed audit rows are counted until they are dealt with', async () => {
  await sealAudit(system, neverStop)
  expect(await read('audit_unsealed_entries')).toBe(0)
  await makeMember(server)
  await server.as('ada')('POST', '/api/auth/logout')
  await inTransaction(system, (tx) =>
    raiseSecurityEvent(tx, system, {
      severity: 'critical',
      type: 'audit_altered',
      description: 'An entry was altered',
    }),
  )
  expect(await read('security_events_critical_unresolved')).toBe(1)
  expect(await read('audit_unsealed_entries')).toBeGreaterThan(0)
  await server.sql('UPDATE security_events SET resolved_at = now()')
  expect(await read('security_events_critical_unresolved')).toBe(0)
})

test('a writing transaction that stays open shows for how long it was the oldest', async () => {
  const writer = new pg.Client(server.connection)
  await writer.connect()
  await writer.query('BEGIN')
  const { rows } = await writer.query<{ xid: string }>('SELECT pg_current_xact_id()::text AS xid')
  const { xid } = rows[0]!
  // Other tests write to the same database server.
  await expect
    .poll(() => server.sql('SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xid'), { timeout: 30_000 })
    .toEqual([{ xid }])
  await runNamedJob(services, 'mark-changes')
  await server.sql(`UPDATE change_marks SET at = at - interval '1 hour' WHERE open_from = $1::xid8`, [xid])
  expect(await read('oldest_write_transaction_seconds')).toBeCloseTo(3600, -2)
  await writer.end()
  await expect.poll(() => read('oldest_write_transaction_seconds')).toBe(0)
})

test('back-ups by the clock show when the last one was and whether they fail', async () => {
  expect(await read('backup_overdue'), 'where none are made').toBeUndefined()
  services.config.backups.place = { folder: await makeFolder() }
  await runNamedJob(services, 'make-backup')
  expect(await read('backup_last_timestamp_seconds')).toBeGreaterThan(Date.now() / 1000 - 60)
  expect([await read('backup_failing'), await read('backup_overdue')]).toEqual([0, 0])
  await server.sql(
    `UPDATE settings SET value = value || '{"failedAt": "2026-01-01T00:00:00Z"}' WHERE name = 'scheduled_backup'`,
  )
  await server.sql(
    `UPDATE settings SET value = value || jsonb_build_object('finishedAt', now() - interval '3 days') WHERE name = 'scheduled_backup'`,
  )
  expect([await read('backup_failing'), await read('backup_overdue')]).toEqual([1, 1])
  services.config.backups.place = undefined
})

test('runs of jobs are counted, with the failed ones and the last that succeeded', async () => {
  const begun = Date.now() / 1000
  await server.sql('ALTER TABLE bulk_jobs RENAME TO hidden_jobs')
  const stop = startJobs(services)
  await expect.poll(() => read('job_runs_total{job="seal-audit",outcome="ok"}')).toBeGreaterThan(0)
  await expect.poll(() => read('job_runs_total{job="run-bulk",outcome="failed"}')).toBeGreaterThan(0)
  await stop()
  await server.sql('ALTER TABLE hidden_jobs RENAME TO bulk_jobs')
  expect(await read('job_last_success_timestamp_seconds{job="run-bulk"}')).toBeUndefined()
  expect(await read('job_last_success_timestamp_seconds{job="seal-audit"}')).toBeGreaterThan(begun)
  expect(await read('job_duration_seconds_count{job="seal-audit"}')).toBeGreaterThan(0)
  expect(await read('job_runs_total{job="seal-audit",outcome="failed"}')).toBeUndefined()
})

test('connections of the pool are busy while calls hold them', async () => {
  const clients = await Promise.all(Array.from({ length: 6 }, () => services.database.pool.connect()))
  expect(await read('database_pool_connections{state="busy"}')).toBe(6)
  for (const client of clients) client.release()
  await expect.poll(() => read('database_pool_connections{state="busy"}')).toBe(0)
  expect(await read('database_up')).toBe(1)
})

test('without its database a console still tells of itself, and nothing that is old', async () => {
  const away = connectPool({ host: '127.0.0.1', port: 1 }, () => {})
  const metrics = await startMetricsServer(
    { ...services, database: away, metrics: createMetrics() },
    { port: 0, host: '127.0.0.1' },
  )
  const text = await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text()
  expect(text).toContain('\nback_office_database_up 0\n')
  expect(text).toContain('\nprocess_resident_memory_bytes ')
  const ofServer = /_(database_up|database_pool_\w+|live_streams) |_(database_pool_connections)\{/
  expect(text.split('\n').filter((line) => line.startsWith('back_office_') && !ofServer.test(line))).toEqual([])
  await metrics.close()
  await away.close()
})

test('only GET /metrics is answered', async () => {
  const status = async (path: string, method = 'GET') =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { method })).status
  expect(await status('/metrics')).toBe(200)
  expect(await status('/metrics', 'POST')).toBe(405)
  expect(await status('/api/users')).toBe(404)
  // At the console's own port that is a page like any other.
  expect((await server.as('ada')('GET', '/metrics')).body).not.toContain('back_office_')
})
