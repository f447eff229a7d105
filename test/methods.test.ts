import { expect, test } from 'vitest'
import { cookieHeader, createBrowserCalls } from './support/browser-session.ts'
import { startServer } from './support/server.ts'

const server = await startServer()

test('HEAD answers as its GET does, without a body', async () => {
  await server.addOperator('grace', 'super_admin')
  const { cookies } = await createBrowserCalls(server).signIn('grace')
  for (const [url, status] of [
    ['/live', 200],
    ['/ready', 200],
    ['/api/users', 200],
    ['/api/users/nobody', 404],
    ['/api/users?limit=0', 400],
    ['/api/live', 200],
    ['/users', 200],
  ] as const) {
    const reply = await server.app.inject({ method: 'HEAD', url, headers: { cookie: cookieHeader(cookies) } })
    expect(reply.statusCode, url).toBe(status)
    expect(reply.body, url).toBe('')
    if (url !== '/users') expect(reply.headers['content-type'], url).not.toContain('html')
  }
  expect((await server.app.inject({ method: 'HEAD', url: '/api/users' })).statusCode).toBe(401)
})

test.each([
  ['DELETE', '/api/users', 'GET, HEAD'],
  ['DELETE', '/api/users/?limit=1', 'GET, HEAD'],
  ['OPTIONS', '/api/users/m-1', 'GET, HEAD'],
  ['GET', '/api/users/m-1/ban', 'POST'],
  ['POST', '/%61pi/users', 'GET, HEAD'],
  ['POST', '/api/platform/v1/members/m-1', 'DELETE, GET, HEAD, PUT'],
  ['HEAD', '/api/platform/v1/import', 'POST'],
  ['POST', '/live', 'GET, HEAD'],
] as const)('%s %s is 405 with the methods that the address has', async (method, url, allow) => {
  const reply = await server.app.inject({ method, url })
  expect([reply.statusCode, reply.headers.allow]).toEqual([405, allow])
  if (method !== 'HEAD') expect(reply.json()).toMatchObject({ code: 'method_not_allowed' })
})

test('an unknown address is 404 by any method, and lists none', async () => {
  for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS'] as const)
    for (const url of ['/api/nothing', '/api/users/m-1/nothing', '/api/platform/v2/members/m-1']) {
      const reply = await server.app.inject({ method, url })
      expect([reply.statusCode, reply.headers.allow], `${method} ${url}`).toEqual([404, undefined])
    }
})
