import { Webhook } from 'standardwebhooks'
import { beforeEach, expect, test } from 'vitest'
import { mostEndpoints } from '#contract/endpoints.ts'
import type { Endpoint } from '#contract/schemas/endpoints.ts'
import { startFakeProvider } from '#test/support/fakes/kyc-provider.ts'
import { startServer } from '#test/support/server.ts'
import { readEvent, buildEvents, startEventDelivery } from '#test/support/event-delivery.ts'

const {
  server,
  endpoint: first,
  sql,
  runJob,
  enqueue,
  enqueueTwo,
} = await startEventDelivery({ PLATFORM_API_KEY: 'k'.repeat(40) })
const second = await startFakeProvider()
const ada = server.as('ada')
const platform = (url: string, body: object, headers: Record<string, string> = {}) =>
  server.as(null)('POST', `/api/platform/v1${url}`, body, { authorization: `Bearer ${'k'.repeat(40)}`, ...headers })

let names = 0
async function add(given: object = {}): Promise<{ endpoint: Endpoint; secret: string }> {
  const reply = await ada('POST', '/api/endpoints', { name: `Billing ${++names}`, url: second.url, ...given })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}
const listed = async () => (await ada('GET', '/api/endpoints')).json<{ endpoints: Endpoint[] }>().endpoints
const auditOf = (action: string) =>
  sql('SELECT actor_name, target_id, details FROM audit_log WHERE action = $1 ORDER BY id DESC LIMIT 1', [action])
const open = (id: string) => sql('SELECT type, state FROM messages WHERE endpoint_id = $1 ORDER BY id', [id])

beforeEach(async () => {
  await sql('DELETE FROM platform_endpoints WHERE id > 1')
  second.answer = second.accept
  second.calls.length = 0
})

test('a new endpoint shows its secret once, and is sent what is written from then on (product 10.4)', async () => {
  await enqueue(...buildEvents('m-1', 'member.banned'))
  const { endpoint, secret } = await add({
    name: 'Billing',
    types: ['order.paid', 'member.unbanned', 'member.unbanned'],
  })
  expect(endpoint).toMatchObject({
    name: 'Billing',
    isFromSettings: false,
    host: new URL(second.url).host,
    types: ['member.unbanned', 'order.paid'],
    state: 'untried',
    secrets: 1,
    version: 1,
  })
  await enqueue(...buildEvents('m-1', 'member.unbanned'))
  await runJob()
  expect(second.calls.map((call) => readEvent(call).type)).toEqual(['member.unbanned'])
  const [{ body, headers } = second.calls[0]!] = second.calls
  expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow()
  const all = JSON.stringify([await listed(), await sql('SELECT * FROM audit_log')])
  for (const hidden of [secret, secret.slice(6), new URL(second.url).pathname.slice(1) || 'none-such'])
    expect(all).not.toContain(hidden)
  expect(await auditOf('create_endpoint')).toMatchObject([
    { actor_name: 'ada', target_id: endpoint.id, details: { after: { name: 'Billing', isOn: true } } },
  ])
})

test('the endpoint of the settings comes first and cannot be changed (product 10.4)', async () => {
  const [fixed] = await listed()
  expect(fixed).toMatchObject({ id: '1', name: 'Platform', isFromSettings: true, types: null, secrets: 2 })
  const calls = [
    ada('PATCH', '/api/endpoints/1', { url: 'https://other.example.com' }),
    ada('POST', '/api/endpoints/1/secret'),
    ada('DELETE', '/api/endpoints/1/old-secret'),
    ada('DELETE', '/api/endpoints/1'),
  ]
  for (const reply of await Promise.all(calls)) expect(reply.json()).toMatchObject({ code: 'endpoint_fixed' })
  expect((await ada('PATCH', '/api/endpoints/1', { types: ['order.paid'] })).statusCode).toBe(200)
  await enqueue(...buildEvents('m-1', 'member.banned'))
  expect(await open('1')).toEqual([])
  await ada('PATCH', '/api/endpoints/1', { types: null })
})

test('an endpoint that is off gets nothing until it is on again (product 10.4)', async () => {
  const { endpoint } = await add()
  await enqueue(...buildEvents('m-1', 'member.banned'))
  const off = await ada('PATCH', `/api/endpoints/${endpoint.id}`, { isOn: false })
  expect(off.json()).toMatchObject({ endpoint: { state: 'off', version: 2, waiting: 1 } })
  await enqueue(...buildEvents('m-1', 'member.unbanned'))
  await runJob()
  expect(second.calls).toEqual([])
  expect(first.calls).toHaveLength(2)
  await ada('PATCH', `/api/endpoints/${endpoint.id}`, { isOn: true })
  await runJob()
  expect(second.calls.map((call) => readEvent(call).type)).toEqual(['member.banned'])
})

test('a new secret signs beside the old one until that is ended (product 10.4)', async () => {
  const made = await add()
  const { id } = made.endpoint
  const rotated = (await ada('POST', `/api/endpoints/${id}/secret`)).json<typeof made>()
  expect(rotated.endpoint.secrets).toBe(2)
  expect((await ada('POST', `/api/endpoints/${id}/secret`)).json()).toMatchObject({ code: 'endpoint_state' })
  await enqueueTwo('m-1')
  await runJob()
  const verify = (secret: string, at: number) => () =>
    new Webhook(secret).verify(second.calls[at]!.body, second.calls[at]!.headers as Record<string, string>)
  for (const secret of [made.secret, rotated.secret]) expect(verify(secret, 0)).not.toThrow()
  expect((await ada('DELETE', `/api/endpoints/${id}/old-secret`)).json()).toMatchObject({ endpoint: { secrets: 1 } })
  expect((await ada('DELETE', `/api/endpoints/${id}/old-secret`)).json()).toMatchObject({ code: 'endpoint_state' })
  await enqueue(...buildEvents('m-2', 'member.banned'))
  await runJob()
  expect(verify(rotated.secret, 2)).not.toThrow()
  expect(verify(made.secret, 2)).toThrow('No matching signature')
})

test('an endpoint for which something is open is deleted only by who drops it (product 10.4)', async () => {
  const { endpoint } = await add({ name: 'Gone' })
  second.answer = (response) => void response.writeHead(500).end()
  await enqueueTwo('m-1')
  await runJob()
  const url = `/api/endpoints/${endpoint.id}`
  const refused = await ada('DELETE', url)
  expect(refused.json()).toMatchObject({ code: 'endpoint_waiting', message: expect.stringContaining('2 events') })
  expect(await open(endpoint.id)).toMatchObject([{ state: 'waiting' }, { state: 'waiting' }])
  expect((await ada('DELETE', `${url}?dropOpen=true`)).json()).toMatchObject({ dropped: 2 })
  expect(await open(endpoint.id)).toMatchObject([{ state: 'dropped' }, { state: 'dropped' }])
  expect(await sql('SELECT url, secret FROM platform_endpoints WHERE id = $1', [endpoint.id])).toEqual([
    { url: null, secret: null },
  ])
  const log = (await ada('GET', `/api/messages?endpoint=${endpoint.id}&state=dropped`)).json()
  expect(log).toMatchObject({ total: 2, messages: [{ endpoint: 'Gone', canResend: false }, { endpoint: 'Gone' }] })
  expect((await ada('GET', '/api/messages?endpoint=1')).json()).toMatchObject({ total: 2 })
  const ids = log.messages.map(({ id }: { id: string }) => id)
  expect((await ada('POST', '/api/messages/resend', { ids })).json()).toMatchObject({
    code: 'nothing_to_resend',
    message:
      'These messages were dropped, as their endpoint was deleted or nobody waits for them any more, and never go out',
  })
  expect((await ada('DELETE', url)).statusCode).toBe(404)
  expect(await auditOf('delete_endpoint')).toMatchObject([{ details: { dropped: 2, before: { name: 'Gone' } } }])
  // Its name is free again.
  await add({ name: 'gone' })
})

test('a try under way while its endpoint is deleted does not restore the message', async () => {
  const { endpoint } = await add()
  second.answer = (response) =>
    void ada('DELETE', `/api/endpoints/${endpoint.id}?dropOpen=true`).then(() => response.writeHead(500).end())
  await enqueue(...buildEvents('m-1', 'member.banned'))
  await runJob()
  expect(await open(endpoint.id)).toMatchObject([{ state: 'dropped' }])
  expect(await sql('SELECT success FROM message_attempts WHERE http_status = 500')).toEqual([{ success: false }])
})

test('of two operators who change an endpoint at once, one is told that it changed (product 8.4)', async () => {
  const { endpoint } = await add()
  const url = `/api/endpoints/${endpoint.id}`
  const headers = { 'if-match': `"${endpoint.version}"` }
  const replies = await Promise.all([
    ada('PATCH', url, { name: 'One' }, headers),
    server.as('bob')('PATCH', url, { name: 'Other' }, headers),
  ])
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  expect(replies.find(({ statusCode }) => statusCode === 409)!.json()).toMatchObject({ code: 'stale' })
  expect((await listed()).find(({ id }) => id === endpoint.id)).toMatchObject({ version: 2 })
  for (const [method, path] of [
    ['DELETE', url],
    ['POST', `${url}/secret`],
    ['DELETE', `${url}/old-secret`],
  ] as const)
    expect((await ada(method, path, undefined, headers)).json()).toMatchObject({ code: 'stale' })
})

test('two endpoints of one name cannot be added at once', async () => {
  const body = { name: 'Twice', url: second.url }
  const replies = await Promise.all([1, 2, 3].map(() => ada('POST', '/api/endpoints', body)))
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
  const { endpoint } = await add()
  expect((await ada('PATCH', `/api/endpoints/${endpoint.id}`, { name: 'TWICE' })).json()).toMatchObject({
    code: 'endpoint_taken',
  })
})

test('at most 20 endpoints stand beside that of the settings', async () => {
  const body = (n: number) => ({ name: `E ${n}`, url: second.url })
  const replies = await Promise.all(
    Array.from({ length: mostEndpoints + 3 }, (_, n) => ada('POST', '/api/endpoints', body(n))),
  )
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(mostEndpoints)
  expect(replies.find(({ statusCode }) => statusCode !== 200)!.json()).toMatchObject({ code: 'endpoint_limit' })
})

test('what an endpoint cannot be is refused by field, and changes nothing (product 8.5)', async () => {
  const bodies: [object, RegExp][] = [
    [{ url: 'https://a.example.com' }, /^name/],
    [{ name: '', url: 'https://a.example.com' }, /^name/],
    [{ name: 'a\nb', url: 'https://a.example.com' }, /^name/],
    [{ name: '\u202eabc', url: 'https://a.example.com' }, /^name/],
    [{ name: 'x'.repeat(61), url: 'https://a.example.com' }, /^name/],
    [{ name: 'A', url: 'ftp://a.example.com' }, /^url/],
    [{ name: 'A', url: 'https://user:word@a.example.com' }, /^url/],
    [{ name: 'A', url: 'https://a.example.com/#part' }, /^url/],
    [{ name: 'A', url: 'nonsense' }, /^url/],
    [{ name: 'A', url: 'http://a.example.com' }, /^url: would carry events over plain http/],
    [{ name: 'A', url: 'https://a.example.com', types: [] }, /^types/],
    [{ name: 'A', url: 'https://a.example.com', types: ['endpoint.test'] }, /^types/],
    [{ name: 'A', url: 'https://a.example.com', secret: 'whsec_x' }, /secret/],
  ]
  for (const [body, message] of bodies) {
    const reply = await ada('POST', '/api/endpoints', body)
    expect(reply.json(), JSON.stringify(body)).toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(message),
    })
  }
  expect(await listed()).toHaveLength(1)
  for (const id of ['0', 'x', '99', '%27', '9'.repeat(30)])
    expect((await ada('PATCH', `/api/endpoints/${id}`, { isOn: true })).statusCode).toBe(404)
})

test('an address of a private network is refused unless WEBHOOK_ALLOW_PRIVATE is on', async () => {
  const strict = await startServer()
  for (const host of ['127.0.0.1', 'localhost', '10.0.0.5', '192.168.1.1', '[::1]', '169.254.169.254', '2130706433']) {
    const reply = await strict.as('ada')('POST', '/api/endpoints', { name: 'A', url: `https://${host}/x` })
    expect(reply.json(), host).toMatchObject({ code: 'invalid', message: expect.stringContaining('is not public') })
  }
})

test('a test goes to its endpoint alone, whatever types that wants (product 10.4)', async () => {
  const { endpoint } = await add({ name: 'Billing', types: ['order.paid'] })
  const reply = await ada('POST', `/api/endpoints/${endpoint.id}/test`)
  const { eventId } = reply.json<{ eventId: string }>()
  await runJob()
  expect(first.calls).toEqual([])
  expect(second.calls.map(({ headers }) => headers['webhook-id'])).toEqual([eventId])
  expect(JSON.parse(second.calls[0]!.body)).toMatchObject({
    type: 'endpoint.test',
    entity: { type: 'endpoint', id: endpoint.id },
    sequence: 1,
    data: { endpoint: 'Billing' },
  })
  expect((await ada('GET', `/api/messages?search=${eventId}`)).json()).toMatchObject({
    total: 1,
    messages: [{ type: 'endpoint.test', endpoint: 'Billing', state: 'delivered' }],
  })
  expect(await auditOf('test_endpoint')).toMatchObject([{ target_id: endpoint.id, details: { eventId } }])
  await ada('PATCH', `/api/endpoints/${endpoint.id}`, { isOn: false })
  expect((await ada('POST', `/api/endpoints/${endpoint.id}/test`)).json()).toMatchObject({ code: 'endpoint_state' })
})

test('the platform requests a test of one endpoint or all, and a repeat sends none (product 10.4)', async () => {
  await add({ name: 'Billing' })
  const all = (await platform('/test-events', {})).json<{ events: { id: string; endpoint: string }[] }>()
  expect(all.events.map(({ endpoint }) => endpoint)).toEqual(['Platform', 'Billing'])
  const key = { 'idempotency-key': 'one-test' }
  const one = await platform('/test-events', { endpoint: 'billing' }, key)
  expect(one.json()).toMatchObject({ events: [{ endpoint: 'Billing' }] })
  expect((await platform('/test-events', { endpoint: 'billing' }, key)).json()).toEqual(one.json())
  await runJob()
  expect(second.calls).toHaveLength(2)
  expect((await platform('/test-events', { endpoint: 'No such' })).statusCode).toBe(404)
  expect((await platform('/test-events', { endpoint: 7 })).statusCode).toBe(400)
  await sql('UPDATE platform_endpoints SET is_on = false')
  expect((await platform('/test-events', {})).json()).toMatchObject({ code: 'endpoint_state' })
  await sql('UPDATE platform_endpoints SET is_on = true')
  const [row] = await sql(
    `SELECT actor_name, details FROM audit_log WHERE details->>'call' = 'POST /test-events' ORDER BY id LIMIT 1`,
  )
  expect(row).toMatchObject({ actor_name: 'platform:PLATFORM_API_KEY', details: { outcome: 'created' } })
})

test('an endpoint that is paused is resumed by a call, and one that is not is refused', async () => {
  const { endpoint } = await add()
  const url = `/api/endpoints/${endpoint.id}/resume`
  expect((await ada('POST', url)).json()).toMatchObject({ code: 'endpoint_state' })
  await sql('UPDATE platform_endpoints SET paused_at = now() WHERE id = $1', [endpoint.id])
  expect((await ada('POST', url)).json()).toMatchObject({ endpoint: { state: 'untried', pausedAt: null } })
})

test('events written while an endpoint is added go to it or not, and none twice', async () => {
  const writing = Array.from({ length: 20 }, (_, n) => enqueue(...buildEvents(`m-${n}`, 'member.banned')))
  const { endpoint } = await add()
  await Promise.all(writing)
  await runJob()
  expect(first.calls).toHaveLength(20)
  const ids = second.calls.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(ids.length)
  expect(await open(endpoint.id)).toHaveLength(ids.length)
})
