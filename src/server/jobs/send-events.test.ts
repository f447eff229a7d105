import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { platformEvent } from '#contract/schemas/platform-events.ts'
import { createPlatformEndpoint } from '#server/adapters/platform-endpoint.ts'
import { inTransaction } from '#server/core/context.ts'
import { eventEndpoint, platformEvents, resendMessages, resumeEndpoint } from '#server/features/messages/service.ts'
import { startFakeProvider } from '#test/support/fakes/kyc-provider.ts'
import {
  readEvent,
  buildEvents,
  neverStop,
  secondSecret,
  startEventDelivery,
  timeoutMs,
} from '#test/support/event-delivery.ts'
import { sendMessages } from '#test/support/jobs.ts'

const sendEvents = sendMessages(platformEvents)
const {
  endpoint,
  services,
  system,
  sql,
  runJob,
  enqueue,
  enqueueTwo,
  readMessages,
  readTries,
  makeAllDue,
  sentTypes,
  sentIds,
  answer,
  securityEvents,
} = await startEventDelivery()

test('events go out signed, once, in the order of the changes of their entity (product 10.4)', async () => {
  await enqueueTwo('m-1')
  await runJob()
  await runJob()
  expect(sentTypes()).toEqual(['member.banned', 'member.unbanned'])
  const [banned, unbanned] = await readMessages('m-1')
  expect(JSON.parse(endpoint.calls[0]!.body)).toEqual({
    entity: { type: 'member', id: 'm-1' },
    sequence: 1,
    version: 2,
    type: 'member.banned',
    timestamp: banned!.created_at.toISOString(),
    data: { memberId: 'm-1', membershipId: null, reason: 'Fraud' },
  })
  expect(endpoint.calls[0]!.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'back-office' })
  expect(sentIds()).toEqual([banned!.message_id, unbanned!.message_id])
  const gone = { state: 'delivered', tries: 1, next_try_at: null, lease_until: null, delivered_at: expect.any(Date) }
  expect([banned, unbanned]).toMatchObject([gone, gone])
  const tried = { try_number: 1, success: true, error_message: null, http_status: 202, started_by: 'queue' }
  expect(await readTries('m-1')).toMatchObject([tried, tried])
})

test('npm standardwebhooks verifies our signatures with either of two secrets (product 10.4)', async () => {
  await enqueue(...buildEvents('m-1', 'member.banned'))
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

test('an event that waits for its next try holds back its entity alone (product 10.4)', async () => {
  await enqueueTwo('m-1')
  await enqueueTwo('m-2')
  endpoint.answer = (response, call) => {
    if (readEvent(call).data.memberId === 'm-1') response.writeHead(500).end()
    else endpoint.accept(response)
  }
  await runJob()
  await runJob()
  const [first, second] = await readMessages('m-1')
  expect([first, second]).toMatchObject([
    { state: 'waiting', tries: 1 },
    { state: 'waiting', tries: 0 },
  ])
  expect(second!.next_try_at, 'it is not looked at before').toEqual(first!.next_try_at)
  expect(await readMessages('m-2')).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }])
  endpoint.answer = endpoint.accept
  endpoint.calls.length = 0
  await sql(`UPDATE messages SET next_try_at = now() WHERE id = $1`, [first!.id])
  await runJob()
  expect(sentTypes()).toEqual(['member.banned', 'member.unbanned'])
  expect(await readTries('m-1')).toMatchObject([
    { try_number: 1, success: false, error_message: 'HTTP 500' },
    { try_number: 2, success: true },
    { try_number: 1, success: true },
  ])
})

test('ten tries with growing pauses end in a dead letter (product 10.4)', async () => {
  await enqueueTwo('m-1')
  endpoint.answer = (response, call) =>
    void response.writeHead(readEvent(call).type === 'member.banned' ? 500 : 200).end('{"reason":"no such member"}')
  const pauses: number[] = []
  for (let turn = 1; turn <= 11; turn++) {
    await runJob()
    const [{ state, pause } = {}] = await readMessages('m-1')
    if (state === 'waiting') pauses.push(Number(pause))
    await runJob() // not due yet, so this does nothing
    await makeAllDue()
  }
  expect(pauses).toHaveLength(9)
  for (const [at, pause] of [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].entries()) {
    expect(pauses[at]! / pause).toBeGreaterThan(0.89 - 1 / pause)
    expect(pauses[at]! / pause).toBeLessThan(1.11)
  }
  expect(sentTypes()).toEqual([...Array<string>(10).fill('member.banned'), 'member.unbanned'])
  expect(new Set(sentIds()).size).toBe(2)
  expect(new Set(endpoint.calls.slice(0, 10).map(({ body }) => body)).size).toBe(1)
  expect(await readMessages('m-1')).toMatchObject([
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

test('dead letters are one security event a minute that counts them (product 6.10)', async () => {
  const failAll = async (...members: string[]) => {
    await enqueue(...members.flatMap((id) => buildEvents(id, 'member.banned')))
    await sql(`UPDATE messages SET tries = 9, retries = 8 WHERE state = 'waiting'`)
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

test('a dead letter that is sent again has all its tries again, under the id it had (product 10.4)', async () => {
  await enqueueTwo('m-1')
  await sql(`UPDATE messages SET state = 'failed', tries = 10, next_try_at = NULL WHERE type = 'member.banned'`)
  await sql(`UPDATE messages SET state = 'delivered', tries = 1, next_try_at = NULL WHERE type = 'member.unbanned'`)
  const before = await readMessages('m-1')
  const ids = before.map((row) => row.id as string)
  expect(await inTransaction(system, (tx) => resendMessages(tx, [...ids, '999999']))).toEqual({ platform: 2, kyc: 0 })
  answer(500)
  await runJob()
  expect(await readMessages('m-1')).toMatchObject([
    { state: 'waiting', tries: 1 },
    { state: 'waiting', tries: 0 },
  ])
  answer(200)
  await makeAllDue()
  await runJob()
  expect(sentTypes()).toEqual(['member.banned', 'member.banned', 'member.unbanned'])
  expect([...new Set(sentIds())]).toEqual(before.map((row) => row.message_id))
})

test('Retry-After prolongs the pause up to 24 hours (product 10.4)', async () => {
  let members = 0
  const pauseAfter = async (status: number, retryAfter: string) => {
    const id = `m-${++members}`
    await enqueue(...buildEvents(id, 'member.unbanned'))
    answer(status, { 'retry-after': retryAfter })
    await runJob()
    return Number((await readMessages(id))[0]!.pause)
  }
  expect(Math.round(await pauseAfter(429, '900'))).toBe(900)
  expect(Math.round(await pauseAfter(503, '99999999'))).toBe(86_400)
  expect(await pauseAfter(503, new Date(Date.now() + 600_000).toUTCString())).toBeGreaterThan(590)
  for (const odd of ['-5', '1', 'soon', '1e9']) expect(await pauseAfter(503, odd)).toBeLessThanOrEqual(5.5)
})

test('a 410 pauses the endpoint until it is resumed (product 10.4)', async () => {
  await enqueue(...buildEvents('m-1', 'member.banned'))
  answer(410)
  await runJob()
  await enqueue(...buildEvents('m-2', 'member.banned'), ...buildEvents('m-1', 'member.unbanned'))
  await runJob()
  expect(endpoint.calls).toHaveLength(1)
  expect((await readMessages('m-1'))[0]).toMatchObject({ state: 'waiting', tries: 0, lease_until: null })
  expect(await securityEvents()).toMatchObject([{ severity: 'critical', event_type: 'event_endpoint_gone' }])
  expect(await eventEndpoint(system)).toEqual({
    host: new URL(endpoint.url).host,
    pausedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    waiting: 3,
    oldestWaitingAt: (await readMessages('m-1'))[0]!.created_at.toISOString(),
    failed: 0,
  })
  answer(200)
  await resumeEndpoint(system, '1')
  await expect(resumeEndpoint(system, '1')).rejects.toThrow('not paused')
  const [entry] = await sql(`SELECT actor_name, details FROM audit_log WHERE action = 'resume_events'`)
  expect(entry).toEqual({ actor_name: 'tests', details: { pausedAt: expect.any(String) } })
  await runJob()
  expect(endpoint.calls.slice(1).map((call) => [readEvent(call).data.memberId, readEvent(call).type])).toEqual([
    ['m-1', 'member.banned'],
    ['m-2', 'member.banned'],
    ['m-1', 'member.unbanned'],
  ])
  expect(await eventEndpoint(system)).toMatchObject({ pausedAt: null, waiting: 0, oldestWaitingAt: null })
})

test('redirecting, endless, slow and broken answers fail in time (product 10.4)', async () => {
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
    await enqueue(...buildEvents(`m-${at}`, 'member.banned'))
    await runJob()
    expect(await readTries(`m-${at}`)).toMatchObject([{ success: false, error_message: message }])
    expect(await readMessages(`m-${at}`)).toMatchObject([{ state: 'waiting', tries: 1 }])
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
  await enqueue(...buildEvents('m-9', 'member.banned'))
  await runJob()
  const [tried] = await readTries('m-9')
  expect(tried).toMatchObject({ success: false, error_message: 'HTTP 500' })
  expect(tried!.response_excerpt.length).toBeLessThanOrEqual(500)
  expect(sent).toBeLessThan(1e8)
})

test('what the endpoint answers is kept without what an operator wrote of a person', async () => {
  const data = { memberId: 'm-1', membershipId: null, reason: 'Ana Lima lied' }
  await enqueue(platformEvent('member.banned', { id: 'm-1', version: 2, data }))
  answer(400, {}, 'refused: Ana Lima lied, write to ana@example.com')
  await runJob()
  expect((await readTries('m-1'))[0]!.response_excerpt).toBe('refused: [redacted], write to [redacted]')
})

test('private addresses are refused unless WEBHOOK_ALLOW_PRIVATE is on', async () => {
  const usual = services.platformEndpoint
  services.platformEndpoint = createPlatformEndpoint({ ...services.config, webhookAllowPrivate: false })
  await enqueue(...buildEvents('m-1', 'member.banned'))
  await runJob()
  services.platformEndpoint = usual
  expect(await readTries('m-1')).toMatchObject([{ error_message: expect.stringContaining('127.0.0.1 is not public') }])
  expect(endpoint.calls).toEqual([])
})

test('without PLATFORM_WEBHOOK_URL events wait', async () => {
  await enqueueTwo('m-1')
  const none = createPlatformEndpoint({ ...services.config, platformWebhookUrl: undefined })
  await sendEvents({ ...services, platformEndpoint: none }, neverStop)
  expect(await readMessages('m-1')).toMatchObject([{ state: 'waiting', tries: 0 }, { state: 'waiting' }])
})
