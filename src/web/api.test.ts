import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test, vi } from 'vitest'
import { analyticsRoutes } from '#contract/analytics.ts'
import { memberRoutes } from '#contract/members.ts'
import { browserZone, formatInstant, getTimeZone } from '#web/lib/dates.ts'
import { authRoutes } from '#contract/auth.ts'
import { tokenRoutes } from '#contract/tokens.ts'
import { call, describeChangeFailure, isOutcomeUnknown, isUnauthorized, describeError } from './api.ts'

/** What the next calls are answered with. */
let answer = { status: 200, body: '' }
/** Called with a request that is never answered to its end. */
let hold: ((part: ServerResponse, url: string) => void) | undefined
const server = createServer(({ url = '' }, reply) =>
  hold ? hold(reply, url) : reply.writeHead(answer.status).end(answer.body),
).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
const { fetch } = globalThis
vi.stubGlobal('navigator', { onLine: true })
vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init))
afterAll(() => {
  vi.unstubAllGlobals()
  server.closeAllConnections()
  server.close()
})

async function catchError(status: number, body: string): Promise<unknown> {
  answer = { status, body }
  return call(memberRoutes.list, {}).catch((error: unknown) => error)
}

test.each([
  [404, '{"message":"No such user","code":"not_found"}', '404: {"message":"No such user","code":"not_found"}'],
  [502, '<h1>Bad gateway</h1>', '502: <h1>Bad gateway</h1>'],
  [500, '', '500: Internal Server Error'],
  [401, '', '401: Unauthorized'],
])(
  'a refusal with %i raises its status, a colon and the body or status text (product 9.1)',
  async (status, body, message) => {
    expect(await catchError(status, body)).toMatchObject({ message })
  },
)

test('the server’s own words are shown where it gave some (product 9.1)', async () => {
  expect(describeError(await catchError(409, '{"message":"Seen first","code":"conflict"}'), 'Failed')).toBe(
    'Seen first',
  )
  const fault = '{"message":"Internal Server Error","code":"internal","requestId":"5e1c-1"}'
  expect(describeError(await catchError(500, fault), 'Failed')).toBe('Internal Server Error (request 5e1c-1)')
  expect(describeError(await catchError(502, '<h1>Bad gateway</h1>'), 'Failed')).toBe('Failed')
})

test('marks that pile up on one letter are cut to what a script needs', async () => {
  const reply = { message: `Lu\u0301ci${'\u0303'.repeat(100)}a`, code: 'conflict' }
  expect(describeError(await catchError(409, JSON.stringify(reply)))).toBe(`Lu\u0301ci${'\u0303'.repeat(6)}a`)
})

test('an instant in the server’s words is shown in the browser’s zone (product 9.8)', async () => {
  const set = (at: string) => `This order is paid (set by joan on ${at})`
  const reply = { message: set('Sep 26, 2025 at 19:18 UTC'), code: 'already_banned' }
  expect(describeError(await catchError(409, JSON.stringify(reply)))).toBe(
    set(formatInstant('2025-09-26T19:18:42.000Z')),
  )
})

test('only a 401 that says Unauthorized ends the session (product 9.2)', async () => {
  expect(isUnauthorized(await catchError(401, '{"message":"Unauthorized","code":"unauthorized"}'))).toBe(true)
  expect(isUnauthorized(await catchError(401, '{"message":"Invalid credentials","code":"invalid"}'))).toBe(false)
  expect(isUnauthorized(await catchError(403, '{"message":"Unauthorized","code":"forbidden"}'))).toBe(false)
})

/** What a call raises whose answer stops after `sent`, once its time is over. */
async function catchTimeout(start: () => Promise<unknown>, sent?: string): Promise<unknown> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const held = new Promise<void>((resolve) => {
    hold = (reply) => {
      if (sent !== undefined) reply.writeHead(200, { 'content-length': 100 }).write(sent)
      resolve()
    }
  })
  try {
    const raised = start().catch((error: unknown) => error)
    await held
    vi.advanceTimersByTime(60_000)
    return await raised
  } finally {
    hold = undefined
    vi.useRealTimers()
  }
}
const createToken = () =>
  call(tokenRoutes.setActive, { params: { kind: 'earning', id: '1' }, body: { isActive: true }, ifMatch: 1 })

test('a read without an answer is given up and says how long it took', async () => {
  const error = await catchTimeout(() => call(memberRoutes.list, {}))
  expect(describeError(error)).toBe('The server took longer than 20 s. Try again.')
  expect(isOutcomeUnknown(error)).toBe(false)
})

test('a read whose answer stops in the middle is given up too', async () => {
  const error = await catchTimeout(() => call(memberRoutes.list, {}), '{"users":')
  expect(describeError(error)).toBe('The server took longer than 20 s. Try again.')
})

test('a change without an answer does not say that it failed', async () => {
  const error = await catchTimeout(createToken)
  const words = 'The server took longer than 20 s. The change may or may not have happened. Reload to see.'
  expect(describeError(error)).toBe(words)
  expect(describeChangeFailure(error, 'Failed to update token status')).toBe(words)
})

test('a change whose connection breaks does not say that it failed', async () => {
  hold = (reply) => reply.destroy()
  const error = await createToken().catch((raised: unknown) => raised)
  hold = undefined
  expect(describeChangeFailure(error, 'Failed')).toBe(
    "The server can't be reached. The change may or may not have happened. Reload to see.",
  )
})

test('a sign-in without an answer is simply tried again', async () => {
  const error = await catchTimeout(() => call(authRoutes.login, { body: { username: 'ada', password: 'x' } }))
  expect(describeError(error)).toBe('The server took longer than 20 s. Try again.')
})

test('a call that is no longer wanted raises no message of its own', async () => {
  const unwanted = new AbortController()
  hold = () => unwanted.abort()
  const error = await call(memberRoutes.list, { signal: unwanted.signal }).catch((raised: unknown) => raised)
  hold = undefined
  expect(error).toMatchObject({ name: 'AbortError' })
})

test('a time zone that the server does not know is asked again as UTC', async () => {
  browserZone.set('Mars/Olympus_Mons')
  const asked: string[] = []
  hold = (reply, url) => {
    asked.push(url)
    if (url.endsWith('timeZone=UTC')) return void reply.end('{"todayTransactions":3}')
    const details = [{ field: 'timeZone', message: 'must be an IANA time zone' }]
    reply
      .writeHead(400)
      .end(JSON.stringify({ message: 'timeZone: must be an IANA time zone', code: 'invalid', details }))
  }
  const figures = await call(analyticsRoutes.figures, { query: { timeZone: getTimeZone() } })
  hold = undefined
  expect(figures).toEqual({ todayTransactions: 3 })
  expect(asked.map((url) => url.split('?')[1])).toEqual(['timeZone=Mars%2FOlympus_Mons', 'timeZone=UTC'])
  expect([browserZone.get(), getTimeZone()]).toEqual([null, 'UTC'])
})
