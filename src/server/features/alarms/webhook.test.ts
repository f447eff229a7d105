import pg from 'pg'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { countSecurityEvent } from '#server/core/counted-events.ts'
import { inTransaction } from '#server/core/context.ts'
import { connectPool, readConnectionOptions } from '#server/db/client.ts'
import { readRecords, startAlarmServer } from '#test/support/alarm-outputs.ts'

const alarms = await startAlarmServer()
const { server, collector, raise, write, seal, send, makeDue, readState, received, actions } = alarms
const { system, services } = server
afterAll(() => collector.close())

/** Everything before is sent, and the collector takes what comes. */
beforeEach(async () => {
  collector.answer = collector.accept
  await seal()
  await send()
  await makeDue()
  await send()
  collector.calls.length = 0
})

test('an output begins with what comes after it was set (product 6.10)', async () => {
  await server.sql(`DELETE FROM alarm_outputs`)
  await raise('before')
  await send()
  await raise('after')
  await send()
  expect(actions()).toEqual(['after'])
})

test('events and audit rows are posted in order, signed, with ids and without details (product 6.10)', async () => {
  await raise('first', 'critical', 'Sign-in\u0007 as \u202Eada\u2028 is locked')
  await raise('second', 'low')
  await write('m-1', 'm-2')
  await seal()
  await send()
  expect(collector.calls).toHaveLength(1)
  const [call] = collector.calls
  expect(collector.isSigned(call!)).toBe(true)
  expect(call!.body).not.toContain('example.com')
  const [row] = await server.sql<{ seq: string; id: string }>(
    `SELECT c.seq::text, a.id::text FROM audit_log a JOIN audit_chain c ON c.audit_id = a.id WHERE a.target_id = 'm-1'`,
  )
  const [event] = await server.sql<{ seq: string; id: string }>(
    `SELECT seq::text, id::text FROM security_events WHERE event_type = 'first'`,
  )
  expect(JSON.parse(call!.body)).toMatchObject({ type: 'alarms', timestamp: readRecords(call!).at(-1)!.time })
  expect(received()).toMatchObject([
    { action: 'first' },
    { action: 'second' },
    { action: 'ban_user' },
    { seq: String(Number(row!.seq) + 1) },
  ])
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(received()[0]).toEqual({
    id: `event-${event!.id}.${event!.seq}`,
    kind: 'security_event',
    console: services.config.publicUrl.host,
    seq: event!.seq,
    time,
    severity: 'critical',
    action: 'first',
    outcome: null,
    text: 'Sign-in? as ?ada? is locked',
    actor: null,
    target: null,
    address: null,
    requestId: null,
  })
  expect(received()[2]).toEqual({
    id: `audit-${row!.id}`,
    kind: 'audit',
    console: services.config.publicUrl.host,
    seq: row!.seq,
    time,
    severity: 'info',
    action: 'ban_user',
    outcome: 'success',
    text: null,
    actor: { kind: 'system', id: null, name: 'tests' },
    target: { type: 'user', id: 'm-1' },
    address: null,
    requestId: null,
  })
})

test('after an outage everything arrives once and in order, in batches of 100 (product 6.10)', async () => {
  collector.answer = (response) => void response.writeHead(503).end()
  await raise('before')
  await send()
  // However slow this machine is, the next try is not due before the test says so.
  await server.sql(`UPDATE alarm_outputs SET next_try_at = now() + interval '1 hour'`)
  const wanted = Array.from({ length: 250 }, (_, n) => `m-${n}`)
  for (let at = 0; at < wanted.length; at += 50) {
    await write(...wanted.slice(at, at + 50))
    await seal()
    await send()
  }
  await raise('during')
  expect(collector.calls).toHaveLength(1)
  expect(await readState()).toMatchObject({ failures: 1, problem: 'HTTP 503', last_sent_at: expect.anything() })
  await makeDue()
  await send()
  expect(await readState()).toMatchObject({ failures: 2 })
  collector.calls.length = 0
  collector.answer = collector.accept
  await makeDue()
  await send()
  expect(actions()).toEqual(['before', 'during', ...wanted])
  expect(collector.calls.map((call) => readRecords(call).length)).toEqual([100, 100, 52])
  expect(await readState()).toMatchObject({ failures: 0, failing_since: null, next_try_at: null, problem: null })
})

test('an outage pauses longer and longer, and as long as the collector asks', async () => {
  collector.answer = (response) => void response.writeHead(500).end()
  await raise('paused')
  const pauses: number[] = []
  for (let n = 0; n < 9; n++) {
    if (n === 8) collector.answer = (response) => void response.writeHead(429, { 'retry-after': '700' }).end()
    await send()
    const [row] = await server.sql<{ pause: number }>(
      'SELECT extract(epoch FROM next_try_at - now())::float8 AS pause FROM alarm_outputs',
    )
    pauses.push(Math.round(row!.pause))
    await makeDue()
  }
  expect(pauses[0]).toBeLessThan(4)
  expect(pauses[7]).toBeGreaterThan(200)
  expect(pauses[8]).toBeGreaterThan(600)
})

test('a stop between the post and its answer sends the same message again', async () => {
  await write('m-stop')
  await seal()
  const stop = new AbortController()
  collector.answer = () => stop.abort()
  await send(system, 'webhook', stop.signal)
  collector.answer = collector.accept
  await send()
  const [first, second] = collector.calls
  expect(collector.calls).toHaveLength(2)
  expect([second!.body, second!.headers['webhook-id']]).toEqual([first!.body, first!.headers['webhook-id']])
})

test('an event of a transaction that commits late is sent after it', async () => {
  const slow = new pg.Client(server.connection)
  onTestFinished(() => slow.end())
  await slow.connect()
  await slow.query(
    `BEGIN; INSERT INTO security_events (severity, event_type, description) VALUES ('high', 'late', 'x')`,
  )
  await raise('early')
  await send()
  expect(actions()).toEqual(['early'])
  await slow.query('COMMIT')
  await send()
  expect(actions()).toEqual(['early', 'late'])
})

test('an event that is counted further is sent again, as a record of its own', async () => {
  const count = () =>
    inTransaction(system, (tx) =>
      countSecurityEvent<{ count: number }>(tx, system, {
        type: 'counted',
        severity: 'high',
        by: { who: 'x' },
        describe: (present) => ({
          description: `${(present?.count ?? 0) + 1} times`,
          details: { count: (present?.count ?? 0) + 1 },
        }),
      }),
    )
  await count()
  await send()
  await count()
  await count()
  await send()
  expect(received().map(({ text }) => text)).toEqual(['1 times', '3 times'])
  expect(new Set(received().map(({ id }) => id)).size).toBe(2)
})

test('two servers that send at once send each record once', async () => {
  const other = connectPool(readConnectionOptions(services.database.pool), () => {})
  onTestFinished(() => other.close())
  const wanted = Array.from({ length: 220 }, (_, n) => `two-${n}`)
  await write(...wanted)
  await seal()
  await Promise.all([send(), send({ ...system, database: other }), send(), send({ ...system, database: other })])
  await send()
  expect(actions()).toEqual(wanted)
})

test('a private address is refused where webhooks may not go there', async () => {
  await raise('private')
  await send({ ...system, config: { ...services.config, webhookAllowPrivate: false } })
  expect(collector.calls).toEqual([])
  expect((await readState())!['problem']).toMatch(/^Address refused: 127\.0\.0\.1 is not public/)
})

test('events below the least severity are left out, and delay none', async () => {
  const config = { ...services.config, alarms: { ...services.config.alarms, minSeverity: 'high' as const } }
  for (let n = 0; n < 120; n++) await raise(`low-${n}`, n % 2 ? 'low' : 'medium')
  await raise('high')
  await send({ ...system, config })
  expect(actions()).toEqual(['high'])
})
