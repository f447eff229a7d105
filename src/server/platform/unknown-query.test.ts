import { expect, test } from 'vitest'
import { platformRoutes } from '#contract/platform-api.ts'
import type { Route } from '#contract/route.ts'
import { makeMember } from '#test/support/make.ts'
import { buildSecret } from '#test/support/sign-result.ts'
import { readAllTables, createPlatformCaller } from '#test/support/platform-calls.ts'
import { createKey, maxCallsPerSecond } from '#server/features/keys/keys.ts'
import { standardScopes } from '#contract/scopes.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer({ KYC_WEBHOOK_SECRET: buildSecret(1) })
const call = createPlatformCaller(server)
const scopes = [...standardScopes, 'members.erase'] as const
const { key } = await createKey(server.system, { name: 'all', scopes, callsPerSecond: maxCallsPerSecond })
const routes: [string, Route][] = Object.values(platformRoutes).map((route) => [`${route.method} ${route.path}`, route])

test.each(routes)('%s refuses an unknown query parameter by name', async (_name, { method, path, consumes }) => {
  const url = `${path.replace(':attempt', '1').replace(':kind', 'front').replaceAll(/:\w+/g, 'x')}?unknown=1`
  const headers = { authorization: `Bearer ${key}`, 'content-type': consumes?.[0] ?? 'application/json' }
  const payload = method === 'GET' ? {} : { payload: '{}' }
  const reply = await server.app.inject({ method, url, headers, ...payload })
  expect([reply.statusCode, reply.json().code], reply.body).toEqual([400, 'invalid'])
  expect(reply.json().details).toEqual([{ field: 'unknown', message: 'is not known here' }])
  expect(reply.json().message).toMatch(/^unknown: is not known here; (only \w|this call has no query parameters$)/)
})

test('a call meant as a dry run where there is none stores nothing', async () => {
  const stands = await readAllTables(server)
  const reply = await call('PUT', '/members/d?dryRun=true', { email: 'd@example.com' })
  expect(reply.json()).toMatchObject({ code: 'invalid', message: expect.stringMatching(/^dryRun: /) })
  expect(await readAllTables(server)).toEqual(stands)
})

test.each([
  ['/orders?updatedsince=2026-01-05T09:00:00Z', 'updatedsince'],
  ['/orders?cursor=abc', 'cursor'],
  ['/orders?After=', 'After'],
])('GET %s is refused, and names what it takes', async (path, name) => {
  const { message } = (await call('GET', path)).json()
  expect(message).toBe(`${name}: is not known here; only after, updatedSince and limit`)
})

test('several unknown parameters are all named, without their control characters', async () => {
  const { id } = await makeMember(server)
  const reply = await call('GET', `/members/${id}/wallets?x=1&%1b[2J=2&limit=5`)
  expect(reply.json().details.map(({ field }: { field: string }) => field)).toEqual(['x', '\uFFFD[2J'])
})

test("a list of the console's own ignores unknown parameters", async () => {
  expect((await server.as('ada')('GET', '/api/users?unknown=1')).statusCode).toBe(200)
})
