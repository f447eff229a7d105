import { describe, expect, test } from 'vitest'
import { createKey, revokeKey } from '#server/features/keys/keys.ts'
import { startSecondServer } from '#test/support/second-server.ts'
import { platformKey, startServer } from '#test/support/server.ts'

const server = await startServer()

async function call(key: string, from = '192.0.2.1') {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' }
  return server.app.inject({
    method: 'POST',
    url: '/api/platform/v1/import',
    payload: '',
    headers,
    remoteAddress: from,
  })
}
const events = () =>
  server.sql<{ event_type: string; severity: string; ip_address: string }>(
    'SELECT event_type, severity, ip_address FROM security_events ORDER BY id',
  )
const wait = (seconds: number) =>
  server.sql(
    `UPDATE sign_in_throttles SET window_started_at = window_started_at - make_interval(secs => $1),
    locked_until = locked_until - make_interval(secs => $1)`,
    [seconds],
  )

test('a flood of wrong keys is 401, then 429, and two events (product 6.10)', async () => {
  const replies = await Promise.all(Array.from({ length: 60 }, (_, n) => call(`wrong-${n}`, `2001:db8::${n + 1}`)))
  const statuses = replies.map((reply) => reply.statusCode).toSorted()
  expect(statuses).toEqual([...Array<number>(30).fill(401), ...Array<number>(30).fill(429)])
  const refused = replies.find((reply) => reply.statusCode === 429)!
  expect(refused.json()).toEqual({
    message: expect.stringMatching(/^Too many calls with a wrong platform key\. Try again in \d+ seconds?\.$/),
    code: 'too_many_requests',
  })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await events()).map(({ event_type, severity }) => [event_type, severity])).toEqual([
    ['platform_key_refused', 'high'],
    ['rate_limit_hit', 'medium'],
  ])
})

test('the right key passes while its network is closed to wrong ones', async () => {
  expect((await call('wrong', '2001:db8::1')).statusCode).toBe(429)
  expect((await call(platformKey, '2001:db8::1')).statusCode).toBe(200)
  expect((await call(platformKey, '192.0.2.9')).statusCode).toBe(200)
  expect(await server.sql(`SELECT FROM sign_in_throttles WHERE key LIKE '%192.0.2.9'`)).toEqual([])
})

test('each network and each minute has a count of its own', async () => {
  await server.sql('DELETE FROM security_events')
  expect((await call('wrong', '::ffff:192.0.2.7')).statusCode).toBe(401)
  expect((await call('wrong', '192.0.2.7')).statusCode).toBe(401)
  expect(await events()).toEqual([{ event_type: 'platform_key_refused', severity: 'high', ip_address: '192.0.2.7' }])
  await wait(61)
  expect((await call('wrong', '192.0.2.7')).statusCode).toBe(401)
  expect((await call('wrong', '2001:db8::1')).statusCode).toBe(401)
  expect(await events()).toHaveLength(3)
})

describe('a key made by command', () => {
  const keyEvents = () =>
    server.sql<{ event_type: string; severity: string; description: string; details: unknown }>(
      `SELECT event_type, severity, description, details FROM security_events WHERE event_type LIKE '%\\_platform_key'
       ORDER BY id`,
    )

  test('acts under its name, and is seen with its last use (product 10.1)', async () => {
    const { key } = await createKey(server.system, { name: 'shop' })
    expect((await call(key, '::ffff:192.0.2.44')).statusCode).toBe(200)
    const [audit] = await server.sql(`SELECT actor_kind, actor_name FROM audit_log WHERE action = 'import'
      ORDER BY id DESC LIMIT 1`)
    expect(audit).toEqual({ actor_kind: 'platform', actor_name: 'platform:shop' })
    const [row] = await server.sql(`SELECT last_used_from, last_used_at > now() - interval '1 minute' AS is_now
      FROM platform_keys WHERE name = 'shop'`)
    expect(row).toEqual({ last_used_from: '192.0.2.44', is_now: true })
  })

  test('a revoked one is refused at its next call by every server (product 10.1)', async () => {
    const { key } = await createKey(server.system, { name: 'revoked' })
    const second = await startSecondServer(server)
    const here = () => call(key, '192.0.2.50')
    const there = () =>
      second.app.inject({
        method: 'POST',
        url: '/api/platform/v1/import',
        payload: '',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
      })
    expect([(await here()).statusCode, (await there()).statusCode]).toEqual([200, 200])
    await revokeKey(server.system, 'revoked')
    const replies = [await here(), await there()]
    await second.close()
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([401, 401])
    for (const reply of replies)
      expect(reply.json()).toEqual({ message: 'Unauthorized: a valid platform key is needed', code: 'unauthorized' })
    expect(await keyEvents()).toEqual([
      {
        event_type: 'revoked_platform_key',
        severity: 'high',
        description: expect.stringMatching(
          /^Platform calls come with the key revoked, which was revoked on \w{3} \d\d, \d{4} at \d\d:\d\d UTC$/,
        ),
        details: { key: 'revoked' },
      },
    ])
  })

  test('an expired key is 401 like any other and named in events (product 6.10)', async () => {
    await server.sql('DELETE FROM security_events')
    const { key } = await createKey(server.system, { name: 'old', expiresAt: '2999-01-01T00:00:00Z' })
    expect((await call(key)).statusCode).toBe(200)
    await server.sql(`UPDATE platform_keys SET expires_at = now() - interval '1 second' WHERE name = 'old'`)
    const replies = await Promise.all(Array.from({ length: 40 }, (_, n) => call(key, `198.51.100.${n + 1}`)))
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([
      ...Array<number>(30).fill(401),
      ...Array<number>(10).fill(429),
    ])
    const wrong = await call('wrong', '198.51.100.99')
    expect(replies.find(({ statusCode }) => statusCode === 429)!.json().message).toMatch(
      /^Too many calls with a platform key that has expired\. Try again in \d+ seconds?\.$/,
    )
    const expired = replies.find(({ statusCode }) => statusCode === 401)!
    expect([expired.body, expired.statusCode]).toEqual([wrong.body, wrong.statusCode])
    expect(await keyEvents()).toMatchObject([
      { event_type: 'expired_platform_key', severity: 'medium', details: { key: 'old' } },
    ])
    expect((await events()).map(({ event_type }) => event_type)).toEqual([
      'expired_platform_key',
      'rate_limit_hit',
      'platform_key_refused',
    ])
    const { key: valid } = await createKey(server.system, { name: 'new' })
    expect((await call(valid, '198.51.100.1')).statusCode).toBe(200)
  })
})

test.each([
  ['none', undefined],
  ['another scheme', 'Basic YTpi'],
  ['no key', 'Bearer '],
  ['two words', 'Bearer a b'],
  ['thousands of characters', `Bearer ${'x'.repeat(8000)}`],
])('a call with %s instead of a key is 401 and asks for a Bearer key', async (_what, authorization) => {
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/platform/v1/import',
    headers: { ...(authorization && { authorization }) },
    remoteAddress: '203.0.113.9',
  })
  expect([reply.statusCode, reply.json().code, reply.headers['www-authenticate']]).toEqual([
    401,
    'unauthorized',
    'Bearer',
  ])
})
