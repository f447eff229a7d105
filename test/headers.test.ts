import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/core/config.ts'
import { connectPool as connectDatabase } from '#server/db/client.ts'
import { host, sendBytes } from './support/raw-calls.ts'
import { password, platformKey, startServer } from './support/server.ts'

const server = await startServer()
server.app.get('/fault', () => Promise.reject(new Error('secret of the inside')))
server.app.get('/deadlock', () => Promise.reject(Object.assign(new Error('deadlock detected'), { code: '40P01' })))

const call = (options: InjectOptions): Promise<LightMyRequestResponse> => server.app.inject(options)
const json = (payload: string, type = 'application/json') => ({ payload, headers: { 'content-type': type } })
const login = (given: Partial<InjectOptions>) => call({ method: 'POST', url: '/api/auth/login', ...given })
const upload = (headers: Record<string, string>, payload = '') =>
  call({ method: 'POST', url: '/api/platform/v1/import', payload, headers })

async function withoutDatabase() {
  const away = connectDatabase({ host: '127.0.0.1', port: 1 }, () => {})
  const app = await buildApp({ ...server.services, database: away })
  const reply = await app.inject({ url: '/api/users', headers: { cookie: 'sid=any' } })
  await app.close()
  await away.close()
  return reply
}

async function tooMany() {
  const wrong = () => login(json(JSON.stringify({ username: 'nobody', password })))
  for (let n = 0; n < 20; n++) {
    const reply = await wrong()
    if (reply.statusCode === 429) return reply
  }
  return wrong()
}

const nothing = "default-src 'none'; frame-ancestors 'none'"
const asset = `/assets/${readdirSync(join(import.meta.dirname, '../dist/web/assets')).find((name) => name.endsWith('.js'))}`

interface ExpectedReply {
  status: number
  code?: string
  csp?: string | RegExp
  cache?: string
}
/** docs/security.md, Headers, as a table: which reply, how it is provoked, and where it differs from every other. */
const replies: [string, ExpectedReply, () => Promise<LightMyRequestResponse>][] = [
  ['the page', { status: 200, csp: /^default-src 'none'; script-src 'self'; / }, () => call({ url: '/users' })],
  [
    'an asset',
    { status: 200, cache: 'public, max-age=31536000, immutable' },
    () => call({ url: asset, headers: { 'accept-encoding': 'identity' } }),
  ],
  ['an asset that is not there', { status: 404, code: 'not_found' }, () => call({ url: '/assets/gone-1.js' })],
  ['/live', { status: 200 }, () => call({ url: '/live' })],
  ['/ready', { status: 200 }, () => call({ url: '/ready' })],
  ['a call', { status: 200 }, () => server.as('ada')('GET', '/api/users')],
  ['a call by an address in disguise', { status: 200 }, () => server.as('ada')('GET', '/%61pi/users')],
  ['a wrong query', { status: 400, code: 'invalid' }, () => server.as('ada')('GET', '/api/users?limit=0')],
  ['an address that cannot be read', { status: 400, code: 'invalid' }, () => call({ url: '/api/users/%ff' })],
  ['no session', { status: 401, code: 'unauthorized' }, () => call({ url: '/api/users' })],
  [
    'another site',
    { status: 403, code: 'forbidden' },
    () => login({ ...json('{}'), headers: { 'sec-fetch-site': 'cross-site' } }),
  ],
  ['an unknown call', { status: 404, code: 'not_found' }, () => call({ url: '/api/nothing' })],
  ['an unknown call in disguise', { status: 404, code: 'not_found' }, () => call({ url: '/%61pi/nothing' })],
  ['a parameter without end', { status: 404, code: 'not_found' }, () => call({ url: `/api/users/${'x'.repeat(400)}` })],
  [
    'a method that is not one',
    { status: 405, code: 'method_not_allowed' },
    () => call({ method: 'DELETE', url: '/api/users' }),
  ],
  ['a large body', { status: 413, code: 'too_large' }, () => login(json(JSON.stringify('x'.repeat(70_000))))],
  ['a text', { status: 415, code: 'unsupported_media_type' }, () => login(json('{}', 'text/plain'))],
  [
    'JSON that is not UTF-8',
    { status: 415, code: 'unsupported_media_type' },
    () => login(json('{}', 'application/json; charset=utf-16')),
  ],
  [
    'an import that is not NDJSON',
    { status: 415, code: 'unsupported_media_type' },
    () => upload({ authorization: `Bearer ${platformKey}`, 'content-type': 'application/json' }, '{}'),
  ],
  ['too many sign-ins', { status: 429, code: 'too_many_requests' }, tooMany],
  ['a fault', { status: 500, code: 'internal' }, () => call({ url: '/fault' })],
  ['a deadlock that no retry has solved', { status: 503, code: 'busy' }, () => call({ url: '/deadlock' })],
  ['a database that is away', { status: 503, code: 'database_unavailable' }, withoutDatabase],
]

const always = {
  'x-request-id': expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': expect.stringMatching(/^camera=\(\), microphone=\(\), geolocation=\(\)/),
}

test.each(replies)(
  '%s carries every security header, and says nothing of what it runs on',
  async (_what, wanted, ask) => {
    const reply = await ask()
    expect(reply.statusCode).toBe(wanted.status)
    expect(reply.headers).toMatchObject(always)
    const { csp = nothing } = wanted
    expect(reply.headers['content-security-policy']).toEqual(typeof csp === 'string' ? csp : expect.stringMatching(csp))
    expect(reply.headers['cache-control']).toBe(wanted.cache ?? 'no-store')
    for (const name of ['server', 'x-powered-by', 'strict-transport-security'])
      expect(reply.headers).not.toHaveProperty(name)
    if (!wanted.code) return
    expect(reply.json()).toMatchObject({ code: wanted.code, message: expect.stringMatching(/\w/) })
    expect(reply.body).not.toMatch(/%ff|xxxx|secret|FST_|ECONN/)
  },
)

test('over https every reply tells the browser to stay there', async () => {
  const config = readConfig({ PUBLIC_URL: 'https://console.example.com', DATABASE_URL: 'postgres://localhost/unused' })
  const app = await buildApp({ ...server.services, config })
  for (const url of ['/live', '/api/users', '/api/users/%ff', '/users'])
    expect((await app.inject(url)).headers['strict-transport-security'], url).toBe(
      'max-age=63072000; includeSubDomains',
    )
  await app.close()
})

const raw: [string, string, RegExp][] = [
  ['no Host', 'GET /live HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
  ['an expectation', `GET /live HTTP/1.1\r\n${host}expect: miracles\r\n\r\n`, /^HTTP\/1\.1 417 /],
  ['headers without end', `GET /live HTTP/1.1\r\n${host}x: ${'x'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1\.1 431 /],
  ['no HTTP at all', 'nonsense\r\n\r\n', /^HTTP\/1\.1 400 /],
  ['an absolute address', `GET http://localhost/api/nothing HTTP/1.1\r\n${host}\r\n`, /^HTTP\/1\.1 404 /],
  ['an unreadable rest', `GET /api/nothing#%ff HTTP/1.1\r\n${host}\r\n`, /^HTTP\/1\.1 404 /],
]

test.each(raw)('%s is refused as JSON with the security headers', async (_what, sent, status) => {
  const answer = await sendBytes(server.app, sent)
  expect(answer).toMatch(status)
  expect(answer).toMatch(/"message":".+","code":"[a-z_]+"/)
  for (const line of [
    `content-security-policy: ${nothing}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
  ])
    expect(answer).toContain(`\r\n${line}\r\n`)
  expect(answer).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/)
})

test('over https what never becomes a request carries HSTS too', async () => {
  const config = readConfig({ PUBLIC_URL: 'https://localhost', DATABASE_URL: 'postgres://localhost/unused' })
  const app = await buildApp({ ...server.services, config })
  for (const [what, sent, status] of raw) {
    const answer = await sendBytes(app, sent)
    expect(answer, what).toMatch(status)
    expect(answer, what).toContain('\r\nstrict-transport-security: max-age=63072000; includeSubDomains\r\n')
  }
  await app.close()
})

test('every file of the pages names its character set, packed or not', async () => {
  const files = readdirSync(join(import.meta.dirname, '../dist/web'), { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => /\.(js|css|svg)$/.test(name)))
    for (const encoding of ['identity', 'gzip, br']) {
      const { headers } = await call({ url: `/${file}`, headers: { 'accept-encoding': encoding } })
      expect(headers['content-type'], file).toMatch(/; charset=utf-8$/)
    }
})

test('the page forbids translators, which replace the text that React changes', async () => {
  const { body } = await call({ url: '/login' })
  expect(body).toContain('<html lang="en" translate="no">')
  expect(body).toContain('<meta name="google" content="notranslate"')
})

test('where an address can’t be decoded, a person gets the page and a program 400', async () => {
  const visit = (path: string, accept: string) => call({ url: `${path}/%E0%A4%A`, headers: { accept } })
  const page = await visit('/users', 'text/html')
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  for (const refused of [await visit('/users', '*/*'), await visit('/api/users', 'text/html')])
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'invalid'])
})

test('the page’s template is never sent as it is', async () => {
  for (const accept of ['*/*', 'text/html']) {
    const reply = await call({ url: '/index.html', headers: { accept } })
    expect(reply.statusCode).toBe(accept === 'text/html' ? 200 : 404)
    expect(reply.body).not.toContain('__CSP_NONCE__')
  }
})

test.each(['//api/users', '/API/users', '///Api', '//api/platform/v1/members'])(
  '%s is not a page, and 404 in JSON',
  async (url) => {
    const reply = await call({ url, headers: { accept: 'text/html' } })
    expect([reply.statusCode, reply.json()]).toEqual([404, { code: 'not_found', message: 'No such address' }])
  },
)
