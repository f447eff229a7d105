import { beforeEach, expect, test } from 'vitest'
import { omit } from '#server/lib/omit.ts'
import { startHostileProvider, type NextAnswer } from '#test/support/fakes/hostile-provider.ts'
import { ProviderBrowser } from '#test/support/provider-browser.ts'
import { providerSettings } from '#test/support/provider.ts'
import { startServer } from '#test/support/server.ts'

const hostile = await startHostileProvider(providerSettings.OIDC_CLIENT_SECRET)
const server = await startServer({
  OIDC_ISSUER: hostile.issuer,
  OIDC_NAME: 'Example ID',
  OIDC_ROLES: 'auditors=viewer',
  ...providerSettings,
})
// Begins are counted by network, and all come from one here.
beforeEach(() => server.sql('DELETE FROM sign_in_throttles'))

const openBrowser = () => new ProviderBrowser(server)
const now = () => Math.floor(Date.now() / 1000)

/** What the provider was asked, and an honest answer to it. */
async function begin(browser: ProviderBrowser) {
  const asked = new URL(await browser.begin()).searchParams
  const [state, nonce] = [asked.get('state')!, asked.get('nonce')!]
  const claims = {
    iss: hostile.issuer,
    sub: 'vera',
    aud: 'console',
    iat: now(),
    exp: now() + 60,
    nonce,
    groups: ['auditors'],
    preferred_username: 'vera',
  }
  const back = (more: Record<string, string> = {}) =>
    `http://localhost/api/auth/oidc/callback?${new URLSearchParams({ code: 'a-code', state, iss: hostile.issuer, ...more })}`
  return { asked, claims, back }
}

test('the request names what the answer is bound to', async () => {
  const { asked } = await begin(openBrowser())
  expect(Object.fromEntries(asked)).toEqual({
    client_id: 'console',
    response_type: 'code',
    redirect_uri: 'http://localhost/api/auth/oidc/callback',
    scope: 'openid profile',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    max_age: '43200',
  })
})

test('an honest answer opens a session', async () => {
  const browser = openBrowser()
  const { claims, back } = await begin(browser)
  hostile.answer({ claims })
  expect((await browser.return(back())).statusCode).toBe(200)
  expect(await browser.whoAmI()).toMatchObject({ username: 'vera' })
})

test.each<[string, (honest: Record<string, unknown>) => Partial<NextAnswer>]>([
  ['another nonce', (claims) => ({ claims: { ...claims, nonce: 'x'.repeat(43) } })],
  ['no nonce', (claims) => ({ claims: omit(claims, ['nonce']) })],
  ['another issuer', (claims) => ({ claims: { ...claims, iss: 'https://login.evil.example' } })],
  ['another audience', (claims) => ({ claims: { ...claims, aud: 'another-console' } })],
  ['two audiences without azp', (claims) => ({ claims: { ...claims, aud: ['console', 'another-console'] } })],
  ['an end in the past', (claims) => ({ claims: { ...claims, iat: now() - 600, exp: now() - 300 } })],
  ['a sign-in older than was asked for', (claims) => ({ claims: { ...claims, auth_time: now() - 13 * 3600 } })],
  ['no subject', (claims) => ({ claims: omit(claims, ['sub']) })],
  ['a subject of 300 characters', (claims) => ({ claims: { ...claims, sub: 'x'.repeat(300) } })],
  ['no signature', (claims) => ({ claims, signing: 'none' })],
  ['the secret as its key', (claims) => ({ claims, signing: 'HS256 with the secret' })],
  ['the public key as its key', (claims) => ({ claims, signing: 'HS256 with the public key' })],
  ['the signature of another key', (claims) => ({ claims, signing: 'foreign key' })],
  ['an unknown key', (claims) => ({ claims, header: { kid: 'unknown' } })],
  ['a critical header', (claims) => ({ claims, header: { crit: ['exp'] } })],
])('an ID token with %s opens nothing, and is a high event', async (_name, answer) => {
  const browser = openBrowser()
  const { claims, back } = await begin(browser)
  hostile.answer(answer(claims))
  const reply = await browser.return(back())
  expect([reply.statusCode, reply.body.includes('This sign-in can’t be trusted')]).toEqual([403, true])
  expect(reply.cookies).toEqual([])
  expect(await browser.whoAmI()).toBeNull()
  const [event] = await server.sql('SELECT severity, event_type FROM security_events ORDER BY id DESC LIMIT 1')
  expect(event).toEqual({ severity: 'high', event_type: 'provider_answer_refused' })
})

test.each([
  ['an hour ago', { auth_time: now() - 3600 }, 403],
  ['just now', { auth_time: now() }, 200],
  ['at no time', {}, 403],
])('a sign-in for which the provider asked %s is as recent here (product 2.9)', async (_name, more, status) => {
  const browser = openBrowser()
  const { claims, back } = await begin(browser)
  hostile.answer({ claims: { ...claims, ...more } })
  await browser.return(back())
  expect((await browser.call('POST', '/api/account/factors/totp/options')).statusCode).toBe(status)
})

test.each([
  ['an hour ago', { auth_time: now() - 3600 }],
  ['at no time', {}],
])('a provider that asked %s confirms nothing', async (_name, more) => {
  const browser = openBrowser()
  const first = await begin(browser)
  hostile.answer({ claims: first.claims })
  await browser.return(first.back())
  const asked = new URL(await browser.begin('/api/auth/oidc/step-up', undefined)).searchParams
  hostile.answer({ claims: { ...first.claims, nonce: asked.get('nonce'), ...more } })
  const reply = await browser.return(first.back({ state: asked.get('state')! }))
  expect([reply.statusCode, reply.body.includes('does not say that it has just asked')]).toEqual([403, true])
})

test.each<[string, Record<string, string>]>([
  ['another provider', { iss: 'https://login.evil.example' }],
  ['no provider', { iss: '' }],
])('an answer that names %s redeems no code', async (_name, more) => {
  const browser = openBrowser()
  const { claims, back } = await begin(browser)
  hostile.answer({ claims })
  const before = hostile.redemptions
  expect((await browser.return(back(more))).statusCode).toBe(403)
  expect(hostile.redemptions).toBe(before)
})

test('a state of another browser, a used one and an old one are over', async () => {
  const [victim, other] = [openBrowser(), openBrowser()]
  const own = await begin(victim)
  const foreign = await begin(other)
  hostile.answer({ claims: own.claims })
  const before = hostile.redemptions
  const swapped = await victim.return(foreign.back())
  expect([swapped.statusCode, swapped.body.includes('This sign-in is over')]).toEqual([400, true])
  const without = await openBrowser().return(own.back())
  expect(without.statusCode).toBe(400)
  expect(hostile.redemptions).toBe(before)
  const third = openBrowser()
  const late = await begin(third)
  await server.sql(`UPDATE oidc_flows SET expires_at = now() - interval '1 second'`)
  expect((await third.return(late.back())).statusCode).toBe(400)
  expect(hostile.redemptions).toBe(before)
})

test('of several returns with one state one redeems the code', async () => {
  const browser = openBrowser()
  const { claims, back } = await begin(browser)
  hostile.answer({ claims })
  const before = hostile.redemptions
  const cookie = browser.console.header
  const returns = Array.from({ length: 5 }, () =>
    server.app.inject({ url: new URL(back()).pathname + new URL(back()).search, headers: { cookie } }),
  )
  const statuses = (await Promise.all(returns)).map(({ statusCode }) => statusCode)
  expect(statuses.toSorted()).toEqual([200, 400, 400, 400, 400])
  expect(hostile.redemptions).toBe(before + 1)
})

test('a code that the provider calls used or old is over', async () => {
  const browser = openBrowser()
  const { back } = await begin(browser)
  hostile.answer({ status: 400, body: { error: 'invalid_grant', error_description: '<script>alert(1)</script>' } })
  const reply = await browser.return(back())
  expect([reply.statusCode, reply.body.includes('This sign-in is over')]).toEqual([400, true])
  expect(reply.body).not.toContain('alert')
})

test.each([
  ['a failure of the provider', { status: 500, body: {} }, 503],
  ['an unknown client', { status: 401, body: { error: 'invalid_client' } }, 502],
])('%s is told in our own words', async (_name, answer, status) => {
  const browser = openBrowser()
  const { back } = await begin(browser)
  hostile.answer(answer)
  expect((await browser.return(back())).statusCode).toBe(status)
})

test('an address of the console that the provider does not lead to begins nothing', async () => {
  const reply = await openBrowser().call('POST', '/api/auth/oidc/start', {}, { host: '127.0.0.1:3000' })
  expect([reply.statusCode, reply.json().code]).toEqual([503, 'provider_unavailable'])
  expect(reply.json().message).toContain('open the console there')
})

test('pages of other sites begin nothing', async () => {
  const reply = await openBrowser().call('POST', '/api/auth/oidc/start', {}, { 'sec-fetch-site': 'cross-site' })
  expect(reply.statusCode).toBe(403)
})

test('HEAD uses nothing up', async () => {
  const browser = openBrowser()
  const { claims, back } = await begin(browser)
  hostile.answer({ claims })
  const url = new URL(back())
  await server.app.inject({
    method: 'HEAD',
    url: url.pathname + url.search,
    headers: { cookie: browser.console.header },
  })
  expect((await browser.return(back())).statusCode).toBe(200)
})
