import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { platformEndpoint } from '#server/adapters/platform-endpoint.ts'
import { type PlatformEvent, tellPlatformAll } from '#server/audit.ts'
import { inTransaction } from '#server/context.ts'
import { connect } from '#server/db/client.ts'
import { standardPauses } from '#server/features/events/schedule.ts'
import { eventEndpoint, resendEvents, resumeEvents } from '#server/features/events/service.ts'
import { type ProviderCall, startFakeProvider } from '#test/fakes/kyc-provider.ts'
import { startServer } from '#test/server.ts'
import { sendEvents } from './send-events.ts'

const endpoint = await startFakeProvider()
const secondSecret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
const server = await startServer({
  PLATFORM_WEBHOOK_URL: endpoint.url,
  PLATFORM_WEBHOOK_SECRET: `${endpoint.secret}, ${secondSecret}`,
  WEBHOOK_ALLOW_PRIVATE: 'on',
})
const { services, system } = server
const sql: typeof server.sql = (text, values) => server.sql(text, values)
const timeoutMs = 700
services.platformEndpoint = platformEndpoint(services.config, { timeoutMs })
const never = new AbortController().signal
const runJob = () => sendEvents(services, never)

const events = (memberId: string, ...types: PlatformEvent['type'][]): PlatformEvent[] =>
  types.map((type) => ({
    type,
    entity: { type: 'member', id: memberId },
    payload: { memberId, membershipId: null, ...(type === 'member.banned' && { reason: 'Fraud' }) },
  }))
const tell = (...told: PlatformEvent[]) => inTransaction(system, (tx) => tellPlatformAll(tx, told))
const tellTwo = (memberId: string) => tell(...events(memberId, 'member.banned', 'member.unbanned'))

const rowsOf = (memberId: string) =>
  sql(
    `SELECT *, extract(epoch FROM next_try_at - clock_timestamp())::float8 AS pause FROM outbox WHERE entity_id = $1 ORDER BY id`,
    [memberId],
  )
const triesOf = (memberId: string) =>
  sql(
    `SELECT a.try_number, a.success, a.error_message, a.http_status, a.response_excerpt, a.started_by
     FROM event_attempts a JOIN outbox o ON o.id = a.outbox_id WHERE entity_id = $1 ORDER BY a.id`,
    [memberId],
  )
const makeDue = () => sql(`UPDATE outbox SET next_try_at = now() - interval '1 second' WHERE state = 'waiting'`)
const bodyOf = ({ body }: ProviderCall) => JSON.parse(body) as { type: string; data: { memberId: string } }
const sentTypes = () => endpoint.calls.map((call) => bodyOf(call).type)
const sentIds = () => endpoint.calls.map(({ headers }) => String(headers['webhook-id']))
const answer = (status: number, headers: Record<string, string> = {}, body = '') => {
  endpoint.answer = (response) => void response.writeHead(status, headers).end(body)
}
const securityEvents = () => sql('SELECT severity, event_type, description FROM security_events ORDER BY id')

afterAll(() => endpoint.close())
beforeEach(async () => {
  await sql('TRUNCATE outbox, security_events, list_deltas, list_totals, list_days CASCADE')
  await sql(`DELETE FROM settings WHERE name LIKE 'platform%'`)
  endpoint.answer = endpoint.accept
  endpoint.calls.length = 0
})

test('PRODUCT 4: events go out signed, once, in the order of the changes of their entity', async () => {
  await tellTwo('m-1')
  await runJob()
  await runJob()
  expect(sentTypes()).toEqual(['member.banned', 'member.unbanned'])
  const [banned, unbanned] = await rowsOf('m-1')
  expect(JSON.parse(endpoint.calls[0]!.body)).toEqual({
    type: 'member.banned',
    timestamp: banned!.created_at.toISOString(),
    data: { memberId: 'm-1', membershipId: null, reason: 'Fraud' },
  })
  expect(endpoint.calls[0]!.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'back-office' })
  expect(sentIds()).toEqual([banned!.event_id, unbanned!.event_id])
  const gone = { state: 'delivered', tries: 1, next_try_at: null, lease_until: null, delivered_at: expect.any(Date) }
  expect([banned, unbanned]).toMatchObject([gone, gone])
  const tried = { try_number: 1, success: true, error_message: null, http_status: 202, started_by: 'queue' }
  expect(await triesOf('m-1')).toMatchObject([tried, tried])
})

test('PRODUCT 4: npm standardwebhooks accepts what we sign with either of two secrets, and refuses what was tampered with', async () => {
  await tell(...events('m-1', 'member.banned'))
  await runJob()
  const { headers, body } = endpoint.calls[0]!
  const given = headers as Record<string, string>
  for (const secret of [endpoint.secret, secondSecret]) {
    const webhook = new Webhook(secret)
    expect(webhook.verify(body, given)).toMatchObject({ type: 'member.banned' })
    expect(() => webhook.verify(body.replace('Fraud', 'Error'), given)).toThrow('No matching signature')
    expect(() => webhook.verify(body, { ...given, 'webhook-id': 'other' })).toThrow('No matching signature')
    const stale = { ...given, 'webhook-timestamp': String(Number(given['webhook-timestamp']) - 301) }
    expect(() => webhook.verify(body, stale)).toThrow('too old')
  }
  const foreign = new Webhook(`whsec_${Buffer.alloc(24, 1).toString('base64')}`)
  expect(() => foreign.verify(body, given)).toThrow('No matching signature')
})

test('PRODUCT 4: while an event waits for its next try, later ones of its entity wait, and those of others go', async () => {
  await tellTwo('m-1')
  await tellTwo('m-2')
  endpoint.answer = (response, call) => {
    if (bodyOf(call).data.memberId === 'm-1') response.writeHead(500).end()
    else endpoint.accept(response)
  }
  await runJob()
  await runJob()
  const [first, second] = await rowsOf('m-1')
  expect([first, second]).toMatchObject([
    { state: 'waiting', tries: 1 },
    { state: 'waiting', tries: 0 },
  ])
  expect(second!.next_try_at, 'it is not looked at before').toEqual(first!.next_try_at)
  expect(await rowsOf('m-2')).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }])
  endpoint.answer = endpoint.accept
  endpoint.calls.length = 0
  await sql(`UPDATE outbox SET next_try_at = now() WHERE id = $1`, [first!.id])
  await runJob()
  expect(sentTypes()).toEqual(['member.banned', 'member.unbanned'])
  expect(await triesOf('m-1')).toMatchObject([
    { try_number: 1, success: false, error_message: 'HTTP 500' },
    { try_number: 2, success: true },
    { try_number: 1, success: true },
  ])
})

test('PRODUCT 4: ten tries under one id with growing pauses, then it is a dead letter that is told, and the next event goes out', async () => {
  await tellTwo('m-1')
  endpoint.answer = (response, call) =>
    void response.writeHead(bodyOf(call).type === 'member.banned' ? 500 : 200).end('{"reason":"no such member"}')
  const pauses: number[] = []
  for (let turn = 1; turn <= 11; turn++) {
    await runJob()
    const [{ state, pause } = {}] = await rowsOf('m-1')
    if (state === 'waiting') pauses.push(Number(pause))
    await runJob() // not due yet, so this does nothing
    await makeDue()
  }
  expect(pauses).toHaveLength(9)
  for (const [at, pause] of [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].entries()) {
    expect(pauses[at]! / pause).toBeGreaterThan(0.89 - 1 / pause)
    expect(pauses[at]! / pause).toBeLessThan(1.11)
  }
  expect(sentTypes()).toEqual([...Array<string>(10).fill('member.banned'), 'member.unbanned'])
  expect(new Set(sentIds()).size).toBe(2)
  expect(new Set(endpoint.calls.slice(0, 10).map(({ body }) => body)).size).toBe(1)
  expect(await rowsOf('m-1')).toMatchObject([
    { state: 'failed', tries: 10, next_try_at: null, lease_until: null, delivered_at: null },
    { state: 'delivered', tries: 1 },
  ])
  expect(await securityEvents()).toEqual([
    {
      severity: 'medium',
      event_type: 'event_dead_letter',
      description:
        'The platform did not take member.banned of member m-1 in 10 tries; the last: HTTP 500: no such member',
    },
  ])
})

test('PRODUCT 3.19: dead letters, however many, are one security event a minute that counts them, until it is resolved', async () => {
  const failAll = async (...members: string[]) => {
    await tell(...members.flatMap((id) => events(id, 'member.banned')))
    await sql(`UPDATE outbox SET tries = 9 WHERE state = 'waiting'`)
    await runJob()
  }
  const counts = async () =>
    (await sql<{ count: number }>(`SELECT (details->>'count')::int AS count FROM security_events ORDER BY id`)).map(
      ({ count }) => count,
    )
  answer(500)
  await failAll(...Array.from({ length: 40 }, (_, n) => `m-${n}`))
  expect(await counts()).toEqual([40])
  expect((await securityEvents())[0]!.description).toMatch(
    /^The platform did not take 40 events in 10 tries each; the last of them: member\.banned of member m-\d+: HTTP 500$/,
  )
  await failAll('m-50')
  expect(await counts()).toEqual([41])
  await sql(`UPDATE security_events SET resolved_at = now(), resolved_by = 'ada'`)
  await failAll('m-51')
  await sql(`UPDATE security_events SET created_at = now() - interval '61 seconds'`)
  await failAll('m-52')
  expect(await counts()).toEqual([41, 1, 1])
  const [figures] = await sql(`SELECT sum(rows)::int AS rows FROM list_deltas WHERE list = 'security_events'`)
  expect(figures).toEqual({ rows: 3 })
})

test('PRODUCT 4: a dead letter that is sent again has all its tries again, under the id it had', async () => {
  await tellTwo('m-1')
  await sql(`UPDATE outbox SET state = 'failed', tries = 10, next_try_at = NULL WHERE type = 'member.banned'`)
  await sql(`UPDATE outbox SET state = 'delivered', tries = 1, next_try_at = NULL WHERE type = 'member.unbanned'`)
  const before = await rowsOf('m-1')
  const ids = before.map((row) => row.id as string)
  expect(await inTransaction(system, (tx) => resendEvents(tx, system, [...ids, '999999']))).toBe(2)
  answer(500)
  await runJob()
  expect(await rowsOf('m-1')).toMatchObject([
    { state: 'waiting', tries: 1 },
    { state: 'waiting', tries: 0 },
  ])
  answer(200)
  await makeDue()
  await runJob()
  expect(sentTypes()).toEqual(['member.banned', 'member.banned', 'member.unbanned'])
  expect([...new Set(sentIds())]).toEqual(before.map((row) => row.event_id))
})

test('PRODUCT 4: Retry-After prolongs the pause, in seconds or as a date, up to 24 hours; nonsense does not', async () => {
  let members = 0
  const pauseAfter = async (status: number, retryAfter: string) => {
    const id = `m-${++members}`
    await tell(...events(id, 'member.unbanned'))
    answer(status, { 'retry-after': retryAfter })
    await runJob()
    return Number((await rowsOf(id))[0]!.pause)
  }
  expect(Math.round(await pauseAfter(429, '900'))).toBe(900)
  expect(Math.round(await pauseAfter(503, '99999999'))).toBe(86_400)
  expect(await pauseAfter(503, new Date(Date.now() + 600_000).toUTCString())).toBeGreaterThan(590)
  for (const odd of ['-5', '1', 'soon', '1e9']) expect(await pauseAfter(503, odd)).toBeLessThanOrEqual(5.5)
})

test('PRODUCT 4: 410 pauses the endpoint until it is resumed; nothing is lost, and what got 410 goes first', async () => {
  await tell(...events('m-1', 'member.banned'))
  answer(410)
  await runJob()
  await tell(...events('m-2', 'member.banned'), ...events('m-1', 'member.unbanned'))
  await runJob()
  expect(endpoint.calls).toHaveLength(1)
  expect((await rowsOf('m-1'))[0]).toMatchObject({ state: 'waiting', tries: 0, lease_until: null })
  expect(await securityEvents()).toMatchObject([{ severity: 'critical', event_type: 'event_endpoint_gone' }])
  expect(await eventEndpoint(system)).toEqual({
    host: new URL(endpoint.url).host,
    pausedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    waiting: 3,
    oldestWaitingAt: (await rowsOf('m-1'))[0]!.created_at.toISOString(),
    failed: 0,
  })
  answer(200)
  await resumeEvents(system)
  await expect(resumeEvents(system)).rejects.toThrow('not paused')
  const [entry] = await sql(`SELECT actor_name, details FROM audit_log WHERE action = 'resume_events'`)
  expect(entry).toEqual({ actor_name: 'tests', details: { pausedAt: expect.any(String) } })
  await runJob()
  expect(endpoint.calls.slice(1).map((call) => [bodyOf(call).data.memberId, bodyOf(call).type])).toEqual([
    ['m-1', 'member.banned'],
    ['m-2', 'member.banned'],
    ['m-1', 'member.unbanned'],
  ])
  expect(await eventEndpoint(system)).toMatchObject({ pausedAt: null, waiting: 0, oldestWaitingAt: null })
})

test('PRODUCT 4: redirecting, endless, slow and broken answers are failures that end in time, and nothing is lost', async () => {
  const target = await startFakeProvider()
  const chunk = Buffer.from('no '.repeat(20_000))
  const answers: [typeof endpoint.answer, string | null][] = [
    [(response) => void response.writeHead(307, { location: target.url }).end(), 'Refused redirect 307'],
    [() => {}, `Timed out after ${timeoutMs / 1000} s`],
    [(response) => void response.writeHead(200).write('x'), `Timed out after ${timeoutMs / 1000} s`],
    [(response) => void response.socket?.destroy(), 'The connection was reset'],
  ]
  for (const [at, [odd, message]] of answers.entries()) {
    endpoint.answer = odd
    await tell(...events(`m-${at}`, 'member.banned'))
    await runJob()
    expect(await triesOf(`m-${at}`)).toMatchObject([{ success: false, error_message: message }])
    expect(await rowsOf(`m-${at}`)).toMatchObject([{ state: 'waiting', tries: 1 }])
  }
  expect(target.calls).toEqual([])
  await target.close()
  let sent = 0
  endpoint.answer = (response) => {
    response.writeHead(500)
    const fill = () => {
      while (!response.destroyed && sent < 1e9) {
        sent += chunk.length
        if (!response.write(chunk)) return void response.once('drain', fill)
      }
    }
    fill()
  }
  await tell(...events('m-9', 'member.banned'))
  await runJob()
  const [tried] = await triesOf('m-9')
  expect(tried).toMatchObject({ success: false, error_message: 'HTTP 500' })
  expect(tried!.response_excerpt.length).toBeLessThanOrEqual(500)
  expect(sent).toBeLessThan(1e8)
})

test('what the endpoint answers is kept without what an operator wrote of a person', async () => {
  await tell({
    type: 'member.banned',
    entity: { type: 'member', id: 'm-1' },
    payload: { memberId: 'm-1', membershipId: null, reason: 'Ana Lima lied' },
  })
  answer(400, {}, 'refused: Ana Lima lied, write to ana@example.com')
  await runJob()
  expect((await triesOf('m-1'))[0]!.response_excerpt).toBe('refused: [redacted], write to [redacted]')
})

test('private addresses are refused unless WEBHOOK_ALLOW_PRIVATE is on', async () => {
  const usual = services.platformEndpoint
  services.platformEndpoint = platformEndpoint({ ...services.config, webhookAllowPrivate: false })
  await tell(...events('m-1', 'member.banned'))
  await runJob()
  services.platformEndpoint = usual
  expect(await triesOf('m-1')).toMatchObject([{ error_message: expect.stringContaining('127.0.0.1 is not public') }])
  expect(endpoint.calls).toEqual([])
})

test('without PLATFORM_WEBHOOK_URL events wait', async () => {
  await tellTwo('m-1')
  const none = platformEndpoint({ ...services.config, platformWebhookUrl: undefined })
  await sendEvents({ ...services, platformEndpoint: none }, never)
  expect(await rowsOf('m-1')).toMatchObject([{ state: 'waiting', tries: 0 }, { state: 'waiting' }])
})

test('any number of servers send at once: each event goes out once, in order per entity, with 16 posts at most a server', async () => {
  const members = Array.from({ length: 40 }, (_, n) => `m-${n}`)
  for (const type of ['member.banned', 'member.unbanned', 'member.banned'] as const)
    await tell(...members.flatMap((id) => events(id, type)))
  let open = 0
  let most = 0
  endpoint.answer = (response) => {
    most = Math.max(most, ++open)
    response.on('close', () => open--)
    setImmediate(() => endpoint.accept(response))
  }
  const { options } = services.database.pool
  const databases = [1, 2, 3].map(() => connect({ ...options, password: options.password }, () => {}))
  await Promise.all(databases.map((database) => sendEvents({ ...services, database }, never)))
  await runJob()
  await Promise.all(databases.map((database) => database.close()))
  expect(endpoint.calls).toHaveLength(120)
  expect(most).toBeLessThanOrEqual(48)
  const sent = Map.groupBy(endpoint.calls, (call) => bodyOf(call).data.memberId)
  for (const id of members) {
    const ids = (await rowsOf(id)).map((row) => row.event_id)
    expect(sent.get(id)!.map(({ headers }) => headers['webhook-id'])).toEqual(ids)
  }
})

test('PRODUCT 4: an event that is made while another hangs does not wait for it', async () => {
  await tell(...events('m-1', 'member.banned'))
  services.platformEndpoint = platformEndpoint(services.config)
  const hanging: ServerResponse[] = []
  endpoint.answer = (response, call) => {
    hanging.push(response)
    if (bodyOf(call).data.memberId === 'm-2') hanging.forEach(endpoint.accept)
  }
  const running = runJob()
  await expect.poll(() => endpoint.calls.length).toBe(1)
  await tell(...events('m-2', 'member.banned'))
  await running
  services.platformEndpoint = platformEndpoint(services.config, { timeoutMs })
  for (const id of ['m-1', 'm-2']) expect(await rowsOf(id)).toMatchObject([{ state: 'delivered', tries: 1 }])
})

test('PRODUCT 4: what a killed server was at falls due again when its lease is over, under the same id and before the next', async () => {
  await tellTwo('m-1')
  const [{ event_id: id } = {}] = await rowsOf('m-1')
  const sending = (until: string) =>
    sql(
      `UPDATE outbox SET state = 'sending', tries = 1, next_try_at = NULL, lease_until = now() + $1::interval WHERE type = 'member.banned'`,
      [until],
    )
  await sending('9 seconds')
  await runJob()
  expect(endpoint.calls).toEqual([])
  await sending('-1 second')
  await Promise.all([runJob(), runJob()])
  expect(sentTypes()).toEqual(['member.banned', 'member.unbanned'])
  expect(sentIds()[0]).toBe(id)
  expect((await rowsOf('m-1'))[0]).toMatchObject({ state: 'delivered', tries: 2, lease_until: null })
})

test('a try that comes back after its event was taken over is written down, and the event stays with the other', async () => {
  await tellTwo('m-1')
  endpoint.answer = (response) =>
    void sql(`UPDATE outbox SET lease_until = lease_until + interval '9 seconds' WHERE type = 'member.banned'`).then(
      () => endpoint.accept(response),
    )
  await runJob()
  expect(await triesOf('m-1')).toMatchObject([{ success: true }])
  expect(await rowsOf('m-1')).toMatchObject([{ state: 'sending' }, { state: 'waiting', tries: 0 }])
})

test('an event under way is not sent again by hand, and one that waits out a pause goes at once', async () => {
  await tell(...events('m-1', 'member.banned'), ...events('m-2', 'member.banned'))
  await sql(`UPDATE outbox SET state = 'sending', lease_until = now() + interval '9 seconds' WHERE entity_id = 'm-1'`)
  await sql(`UPDATE outbox SET tries = 4, next_try_at = now() + interval '5 hours' WHERE entity_id = 'm-2'`)
  const ids = (await sql<{ id: string }>('SELECT id FROM outbox')).map(({ id }) => id)
  expect(await inTransaction(system, (tx) => resendEvents(tx, system, ids))).toBe(1)
  await runJob()
  expect(await rowsOf('m-1')).toMatchObject([{ state: 'sending' }])
  expect(await rowsOf('m-2')).toMatchObject([{ state: 'delivered', tries: 1 }])
})

test('a stop gives up what is under way at once; it is due again and counts as no try', async () => {
  await tell(...events('m-1', 'member.banned'), ...events('m-2', 'member.banned'))
  endpoint.answer = () => {}
  services.platformEndpoint = platformEndpoint(services.config)
  const stopping = new AbortController()
  const running = sendEvents(services, stopping.signal)
  await expect.poll(() => endpoint.calls.length).toBe(2)
  stopping.abort()
  await running
  services.platformEndpoint = platformEndpoint(services.config, { timeoutMs })
  for (const id of ['m-1', 'm-2']) {
    expect(await rowsOf(id)).toMatchObject([{ state: 'waiting', tries: 0, lease_until: null }])
    expect(await triesOf(id)).toEqual([])
  }
  endpoint.answer = endpoint.accept
  await runJob()
  expect(await rowsOf('m-1')).toMatchObject([{ state: 'delivered', tries: 1 }])
})

test('the pauses are those of Standard Webhooks', () => {
  const hours = [5 / 3600, 1 / 12, 0.5, 2, 5, 10, 14, 20, 24]
  expect(standardPauses).toEqual(hours.map((each) => Math.round(each * 3600)))
})

test('PRODUCT 4: an event that is sent again waits while a later one of its member is under way', async () => {
  await tellTwo('m-again')
  const [first, second] = await rowsOf('m-again')
  await sql(`UPDATE outbox SET state = 'delivered', next_try_at = NULL WHERE id = $1`, [first!.id])
  await sql(
    `UPDATE outbox SET state = 'sending', tries = 1, next_try_at = NULL, lease_until = now() + interval '20 seconds' WHERE id = $1`,
    [second!.id],
  )
  await inTransaction(system, (tx) => resendEvents(tx, system, [String(first!.id)]))
  await runJob()
  expect(sentTypes()).toEqual([])
  // Its server has died: it is sent anew first, then the one that waits.
  await sql(`UPDATE outbox SET lease_until = now() - interval '1 second' WHERE id = $1`, [second!.id])
  await runJob()
  expect(sentTypes()).toEqual(['member.unbanned', 'member.banned'])
})
