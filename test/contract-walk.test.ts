import { expect, test } from 'vitest'
import { analyticsRoutes } from '#contract/analytics.ts'
import { authRoutes } from '#contract/auth.ts'
import { documentRoutes } from '#contract/documents.ts'
import { liveRoutes } from '#contract/live.ts'
import { platformRoutes } from '#contract/platform.ts'
import type { Route } from '#contract/route.ts'
import { securityRoutes } from '#contract/security.ts'
import { transactionRoutes } from '#contract/transactions.ts'
import { userRoutes } from '#contract/users.ts'
import { walletRoutes } from '#contract/wallets.ts'
import { hostileCalls } from './hostile.ts'
import { startServer } from './server.ts'

const features = {
  analyticsRoutes,
  authRoutes,
  documentRoutes,
  liveRoutes,
  platformRoutes,
  securityRoutes,
  transactionRoutes,
  userRoutes,
  walletRoutes,
}
const calls: [string, Route][] = Object.values(features)
  .flatMap((routes): Route[] => Object.values(routes))
  .map((route) => [`${route.method} ${route.path}`, route])
const adminCalls = calls.filter(([, route]) => !route.access)

const samples: Record<string, string> = {
  id: 'm-1',
  action: 'approve',
  token: 'x'.repeat(43),
  walletAddress: `0x${'0'.repeat(40)}`,
}
const urlOf = (route: Route) => route.path.replace(/:(\w+)/g, (_, name: string) => samples[name] ?? 'x')

const server = await startServer()

test.each(calls)('%s is served', async (_name, { method, path }) => {
  expect(server.app.hasRoute({ method, url: path })).toBe(true)
})

test.each(adminCalls)('SPEC 6: %s is refused without a session, naming Unauthorized', async (_name, route) => {
  const reply = await server.as(null)(route.method, urlOf(route))
  expect(reply.statusCode).toBe(401)
  expect(reply.json()).toMatchObject({ code: 'unauthorized', message: expect.stringContaining('Unauthorized') })
  expect(reply.headers['cache-control']).toBe('no-store')
})

test.each(adminCalls.filter(([, route]) => route.method !== 'GET'))(
  '%s is refused when another site asks for it, session or not',
  async (_name, route) => {
    const reply = await server.as('ada')(route.method, urlOf(route), undefined, { 'sec-fetch-site': 'cross-site' })
    expect(reply.statusCode).toBe(403)
  },
)

test('only known calls answer without a session', () => {
  const open = calls.filter(([, route]) => route.access).map(([name]) => name)
  expect(open).toEqual(['POST /api/auth/login', 'POST /api/auth/logout', 'POST /api/platform/v1/import'])
})

test('an unknown call is a JSON 404 and never the page', async () => {
  for (const url of ['/api', '/api/', '/api/nothing', '/api/users/m-1/x.css']) {
    const reply = await server.as('ada')('GET', url)
    expect(reply.statusCode, url).toBe(404)
    expect(reply.json(), url).toMatchObject({ code: 'not_found' })
  }
})

test('PRODUCT 3.3: a trailing slash makes no difference', async () => {
  const [plain, slashed] = await Promise.all(
    ['/api/users?limit=5&page=1', '/api/users/?limit=5&page=1'].map((url) => server.as('ada')('GET', url)),
  )
  expect(plain!.statusCode).toBe(200)
  expect(slashed!.json()).toEqual(plain!.json())
})

test('hostile parameters, queries and bodies are always a 4xx that says why, never a 5xx', async () => {
  const seen = new Map<number, number>()
  for (const [name, route] of adminCalls) {
    if (route.path.startsWith('/api/live')) continue
    for (const { url, body, headers } of hostileCalls(route)) {
      const reply = await server.as('ada')(route.method, url, body, headers)
      seen.set(reply.statusCode, (seen.get(reply.statusCode) ?? 0) + 1)
      const isChainOff = reply.statusCode === 503 && reply.json().code === 'chain_disabled'
      expect(
        reply.statusCode < 500 || isChainOff,
        `${name} ${url} ${JSON.stringify(body)?.slice(0, 200)} → ${reply.body}`,
      ).toBe(true)
      if (reply.statusCode >= 400) expect(reply.json().message, `${name} ${url}`).toMatch(/\w/)
    }
  }
  expect(seen.get(400)).toBeGreaterThan(200)
}, 60_000)
