import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createPlatformEndpoint } from '#server/adapters/platform-endpoint.ts'
import { platformEvents } from '#server/features/messages/service.ts'
import { buildEvents, readEvent, neverStop, secondSecret, startEventDelivery } from '#test/support/event-delivery.ts'
import { sendMessages } from '#test/support/jobs.ts'

const sendEvents = sendMessages(platformEvents)
const { endpoint, services, sql, runJob, enqueue, enqueueTwo, readMessages, readTries, sentTypes, sentIds } =
  await startEventDelivery()

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
  await sql(`UPDATE messages SET next_try_at = now() - interval '1 second' WHERE id = $1`, [first!.id])
  await runJob()
  expect(sentTypes()).toEqual(['member.banned', 'member.unbanned'])
  expect(await readTries('m-1')).toMatchObject([
    { try_number: 1, success: false, error_message: 'HTTP 500' },
    { try_number: 2, success: true },
    { try_number: 1, success: true },
  ])
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
