import { beforeEach, describe, expect, test } from 'vitest'
import { allRoutes } from '#contract/schemas/routes.ts'
import {
  addApp,
  addPasskey,
  ageAuthentication,
  forgetSteps,
  newName,
  openBrowser,
  showCode,
  showWrongCode,
  signInNew,
  type TestBrowser,
} from '#test/support/factor-browser.ts'
import { password, startServer } from '#test/support/server.ts'

const server = await startServer()
const stepUp = (browser: TestBrowser, body: object) => browser.call('POST', '/api/auth/step-up', body)
/** A call that needs a recent sign-in. */
const tryChange = (browser: TestBrowser) => browser.call('POST', '/api/account/factors/totp/options')

beforeEach(() => server.sql('DELETE FROM sign_in_throttles'))

describe('calls that need a recent sign-in', async () => {
  const calls = allRoutes.filter(({ route }) => route.stepUp)
  const browser = await signInNew(server, newName())

  test.each(calls.map(({ name, route }) => [name, route] as const))(
    '%s is refused after 15 minutes, with the methods (product 2.9)',
    async (_name, route) => {
      await ageAuthentication(server)
      // Fastify's own type of methods has more.
      const method = route.method as 'POST'
      const reply = await browser.call(
        method,
        route.path.replace(/:\w+/g, '1'),
        route.method === 'DELETE' ? undefined : {},
      )
      expect([reply.statusCode, reply.json()]).toEqual([
        403,
        {
          code: 'step_up_required',
          message: 'This needs a sign-in of the last 15 minutes: confirm it’s you',
          details: { methods: ['password'] },
        },
      ])
    },
  )

  test('changes of factors, endpoints and the bank policy are among them', () => {
    expect(calls.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'endpoints.create',
        'endpoints.update',
        'endpoints.remove',
        'endpoints.rotateSecret',
        'endpoints.endOldSecret',
        'allocations.savePolicy',
        'factors.addPasskey',
        'factors.addTotp',
        'factors.rename',
        'factors.remove',
        'factors.createRecoveryCodes',
      ]),
    )
  })

  test('the refusal changes nothing', async () => {
    const counts = () =>
      server.sql('SELECT (SELECT count(*) FROM auth_challenges) AS begun, (SELECT count(*) FROM audit_log) AS logged')
    await ageAuthentication(server)
    const before = await counts()
    expect((await tryChange(browser)).statusCode).toBe(403)
    expect(await counts()).toEqual(before)
  })

  test('14 minutes after signing in they pass', async () => {
    const recent = await signInNew(server, newName())
    await server.sql(`UPDATE sessions SET authenticated_at = now() - interval '14 minutes 50 seconds'`)
    expect((await tryChange(recent)).statusCode).toBe(200)
  })
})

describe('a step-up', () => {
  test('the password of an admin without a factor renews it, with another cookie (product 2.9)', async () => {
    const username = newName()
    const browser = await signInNew(server, username)
    const old = browser.cookies.get('sid')!
    await ageAuthentication(server)
    expect((await browser.call('POST', '/api/auth/step-up/options')).json()).toEqual({
      methods: ['password'],
      passkey: null,
    })
    const reply = await stepUp(browser, { method: 'password', password })
    expect(Object.keys(reply.json())).toEqual(['validUntil'])
    const left = Date.parse(reply.json().validUntil) - Date.now()
    expect([left > 14 * 60_000, left < 15.5 * 60_000]).toEqual([true, true])
    expect((await tryChange(browser)).statusCode).toBe(200)
    expect(browser.cookies.get('sid')).not.toBe(old)
    const stale = await server.app.inject({ url: '/api/auth/user', headers: { cookie: `sid=${old}` } })
    expect(stale.statusCode).toBe(401)
    const [row] = await server.sql(
      `SELECT action, details->>'method' AS method FROM audit_log ORDER BY id DESC LIMIT 1`,
    )
    expect(row).toEqual({ action: 'step_up', method: 'password' })
  })

  test('another session of the admin is not renewed', async () => {
    const username = newName()
    const browser = await signInNew(server, username)
    const other = openBrowser(server)
    await other.signIn(username)
    await ageAuthentication(server)
    await stepUp(browser, { method: 'password', password })
    expect((await tryChange(other)).statusCode).toBe(403)
  })

  test('with a factor the password renews nothing, and the factor does (product 2.9)', async () => {
    const browser = await signInNew(server, newName())
    const app = await addApp(browser)
    await forgetSteps(server)
    await ageAuthentication(server)
    expect((await tryChange(browser)).json().details).toEqual({ methods: ['totp', 'recovery'] })
    const refused = await stepUp(browser, { method: 'password', password })
    expect([refused.statusCode, refused.json().message]).toEqual([400, 'method: must be totp or recovery'])
    const code = showCode(app.secret)
    expect((await stepUp(browser, { method: 'totp', code })).statusCode).toBe(200)
    expect((await tryChange(browser)).statusCode).toBe(200)
    expect((await stepUp(browser, { method: 'totp', code })).statusCode).toBe(401)
  })

  test('a passkey and a recovery code renew it, each once (product 2.9)', async () => {
    const browser = await signInNew(server, newName())
    const { device, recoveryCodes } = await addPasskey(browser)
    const { methods, passkey } = (await browser.call('POST', '/api/auth/step-up/options')).json()
    expect(methods).toEqual(['passkey', 'recovery'])
    const response = device.use(passkey)
    expect((await stepUp(browser, { method: 'passkey', response })).statusCode).toBe(200)
    expect((await stepUp(browser, { method: 'passkey', response })).statusCode).toBe(401)
    const [code] = recoveryCodes!
    expect((await stepUp(browser, { method: 'recovery', code })).statusCode).toBe(200)
    expect((await stepUp(browser, { method: 'recovery', code })).statusCode).toBe(401)
  })

  test('the challenge of another session is refused', async () => {
    const username = newName()
    const browser = await signInNew(server, username)
    const { device, recoveryCodes } = await addPasskey(browser)
    const other = openBrowser(server)
    await other.signIn(username)
    await other.mfa('recovery', recoveryCodes![0]!)
    const { passkey } = (await other.call('POST', '/api/auth/step-up/options')).json()
    expect((await stepUp(browser, { method: 'passkey', response: device.use(passkey) })).statusCode).toBe(401)
  })

  test('wrong codes in a session and wrong passwords share one count (product 2.5)', async () => {
    const username = newName()
    const browser = await signInNew(server, username)
    const app = await addApp(browser)
    const wrong = { method: 'totp', code: showWrongCode(app.secret) }
    for (let at = 0; at < 3; at++) expect((await stepUp(browser, wrong)).statusCode).toBe(401)
    for (let at = 0; at < 2; at++) expect((await browser.signIn(username, 'not the password')).statusCode).toBe(401)
    // The lock of a second, made longer than a busy machine takes for the next calls.
    await server.sql(
      `UPDATE sign_in_throttles SET locked_until = now() + interval '1 minute' WHERE locked_until IS NOT NULL`,
    )
    expect((await stepUp(browser, wrong)).statusCode).toBe(429)
    expect((await browser.signIn(username)).statusCode).toBe(429)
    expect((await browser.whoAmI()).statusCode).toBe(200)
    const events = await server.sql(
      `SELECT event_type, severity FROM security_events WHERE details->>'username' = $1 ORDER BY id`,
      [username],
    )
    expect(events.map(({ event_type, severity }) => `${event_type} ${severity}`)).toEqual([
      'factor_added high',
      'step_up_failed low',
      'step_up_failed low',
      'step_up_failed medium',
      'sign_in_failed medium',
      'sign_in_failed medium',
      'sign_in_locked high',
    ])
  })

  test('a wrong password is counted and leaves the session', async () => {
    const browser = await signInNew(server, newName())
    const reply = await stepUp(browser, { method: 'password', password: 'not it' })
    expect([reply.statusCode, reply.json()]).toEqual([
      401,
      { code: 'invalid_credentials', message: 'This password is not right' },
    ])
    expect((await browser.whoAmI()).statusCode).toBe(200)
    const rows = await server.sql<{ failures: number }>(
      `SELECT failures FROM sign_in_throttles WHERE key LIKE 'account:%'`,
    )
    expect(rows.map(({ failures }) => failures)).toContain(1)
  })
})
