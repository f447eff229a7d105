import { beforeEach, describe, expect, test } from 'vitest'
import { isForAdmins } from '#contract/permissions.ts'
import { allRoutes } from '#contract/schemas/routes.ts'
import { readScope } from '#contract/scopes.ts'
import {
  forgetSteps,
  makeAppAdmin,
  newName,
  openBrowser,
  showCode,
  showWrongCode,
  signInNew,
} from '#test/support/factor-browser.ts'
import { startServer } from '#test/support/server.ts'
import { endAllSessions, setPassword } from './admins.ts'

const server = await startServer()

beforeEach(() => server.sql('DELETE FROM sign_in_throttles'))

describe('a sign-in that needs a second factor', () => {
  test('an admin without a factor is answered as before, byte for byte (product 2.8)', async () => {
    const username = newName()
    await signInNew(server, username)
    const reply = await openBrowser(server).signIn(username)
    const { admin } = reply.json()
    expect(reply.body).toBe(
      `{"admin":{"id":"${admin.id}","username":"${username}","createdAt":"${admin.createdAt}","lastSignInAt":"${admin.lastSignInAt}"}}`,
    )
    expect(reply.cookies.map(({ name }) => name)).toEqual(['sid', 'device'])
  })

  test('the right password names the methods and opens no session (product 2.8)', async () => {
    const { username, browser } = await makeAppAdmin(server)
    const reply = await browser.signIn(username)
    expect([reply.statusCode, reply.json()]).toEqual([200, { mfaRequired: true, methods: ['totp', 'recovery'] }])
    expect(reply.cookies).toMatchObject([{ name: 'mfa', httpOnly: true, sameSite: 'Strict', path: '/', maxAge: 300 }])
    expect((await browser.whoAmI()).statusCode).toBe(401)
  })

  test('a code completes it with a session, and the waiting one is over (product 2.8)', async () => {
    const { username, browser, app } = await makeAppAdmin(server)
    await browser.signIn(username)
    const waiting = browser.cookies.get('mfa')!
    const reply = await browser.mfa('totp', showCode(app.secret))
    expect(reply.statusCode, reply.body).toBe(200)
    expect(Object.keys(reply.json())).toEqual(['admin'])
    expect((await browser.whoAmI()).json().admin.username).toBe(username)
    expect(browser.cookies.has('mfa')).toBe(false)
    browser.cookies.set('mfa', waiting)
    await forgetSteps(server)
    expect((await browser.mfa('totp', showCode(app.secret))).json().code).toBe('unauthorized')
    const [row] = await server.sql(
      `SELECT s.authenticated_by, l.details->'methods' AS methods FROM sessions s JOIN audit_log l
       ON l.action = 'login' AND l.details->>'sessionId' = s.id::text ORDER BY l.id DESC LIMIT 1`,
    )
    expect(row).toEqual({ authenticated_by: ['password', 'totp'], methods: ['password', 'totp'] })
  })

  test('the cookie of the first step is over after five minutes (product 2.8)', async () => {
    const { username, browser, app } = await makeAppAdmin(server)
    await browser.signIn(username)
    await server.sql(`UPDATE auth_challenges SET expires_at = now() - interval '1 second' WHERE purpose = 'sign_in'`)
    const reply = await browser.mfa('totp', showCode(app.secret))
    expect([reply.statusCode, reply.json()]).toMatchObject([
      401,
      { code: 'unauthorized', message: 'Unauthorized: this sign-in is over; begin again with the password' },
    ])
  })

  test.each([
    ['another password', (username: string) => setPassword(server.system, username, 'quite another long phrase')],
    ['ending all sessions', (username: string) => endAllSessions(server.system, username)],
  ])('%s ends a sign-in that waits for its factor', async (_name, change) => {
    const { username, browser, app } = await makeAppAdmin(server)
    await browser.signIn(username)
    await change(username)
    expect((await browser.mfa('totp', showCode(app.secret))).statusCode).toBe(401)
    expect((await browser.whoAmI()).statusCode).toBe(401)
  })
})

describe('the cookie of the first step', async () => {
  const { username, browser } = await makeAppAdmin(server)
  await browser.signIn(username)
  const token = browser.cookies.get('mfa')!
  const others = allRoutes.filter(
    ({ route: { access, path } }) => isForAdmins(access) || readScope(access) !== null || path.includes('openapi'),
  )

  test.each(others.map(({ name, route }) => [name, route] as const))('opens no %s', async (_name, route) => {
    for (const cookie of [`mfa=${token}`, `sid=${token}`, `mfa=${token}; sid=${token}`]) {
      const url = route.path.replace(/:\w+/g, '1')
      const reply = await server.app.inject({ method: route.method, url, headers: { cookie } })
      expect(reply.statusCode).toBe(401)
    }
  })

  const steps = allRoutes.filter(({ route: { access } }) => access === 'second factor')
  test.each(steps.map(({ name, route }) => [name, route] as const))('a session opens no %s', async (_name, route) => {
    const reply = await server.as('grace')(route.method, route.path, {})
    expect([reply.statusCode, reply.json().code]).toEqual([401, 'unauthorized'])
  })
})

describe('wrong codes', () => {
  test('wrong codes lock the account as wrong passwords do, across both steps (product 2.5)', async () => {
    const { username, browser, app } = await makeAppAdmin(server)
    const wrong = showWrongCode(app.secret)
    expect((await browser.signIn(username, 'not the password')).statusCode).toBe(401)
    expect((await browser.signIn(username, 'nor this one')).statusCode).toBe(401)
    for (let at = 0; at < 3; at++) {
      // The right password takes nothing back.
      expect((await browser.signIn(username)).statusCode).toBe(200)
      expect((await browser.mfa('totp', wrong)).statusCode).toBe(401)
    }
    // The lock of a second, made longer than a busy machine takes for the next calls.
    const locks = await server.sql(
      `UPDATE sign_in_throttles SET locked_until = now() + interval '1 minute' WHERE locked_until IS NOT NULL RETURNING failures`,
    )
    expect(locks).toEqual([{ failures: 5 }])
    const locked = await browser.mfa('totp', showCode(app.secret))
    expect(locked.statusCode).toBe(429)
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0)
    expect((await browser.signIn(username)).statusCode).toBe(429)
    expect((await browser.mfa('recovery', app.recoveryCodes![0]!)).statusCode).toBe(429)
  })

  test('a sign-in that is completed starts the count again', async () => {
    const { username, browser, app } = await makeAppAdmin(server)
    for (let at = 0; at < 4; at++) {
      await browser.signIn(username)
      await browser.mfa('totp', showWrongCode(app.secret))
    }
    await browser.signIn(username)
    expect((await browser.mfa('totp', showCode(app.secret))).statusCode).toBe(200)
    const rows = await server.sql(`SELECT key FROM sign_in_throttles WHERE key LIKE 'account:%'`)
    expect(rows).toEqual([])
  })

  test('a wrong code after the right password is an audit row and a medium event', async () => {
    const { username, browser, app } = await makeAppAdmin(server)
    await browser.signIn(username)
    await browser.mfa('totp', showWrongCode(app.secret))
    const [event] = await server.sql(
      'SELECT severity, event_type, description FROM security_events ORDER BY id DESC LIMIT 1',
    )
    expect(event).toEqual({
      severity: 'medium',
      event_type: 'second_factor_failed',
      description: `Wrong second factor after the right password of ${username}`,
    })
    const [row] = await server.sql('SELECT action, details FROM audit_log ORDER BY id DESC LIMIT 1')
    expect(row).toEqual({ action: 'login_failed', details: { username, failures: 1 } })
  })

  test('forty guesses at once pass no limit', async () => {
    const { username, browser, app } = await makeAppAdmin(server)
    await browser.signIn(username)
    const wrong = showWrongCode(app.secret)
    await browser.mfa('totp', wrong)
    // The next failure locks for 15 minutes, more than any machine takes.
    await server.sql(`UPDATE sign_in_throttles SET failures = 14 WHERE key LIKE 'account:%'`)
    const replies = await Promise.all(Array.from({ length: 40 }, () => browser.mfa('totp', wrong)))
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([401, ...Array<number>(39).fill(429)])
  })
})
