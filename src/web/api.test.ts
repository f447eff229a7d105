import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test, vi } from 'vitest'
import { userRoutes } from '#contract/users.ts'
import { formatInstant } from '#web/lib/dates.ts'
import { call, isUnauthorized, serverMessage } from './api.ts'

/** What the next calls are answered with. */
let answer = { status: 200, body: '' }
const server = createServer((_request, reply) => reply.writeHead(answer.status).end(answer.body)).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
const { fetch } = globalThis
vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init))
afterAll(() => {
  vi.unstubAllGlobals()
  server.close()
})

async function raisedBy(status: number, body: string): Promise<unknown> {
  answer = { status, body }
  return call(userRoutes.list, {}).catch((error: unknown) => error)
}

test.each([
  [404, '{"message":"No such user","code":"not_found"}', '404: {"message":"No such user","code":"not_found"}'],
  [502, '<h1>Bad gateway</h1>', '502: <h1>Bad gateway</h1>'],
  [500, '', '500: Internal Server Error'],
  [401, '', '401: Unauthorized'],
])(
  'SPEC 8: a refusal with %i raises its status, a colon and a space, then the body or the status text',
  async (status, body, message) => {
    expect(await raisedBy(status, body)).toMatchObject({ message })
  },
)

test('SPEC 8: the server’s own words are shown where it gave some', async () => {
  expect(serverMessage(await raisedBy(409, '{"message":"Seen first","code":"conflict"}'), 'Failed')).toBe('Seen first')
  expect(serverMessage(await raisedBy(502, '<h1>Bad gateway</h1>'), 'Failed')).toBe('Failed')
})

test('PRODUCT 3.21: an instant in the server’s words is shown in the browser’s zone', async () => {
  const set = (at: string) => `This order is paid (set by joan on ${at})`
  const reply = { message: set('Sep 26, 2025 at 19:18 UTC'), code: 'conflict' }
  expect(serverMessage(await raisedBy(409, JSON.stringify(reply)))).toBe(set(formatInstant('2025-09-26T19:18:42.000Z')))
})

test('SPEC 8: only a 401 that says Unauthorized ends the session; a wrong password does not', async () => {
  expect(isUnauthorized(await raisedBy(401, '{"message":"Unauthorized","code":"unauthorized"}'))).toBe(true)
  expect(isUnauthorized(await raisedBy(401, '{"message":"Invalid credentials","code":"invalid"}'))).toBe(false)
  expect(isUnauthorized(await raisedBy(403, '{"message":"Unauthorized","code":"forbidden"}'))).toBe(false)
})
