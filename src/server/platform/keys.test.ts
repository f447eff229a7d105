import { expect, test } from 'vitest'
import { platformKey, startServer } from '#test/server.ts'

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

test('PRODUCT 3.19: a flood of wrong keys is 401, from the 31st a minute 429, and two events, however many calls', async () => {
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

test('the right key passes while its network is closed to wrong ones, and counts nothing', async () => {
  expect((await call('wrong', '2001:db8::1')).statusCode).toBe(429)
  expect((await call(platformKey, '2001:db8::1')).statusCode).toBe(200)
  expect((await call(platformKey, '192.0.2.9')).statusCode).toBe(200)
  expect(await server.sql(`SELECT FROM sign_in_throttles WHERE key LIKE '%192.0.2.9'`)).toEqual([])
})

test('another network has a count and an event of its own, and a new minute begins a new count', async () => {
  await server.sql('DELETE FROM security_events')
  expect((await call('wrong', '::ffff:192.0.2.7')).statusCode).toBe(401)
  expect((await call('wrong', '192.0.2.7')).statusCode).toBe(401)
  expect(await events()).toEqual([{ event_type: 'platform_key_refused', severity: 'high', ip_address: '192.0.2.7' }])
  await wait(61)
  expect((await call('wrong', '192.0.2.7')).statusCode).toBe(401)
  expect((await call('wrong', '2001:db8::1')).statusCode).toBe(401)
  expect(await events()).toHaveLength(3)
})
