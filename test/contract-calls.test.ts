import { expect, test } from 'vitest'
import { isForAdmins, type Access } from '#contract/permissions.ts'
import { readScope } from '#contract/scopes.ts'
import { allRoutes, type CompleteRoute } from '#contract/schemas/routes.ts'
import { createKey, maxCallsPerSecond } from '#server/features/keys/keys.ts'
import { listStatuses } from '#server/openapi/replies.ts'
import { buildHostileCalls } from './support/hostile-calls.ts'
import { startServer } from './support/server.ts'

const calls: [string, CompleteRoute][] = allRoutes.map(({ route }) => [`${route.method} ${route.path}`, route])
const documented = new Map(allRoutes.map((named) => [named.route, listStatuses(named)]))
const adminCalls = calls.filter(([, route]) => isForAdmins(route.access))

const samples: Record<string, string> = {
  id: 'm-1',
  action: 'approve',
  token: 'x'.repeat(43),
  walletAddress: `0x${'0'.repeat(40)}`,
}
const buildUrl = (route: CompleteRoute) => route.path.replace(/:(\w+)/g, (_, name: string) => samples[name] ?? 'x')

const server = await startServer()

test.each(calls)('%s is served', async (_name, { method, path }) => {
  expect(server.app.hasRoute({ method, url: path })).toBe(true)
})

test.each(adminCalls)('%s is refused without a session, naming Unauthorized (product 8.5)', async (_name, route) => {
  const reply = await server.as(null)(route.method, buildUrl(route))
  expect(reply.statusCode).toBe(401)
  expect(reply.json()).toMatchObject({ code: 'unauthorized', message: expect.stringContaining('Unauthorized') })
  expect(reply.headers['cache-control']).toBe('no-store')
})

test.each(adminCalls.filter(([, route]) => route.method !== 'GET'))(
  '%s is refused when another site asks for it, session or not',
  async (_name, route) => {
    const reply = await server.as('ada')(route.method, buildUrl(route), undefined, { 'sec-fetch-site': 'cross-site' })
    expect(reply.statusCode).toBe(403)
  },
)

test('only known calls answer without a session or a platform key', () => {
  const open = calls.filter(([, { access }]) => access === 'public' || access === 'provider').map(([name]) => name)
  expect(open).toEqual([
    'POST /api/platform/v1/kyc-results',
    'POST /api/auth/login',
    'POST /api/auth/logout',
    // Tells a browser of its own former session alone.
    'GET /api/auth/session-ending',
    'POST /api/auth/oidc/start',
  ])
})

const isForPlatform = (access: Access) => readScope(access) !== null || access === 'admin or platform'
const keyCalls = calls.filter(([, { access }]) => isForPlatform(access))
test.each(keyCalls)('%s is refused with a key that is not valid (product 10.2)', async (_name, route) => {
  const headers = { authorization: 'Bearer no-such-key-0123456789-0123456789' }
  const reply = await server.as('ada')(route.method, buildUrl(route), undefined, headers)
  expect([401, 429]).toContain(reply.statusCode)
})

test('an unknown call is a JSON 404 and never the page', async () => {
  for (const url of ['/api', '/api/', '/api/nothing', '/api/users/m-1/x.css']) {
    const reply = await server.as('ada')('GET', url)
    expect(reply.statusCode, url).toBe(404)
    expect(reply.json(), url).toMatchObject({ code: 'not_found' })
  }
})

test('a trailing slash makes no difference (product 8.1)', async () => {
  const [plain, slashed] = await Promise.all(
    ['/api/users?limit=5&page=1', '/api/users/?limit=5&page=1'].map((url) => server.as('ada')('GET', url)),
  )
  expect(plain!.statusCode).toBe(200)
  expect(slashed!.json()).toEqual(plain!.json())
})

test('every failure of the image call carries what the viewer shows (product 8.5)', async () => {
  for (const [who, token, status] of [
    [null, 'x', 401],
    ['ada', 'y'.repeat(250), 400],
    ['ada', 'z', 404],
  ] as const) {
    const reply = await server.as(who)('GET', `/api/documents/proxy/${token}`)
    expect(reply.statusCode).toBe(status)
    expect(reply.json()).toMatchObject({
      status,
      code: expect.stringMatching(/^[a-z_]+$/),
      message: expect.stringMatching(/\w/),
      suggestion: expect.stringMatching(/\w/),
    })
  }
})

test('page and limit are digits and nothing else (product 4.2)', async () => {
  for (const value of ['0x10', '1e1', '1.0', '%201', '+1', '-1', 'NaN'])
    for (const name of ['page', 'limit']) {
      const reply = await server.as('ada')('GET', `/api/users?${name}=${value}`)
      expect(reply.statusCode, `${name}=${value}`).toBe(400)
      expect(reply.json().message).toContain(`${name}: must be a whole number`)
    }
  expect((await server.as('ada')('GET', '/api/users?page=01&limit=')).statusCode).toBe(200)
})

test('an If-Match that is not a version is refused by changes and not minded by reads (product 8.4)', async () => {
  const headers = { 'if-match': 'W/"x"' }
  expect((await server.as('ada')('GET', '/api/users', undefined, headers)).statusCode).toBe(200)
  const change = await server.as('ada')('POST', '/api/users/m-1/ban', { reason: 'Fraud' }, headers)
  expect(change.statusCode).toBe(400)
  expect(change.json().message).toContain('If-Match')
})

// The highest rate of a key, so that no call is refused as too many.
const { key } = await createKey(server.system, { name: 'contract-calls', callsPerSecond: maxCallsPerSecond })

/** The caller, and the body's form: JSON, or what the call takes. */
function chooseCaller(route: CompleteRoute) {
  if (readScope(route.access) === null) return { call: server.as(isForAdmins(route.access) ? 'ada' : null), extra: {} }
  const extra = { authorization: `Bearer ${key}`, 'content-type': route.consumes?.[0] ?? 'application/json' }
  return { call: server.as(null), extra }
}

test('hostile parameters, queries and bodies are a 4xx that says why', async () => {
  const seen = new Map<number, number>()
  for (const [name, route] of calls) {
    if (route.path.startsWith('/api/live')) continue
    const { call, extra } = chooseCaller(route)
    for (const { url, body, headers } of buildHostileCalls(route)) {
      const reply = await call(route.method, url, body, { ...headers, ...extra })
      seen.set(reply.statusCode, (seen.get(reply.statusCode) ?? 0) + 1)
      const isChainOff = reply.statusCode === 503 && reply.json().code === 'chain_disabled'
      expect(
        reply.statusCode < 500 || isChainOff,
        `${name} ${url} ${JSON.stringify(body)?.slice(0, 200)} → ${reply.body}`,
      ).toBe(true)
      expect(documented.get(route), `${name} ${url} → ${reply.statusCode}: not documented`).toContain(reply.statusCode)
      if (reply.statusCode < 400) continue
      expect(reply.json().message, `${name} ${url}`).toMatch(/\w/)
      expect(reply.json().code, `${name} ${url}`).toMatch(/^[a-z_]+$/)
    }
  }
  expect(seen.get(400)).toBeGreaterThan(200)
  expect(seen.get(429)).toBeUndefined()
})
