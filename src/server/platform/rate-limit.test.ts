import { describe, expect, test } from 'vitest'
import { createKey } from '#server/features/keys/keys.ts'
import { platformKey, startServer } from '#test/support/server.ts'
import { createRateLimits } from './rate-limit.ts'

const server = await startServer()
const call = (key: string) =>
  server.app.inject({
    method: 'POST',
    url: '/api/platform/v1/import',
    payload: '',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
    remoteAddress: '192.0.2.1',
  })
const events = () =>
  server.sql(`SELECT event_type, severity, description, ip_address, details FROM security_events ORDER BY id`)

describe('a bucket of calls', () => {
  function clocked(callsPerSecond: number) {
    let at = 1000
    const limits = createRateLimits(() => at)
    return { take: (name = 'shop') => limits.take(name, callsPerSecond), wait: (ms: number) => void (at += ms) }
  }
  const allowed = (take: () => { isAllowed: boolean }, calls: number) =>
    Array.from({ length: calls }, take).filter(({ isAllowed }) => isAllowed).length

  test("lets two seconds of calls through at once, then the key's rate", () => {
    const { take, wait } = clocked(50)
    expect(allowed(take, 150)).toBe(100)
    wait(1000)
    expect(allowed(take, 150)).toBe(50)
    wait(19)
    expect(take().isAllowed).toBe(false)
    wait(1)
    expect([take().isAllowed, take().isAllowed]).toEqual([true, false])
    wait(60_000)
    expect(allowed(take, 150)).toBe(100)
  })

  test('a key that calls slower than its limit is never refused', () => {
    const { take, wait } = clocked(3)
    for (let n = 0; n < 500; n++) {
      expect(take().isAllowed).toBe(true)
      wait(334)
    }
  })

  test('each key has a bucket of its own', () => {
    const { take } = clocked(1)
    expect(allowed(take, 5)).toBe(2)
    expect(take('other').isAllowed).toBe(true)
  })

  test('says what is left, when it is full again, and when the next call is let through', () => {
    const { take, wait } = clocked(2)
    expect(take().headers).toEqual({
      'ratelimit-policy': '4;w=2',
      'ratelimit-limit': '4',
      'ratelimit-remaining': '3',
      'ratelimit-reset': '1',
    })
    for (let n = 0; n < 3; n++) take()
    const refused = take()
    expect(refused).toMatchObject({ isAllowed: false, retryAfter: 0.5 })
    expect(refused.headers).toMatchObject({ 'ratelimit-remaining': '0', 'ratelimit-reset': '2' })
    wait(250)
    expect(take().retryAfter).toBeCloseTo(0.25)
  })

  test('is news once a minute, however many calls are refused', () => {
    const { take, wait } = clocked(1)
    const news = (calls: number) =>
      Array.from({ length: calls }, () => take()).filter(({ isFirstRefusal: isNews }) => isNews).length
    expect(news(10)).toBe(1)
    wait(59_000)
    expect(news(10)).toBe(0)
    wait(2000)
    expect(news(10)).toBe(1)
  })
})

test('calls beyond the rate are 429 with Retry-After (product 8.5, 6.10)', async () => {
  const { key } = await createKey(server.system, { name: 'slow', callsPerSecond: 1 })
  const replies = await Promise.all(Array.from({ length: 30 }, () => call(key)))
  const refused = replies.filter(({ statusCode }) => statusCode === 429)
  expect(replies.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThanOrEqual(2)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]!.json()).toEqual({
    message: 'Too many calls with this platform key: it may make 1 call a second',
    code: 'too_many_requests',
  })
  expect(refused[0]!.headers).toMatchObject({
    'retry-after': '1',
    'ratelimit-limit': '2',
    'ratelimit-remaining': '0',
    'content-type': 'application/json; charset=utf-8',
  })
  expect(await events()).toEqual([
    {
      event_type: 'rate_limit_hit',
      severity: 'medium',
      description: 'The platform key slow reached its limit of 1 call a second',
      ip_address: '192.0.2.1',
      details: { key: 'slow', callsPerSecond: 1 },
    },
  ])
  const other = await createKey(server.system, { name: 'other' })
  expect((await call(other.key)).headers).toMatchObject({ 'ratelimit-limit': '100', 'ratelimit-remaining': '99' })
  expect((await call(platformKey)).headers).toMatchObject({ 'ratelimit-limit': '400' })
})

test('an import is one call, however many lines it has', async () => {
  const { key } = await createKey(server.system, { name: 'mover', callsPerSecond: 1 })
  const lines = Array.from({ length: 500 }, (_, n) =>
    JSON.stringify({ type: 'member', id: `r-${n}`, email: `r-${n}@example.com` }),
  )
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/platform/v1/import',
    payload: lines.join('\n'),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
  })
  expect([reply.statusCode, reply.json().created, reply.headers['ratelimit-remaining']]).toEqual([200, 500, '1'])
})

test('every answer to a valid key states its limit, and no other does', async () => {
  const { key } = await createKey(server.system, { name: 'asking' })
  const limited = async (method: 'GET' | 'PATCH' | 'PUT', path: string, authorization = `Bearer ${key}`) => {
    const url = `/api/platform/v1${path}`
    const reply = await server.app.inject({ method, url, headers: { authorization } })
    return [reply.statusCode, reply.headers['ratelimit-limit']]
  }
  expect(await limited('GET', '/members')).toEqual([200, '100'])
  expect(await limited('GET', '/members/nobody')).toEqual([404, '100'])
  expect(await limited('PUT', '/members/nobody')).toEqual([400, '100'])
  expect(await limited('GET', '/members', 'Bearer wrong')).toEqual([401, undefined])
  expect(await limited('PATCH', '/members')).toEqual([405, undefined])
  expect(await limited('GET', '/nothing')).toEqual([404, undefined])
})
