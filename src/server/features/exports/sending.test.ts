import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test, vi } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { buildApp } from '#server/app.ts'
import { createSession, startServer } from '#test/support/server.ts'
import { openSnapshot } from './snapshot.ts'

const server = await startServer()
const address = await server.app.listen({ port: 0, host: '127.0.0.1' })
const path = '/api/exports/security-events'
const count = 20_000
const ready = () => server.as('ada')('GET', '/api/exports')

// Far more than the connection's buffers hold, so that a client that does not read holds the export up.
await server.sql(`INSERT INTO security_events (severity, event_type, description, created_at)
  SELECT 'low', 'other', n || repeat('.', 1000), timestamptz '2026-01-01' + n * interval '1 second'
  FROM generate_series(1, ${count}) n`)
const signedIn = await server.as('ada')('GET', '/api/auth/user')
expect(signedIn.statusCode).toBe(200)
const headers = { cookie: await createSession(server, 'ada') }

const opened: IncomingMessage[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const reply of opened.splice(0)) reply.destroy()
  await eventually(async () => expect((await ready()).statusCode).toBe(204))
})

/** An export whose client has not read anything yet. */
async function open(at = address, query = '') {
  const [reply] = (await once(get(`${at}${path}${query}`, { headers }), 'response')) as [IncomingMessage]
  reply.on('error', () => {})
  opened.push(reply)
  return reply
}
const snapshots = async () =>
  (
    await server.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND (state LIKE 'idle in transaction%' OR query LIKE 'FETCH%' AND state = 'active')`,
    )
  )[0]!.count
const audited = async () =>
  (
    await server.sql<{ details: { rows: number; isComplete?: false } }>(
      `SELECT audit_details(id, details) AS details FROM audit_log WHERE action = 'export_list' ORDER BY id DESC LIMIT 2`,
    )
  ).map(({ details }) => details)

/** The last export is recorded as cut off, with the rows that may have gone out; the one row before it says how many were asked for. */
const expectCutOff = () =>
  eventually(async () => {
    const [end, start] = await audited()
    expect(start).toEqual({ list: 'securityEvents', filters: {}, rows: count })
    expect(end).toMatchObject({ list: 'securityEvents', isComplete: false })
    expect(end!.rows).toBeGreaterThan(0)
    expect(end!.rows).toBeLessThan(count)
    expect(await snapshots()).toBe(0)
  })

test('a file holds the rows of one instant, whatever changes while it is sent (product 4.5)', async () => {
  const reply = await open()
  expect(reply.statusCode).toBe(200)
  await server.sql(`UPDATE security_events SET severity = 'high', description = 'late'`)
  const lines = (await text(reply)).trimEnd().split('\r\n')
  expect(reply.complete).toBe(true)
  expect(lines).toHaveLength(count + 1)
  expect(lines.slice(1).every((line, index) => line.startsWith(`Low,other,${count - index}.`))).toBe(true)
  await eventually(async () => expect(await snapshots()).toBe(0))
  expect((await audited())[0]).toEqual({ list: 'securityEvents', filters: {}, rows: count })
  await server.sql(`UPDATE security_events SET severity = 'low', description = id || repeat('.', 1000)`)
})

test('a client that leaves ends its export and frees its connection (product 6.9)', async () => {
  const reply = await open()
  await once(reply, 'readable')
  expect(await snapshots()).toBe(1)
  // What left this server is on record before it leaves.
  expect((await audited())[0]).toEqual({ list: 'securityEvents', filters: {}, rows: count })
  reply.destroy()
  await expectCutOff()
})

test('a client that leaves during the count leaves nothing running', async () => {
  const other = await server.services.database.pool.connect()
  try {
    await other.query('BEGIN; LOCK TABLE security_events')
    const asked = get(`${address}${path}`, { headers }).on('error', () => {})
    const waiting = () =>
      server.sql(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
    await eventually(async () => expect(await waiting()).toHaveLength(1))
    asked.destroy()
    await eventually(async () => expect(await waiting()).toHaveLength(0))
  } finally {
    await other.query('ROLLBACK')
    other.release()
  }
})

test('a snapshot that is read for too long ends, as with a lost connection', async () => {
  const stop = new AbortController()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { client, closed } = await openSnapshot(server.services.database.pool, stop)
  vi.advanceTimersByTime(15 * 60_000 - 1)
  expect(stop.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  vi.useRealTimers()
  await closed
  expect(stop.signal.reason).toMatchObject({ message: 'the snapshot of an export has become too old' })
  await expect(client.query('SELECT 1')).rejects.toThrow()
  await eventually(async () => expect(await snapshots()).toBe(0))
})

test('a file that is under way when its session ends breaks off, and is recorded (product 2.2)', async () => {
  const reply = await open()
  await once(reply, 'readable')
  await server.sql(`UPDATE sessions SET last_active_at = now() - interval '31 minutes'`)
  try {
    await expect(text(reply)).rejects.toThrow('aborted')
    await expectCutOff()
  } finally {
    await server.sql('UPDATE sessions SET last_active_at = now()')
  }
})

test('a third simultaneous export is 429 with Retry-After (product 8.5)', async () => {
  const [first] = await Promise.all([open(), open()])
  for (const refused of [await ready(), await server.as('ada')('GET', path)]) {
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('10')
    expect(refused.json()).toMatchObject({ code: 'too_many_requests', message: expect.stringMatching(/under way/) })
  }
  // Everything else goes on.
  expect((await server.as('ada')('GET', '/api/security/events')).statusCode).toBe(200)
  first.destroy()
  await eventually(async () => expect((await ready()).statusCode).toBe(204))
  expect((await open(address, '?severity=critical')).statusCode).toBe(200)
})

test('a file that the database breaks off never looks whole (product 8.5)', async () => {
  const reply = await open()
  await once(reply, 'readable')
  // While the client rests, the snapshot does nothing.
  await eventually(async () => {
    const ended = await server.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND state LIKE 'idle in transaction%'`)
    expect(ended).toHaveLength(1)
  })
  await expect(text(reply)).rejects.toThrow('aborted')
  expect(reply.complete).toBe(false)
  await expectCutOff()
})

test('a failure before the first byte is a JSON error and leaves no trace (product 8.5)', async () => {
  const before = await audited()
  await server.sql('ALTER TABLE security_events RENAME COLUMN description TO gone')
  try {
    for (let time = 0; time < 3; time++) {
      const reply = await server.as('ada')('GET', path)
      expect(reply.statusCode).toBe(500)
      expect(reply.json().code).toBe('internal')
    }
  } finally {
    await server.sql('ALTER TABLE security_events RENAME COLUMN gone TO description')
  }
  expect(await audited()).toEqual(before)
  await eventually(async () => expect(await snapshots()).toBe(0))
})

test('a HEAD reads nothing, takes no place and leaves no trace', async () => {
  const before = await audited()
  const reply = await fetch(`${address}${path}`, { method: 'HEAD', headers })
  expect([reply.status, await reply.text()]).toEqual([200, ''])
  expect(await audited()).toEqual(before)
})

test('a stopping console breaks off its exports and records them', async () => {
  const app = await buildApp(server.services)
  const reply = await open(await app.listen({ port: 0, host: '127.0.0.1' }))
  await once(reply, 'readable')
  await app.close()
  expect((await audited())[0]).toMatchObject({ isComplete: false })
  await expect(text(reply)).rejects.toThrow('aborted')
})
