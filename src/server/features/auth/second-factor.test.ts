import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isForAdmins } from '#contract/permissions.ts'
import { readScope } from '#contract/scopes.ts'
import { allRoutes } from '#contract/schemas/routes.ts'
import { createAuthenticator } from '#test/support/authenticator.ts'
import {
  addApp,
  addPasskey,
  forgetSteps,
  openBrowser,
  showCode,
  showWrongCode,
  signInNew,
} from '#test/support/factor-browser.ts'
import { startServer } from '#test/support/server.ts'
import { endAllSessions, setPassword } from './admins.ts'

const server = await startServer()
let number = 0
const newName = () => `ada-${++number}`

/** An admin with an authenticator app, and a browser that he has never used. */
async function makeAppAdmin() {
  const username = newName()
  const first = await signInNew(server, username)
  const app = await addApp(first)
  await forgetSteps(server)
  return { username, first, app, browser: openBrowser(server, { from: `198.51.100.${number % 250}` }) }
}

/** An admin with a passkey, the browser in which he added it, and another one. */
async function makePasskeyAdmin() {
  const username = newName()
  const first = await signInNew(server, username)
  const { device, recoveryCodes } = await addPasskey(first)
  return { username, first, device, recoveryCodes, browser: openBrowser(server) }
}

async function readOptions(browser: ReturnType<typeof openBrowser>) {
  const reply = await browser.call('POST', '/api/auth/mfa/options')
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ methods: string[]; passkey: { challenge: string } }>()
}
const sendPasskey = (browser: ReturnType<typeof openBrowser>, response: object) =>
  browser.call('POST', '/api/auth/mfa/passkey', { response })

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
    const { username, browser } = await makeAppAdmin()
    const reply = await browser.signIn(username)
    expect([reply.statusCode, reply.json()]).toEqual([200, { mfaRequired: true, methods: ['totp', 'recovery'] }])
    expect(reply.cookies).toMatchObject([{ name: 'mfa', httpOnly: true, sameSite: 'Strict', path: '/', maxAge: 300 }])
    expect((await browser.whoAmI()).statusCode).toBe(401)
  })

  test('a code completes it with a session, and the waiting one is over (product 2.8)', async () => {
    const { username, browser, app } = await makeAppAdmin()
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
    const { username, browser, app } = await makeAppAdmin()
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
    const { username, browser, app } = await makeAppAdmin()
    await browser.signIn(username)
    await change(username)
    expect((await browser.mfa('totp', showCode(app.secret))).statusCode).toBe(401)
    expect((await browser.whoAmI()).statusCode).toBe(401)
  })
})

describe('the cookie of the first step', async () => {
  const { username, browser } = await makeAppAdmin()
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

describe('codes of an authenticator app', () => {
  afterEach(() => vi.useRealTimers())

  test('the same code twice is refused, in another browser too (product 2.8)', async () => {
    const { username, browser, app } = await makeAppAdmin()
    const code = showCode(app.secret)
    await browser.signIn(username)
    expect((await browser.mfa('totp', code)).statusCode).toBe(200)
    for (const again of [browser, openBrowser(server)]) {
      await again.signIn(username)
      const reply = await again.mfa('totp', code)
      expect([reply.statusCode, reply.json()]).toEqual([
        401,
        { code: 'invalid_credentials', message: 'This code is not valid' },
      ])
    }
  })

  test('the code that added the app does not sign in', async () => {
    const first = await signInNew(server, newName())
    const { secret } = await addApp(first)
    const { username } = (await first.whoAmI()).json().admin
    const browser = openBrowser(server)
    await browser.signIn(username)
    expect((await browser.mfa('totp', showCode(secret))).statusCode).toBe(401)
  })

  test.each([
    [-2, 401],
    [-1, 200],
    [1, 200],
    [2, 401],
  ])('a code %i steps of 30 s away is %i', async (steps, status) => {
    const { username, browser, app } = await makeAppAdmin()
    await browser.signIn(username)
    // The middle of the present step, so that the test does not cross its end.
    const [clock] = await server.sql<{ at: number }>('SELECT extract(epoch FROM now())::float8 * 1000 AS at')
    const rest = 30_000 - (clock!.at % 30_000)
    if (rest < 2000) await new Promise((resolve) => setTimeout(resolve, rest + 10))
    expect((await browser.mfa('totp', showCode(app.secret, steps))).statusCode).toBe(status)
  })

  test('an older code is refused after a newer one', async () => {
    const { username, browser, app } = await makeAppAdmin()
    await browser.signIn(username)
    expect((await browser.mfa('totp', showCode(app.secret))).statusCode).toBe(200)
    await browser.signIn(username)
    expect((await browser.mfa('totp', showCode(app.secret, -1))).statusCode).toBe(401)
  })

  test('the clock is the database’s, whatever the server’s says', async () => {
    const { username, browser, app } = await makeAppAdmin()
    const now = Date.now()
    await browser.signIn(username)
    vi.useFakeTimers({ toFake: ['Date'], now: now + 3_600_000 })
    expect((await browser.mfa('totp', showCode(app.secret))).statusCode).toBe(401)
    expect((await browser.mfa('totp', showCode(app.secret, 0, now))).statusCode).toBe(200)
  })

  test('a code with a blank in its middle counts', async () => {
    const { username, browser, app } = await makeAppAdmin()
    await browser.signIn(username)
    const code = showCode(app.secret).replace(/^(...)/, '$1 ')
    expect((await browser.mfa('totp', code)).statusCode).toBe(200)
  })

  test('one code sent eight times at once has one winner', async () => {
    const { username, app } = await makeAppAdmin()
    const browsers = Array.from({ length: 8 }, (_, at) => openBrowser(server, { from: `192.0.2.${at + 1}` }))
    for (const browser of browsers) await browser.signIn(username)
    const code = showCode(app.secret)
    const replies = await Promise.all(browsers.map((browser) => browser.mfa('totp', code)))
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(7).fill(401)])
  })
})

describe('recovery codes', () => {
  test('a code signs in once, however it is typed, and raises an event (product 2.8)', async () => {
    const { username, browser, recoveryCodes } = await makePasskeyAdmin()
    const [code] = recoveryCodes!
    await browser.signIn(username)
    expect((await browser.mfa('recovery', code!.replaceAll('-', ' ').toUpperCase())).statusCode).toBe(200)
    await browser.signIn(username)
    expect((await browser.mfa('recovery', code!)).statusCode).toBe(401)
    const rows = await server.sql(
      `SELECT details FROM audit_log WHERE action = 'use_recovery_code' AND details->>'username' = $1`,
      [username],
    )
    expect(rows).toEqual([{ details: { username, left: 9 } }])
    const events = await server.sql(
      `SELECT severity, description FROM security_events WHERE event_type = 'recovery_code_used' ORDER BY id DESC LIMIT 1`,
    )
    expect(events).toEqual([{ severity: 'medium', description: `${username} used a recovery code; 9 are left` }])
  })

  test('one code sent eight times at once has one winner', async () => {
    const { username, recoveryCodes } = await makePasskeyAdmin()
    const browsers = Array.from({ length: 8 }, (_, at) => openBrowser(server, { from: `192.0.2.${at + 20}` }))
    for (const browser of browsers) await browser.signIn(username)
    const replies = await Promise.all(browsers.map((browser) => browser.mfa('recovery', recoveryCodes![3]!)))
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(7).fill(401)])
  })

  test('a code of another admin is refused', async () => {
    const [one, other] = [await makePasskeyAdmin(), await makePasskeyAdmin()]
    await one.browser.signIn(one.username)
    expect((await one.browser.mfa('recovery', other.recoveryCodes![0]!)).statusCode).toBe(401)
  })
})

describe('passkeys', () => {
  test('a passkey signs in, and its counter is kept (product 2.8)', async () => {
    const { username, browser, device } = await makePasskeyAdmin()
    expect((await browser.signIn(username)).json()).toEqual({ mfaRequired: true, methods: ['passkey', 'recovery'] })
    const { methods, passkey } = await readOptions(browser)
    expect([methods, passkey]).toMatchObject([
      ['passkey', 'recovery'],
      {
        rpId: 'localhost',
        userVerification: 'required',
        allowCredentials: [{ id: device.id, transports: ['internal'] }],
      },
    ])
    expect((await sendPasskey(browser, device.use(passkey))).statusCode).toBe(200)
    expect((await browser.whoAmI()).statusCode).toBe(200)
    const [row] = await server.sql('SELECT counter::int, last_used_at FROM admin_factors WHERE credential_id = $1', [
      device.id,
    ])
    expect(row).toEqual({ counter: 2, last_used_at: expect.anything() })
  })

  test.each([
    ['a foreign origin', { origin: 'https://console.example.org' }],
    ['the same name at another port', { origin: 'http://localhost:3001' }],
    ['a foreign party', { rpId: 'example.org' }],
    ['a made-up challenge', { challenge: 'x'.repeat(43) }],
    ['no verification of the user', { isUserVerified: false }],
    ['a counter that does not grow', { counter: 1 }],
  ])('an answer with %s is refused', async (_name, otherwise) => {
    const { username, browser, device } = await makePasskeyAdmin()
    await browser.signIn(username)
    const { passkey } = await readOptions(browser)
    const reply = await sendPasskey(browser, device.use(passkey, otherwise))
    expect([reply.statusCode, reply.json()]).toEqual([
      401,
      { code: 'invalid_credentials', message: 'This passkey is not accepted' },
    ])
    expect((await browser.whoAmI()).statusCode).toBe(401)
  })

  test('a Host and an Origin of one’s own choice change nothing', async () => {
    const { username, device } = await makePasskeyAdmin()
    const evil = openBrowser(server, { host: '127.0.0.1:3000' })
    await evil.signIn(username)
    const { passkey } = (await evil.call('POST', '/api/auth/mfa/options', undefined, { host: 'localhost:3000' })).json()
    const response = device.use(passkey, { origin: 'http://127.0.0.1:3000' })
    const reply = await evil.call('POST', '/api/auth/mfa/passkey', { response }, { origin: 'http://127.0.0.1:3000' })
    expect(reply.statusCode).toBe(401)
  })

  test('a challenge is answered once, also by a wrong answer and eight right ones', async () => {
    const { username, browser, device } = await makePasskeyAdmin()
    await browser.signIn(username)
    const first = await readOptions(browser)
    expect((await sendPasskey(browser, device.use(first.passkey, { isUserVerified: false }))).statusCode).toBe(401)
    expect((await sendPasskey(browser, device.use(first.passkey))).statusCode).toBe(401)
    const { passkey } = await readOptions(browser)
    const answer = device.use(passkey)
    const cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        server.app.inject({
          method: 'POST',
          url: '/api/auth/mfa/passkey',
          payload: { response: answer },
          headers: { cookie: cookies.replace(/device=\S+/, '') },
          remoteAddress: `192.0.2.${at + 100}`,
        }),
      ),
    )
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(7).fill(401)])
  })

  test('a challenge is over after five minutes', async () => {
    const { username, browser, device } = await makePasskeyAdmin()
    await browser.signIn(username)
    const { passkey } = await readOptions(browser)
    await server.sql(`UPDATE auth_challenges SET expires_at = now() WHERE purpose = 'passkey_sign_in'`)
    expect((await sendPasskey(browser, device.use(passkey))).statusCode).toBe(401)
  })

  test('a challenge of a step-up completes no sign-in', async () => {
    const { username, first, browser, device } = await makePasskeyAdmin()
    const { passkey } = (await first.call('POST', '/api/auth/step-up/options')).json()
    await browser.signIn(username)
    expect((await sendPasskey(browser, device.use(passkey))).statusCode).toBe(401)
  })

  test('the passkey of another admin is refused', async () => {
    const [one, other] = [await makePasskeyAdmin(), await makePasskeyAdmin()]
    await one.browser.signIn(one.username)
    const { passkey } = await readOptions(one.browser)
    expect((await sendPasskey(one.browser, other.device.use(passkey))).statusCode).toBe(401)
  })

  test('another key under the same id is refused', async () => {
    const { username, browser, device } = await makePasskeyAdmin()
    await browser.signIn(username)
    const { passkey } = await readOptions(browser)
    const forged = { ...createAuthenticator().use(passkey), id: device.id, rawId: device.id }
    expect((await sendPasskey(browser, forged)).statusCode).toBe(401)
  })

  test('at an IP address passkeys are not offered, with the reason (product 2.8)', async () => {
    const { username } = await makePasskeyAdmin()
    const browser = openBrowser(server, { host: '127.0.0.1:3000' })
    expect((await browser.signIn(username)).json()).toEqual({
      mfaRequired: true,
      methods: ['recovery'],
      passkeyProblem: 'Passkeys can’t be used at this address: open the console at http://localhost:3000',
    })
    expect((await browser.call('POST', '/api/auth/mfa/options')).json()).toEqual({
      methods: ['recovery'],
      passkey: null,
    })
  })
})

describe('wrong codes', () => {
  test('wrong codes lock the account as wrong passwords do, across both steps (product 2.5)', async () => {
    const { username, browser, app } = await makeAppAdmin()
    const wrong = showWrongCode(app.secret)
    expect((await browser.signIn(username, 'not the password')).statusCode).toBe(401)
    expect((await browser.signIn(username, 'nor this one')).statusCode).toBe(401)
    for (let at = 0; at < 3; at++) {
      // The right password takes nothing back.
      expect((await browser.signIn(username)).statusCode).toBe(200)
      expect((await browser.mfa('totp', wrong)).statusCode).toBe(401)
    }
    const locked = await browser.mfa('totp', showCode(app.secret))
    expect([locked.statusCode, locked.headers['retry-after']]).toEqual([429, '1'])
    expect((await browser.signIn(username)).statusCode).toBe(429)
    expect((await browser.mfa('recovery', app.recoveryCodes![0]!)).statusCode).toBe(429)
  })

  test('a sign-in that is completed starts the count again', async () => {
    const { username, browser, app } = await makeAppAdmin()
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
    const { username, browser, app } = await makeAppAdmin()
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
    const { username, browser, app } = await makeAppAdmin()
    await browser.signIn(username)
    const wrong = showWrongCode(app.secret)
    const replies = await Promise.all(Array.from({ length: 40 }, () => browser.mfa('totp', wrong)))
    expect(replies.filter(({ statusCode }) => statusCode === 401).length).toBeLessThanOrEqual(5)
  })
})

describe('the seed of an authenticator app', () => {
  test('a flipped bit is an error and no code is taken', async () => {
    const { username, browser, app } = await makeAppAdmin()
    await browser.signIn(username)
    for (const at of [0, 12, 28]) {
      const flip = (back: string) =>
        server.sql(
          `UPDATE admin_factors SET secret_enc = set_byte(secret_enc, $1, get_byte(secret_enc, $1) # 1) WHERE id = $2`,
          [at, back],
        )
      await flip(app.id)
      expect((await browser.mfa('totp', showCode(app.secret))).statusCode).toBe(500)
      expect((await browser.whoAmI()).statusCode).toBe(401)
      await flip(app.id)
    }
    await server.sql('DELETE FROM sign_in_throttles')
    expect((await browser.mfa('totp', showCode(app.secret))).statusCode).toBe(200)
  })

  test('the seed of another admin’s row is an error', async () => {
    const [one, other] = [await makeAppAdmin(), await makeAppAdmin()]
    await server.sql(
      `UPDATE admin_factors a SET secret_enc = b.secret_enc FROM admin_factors b WHERE a.id = $1 AND b.id = $2`,
      [one.app.id, other.app.id],
    )
    await one.browser.signIn(one.username)
    expect((await one.browser.mfa('totp', showCode(other.app.secret))).statusCode).toBe(500)
  })

  test('the database holds neither seed nor recovery code', async () => {
    const { app } = await makeAppAdmin()
    const rows = await server.sql<{ row: string }>(
      `SELECT to_jsonb(t)::text AS row FROM admin_factors t UNION ALL SELECT to_jsonb(t)::text FROM recovery_codes t
       UNION ALL SELECT to_jsonb(t)::text FROM auth_challenges t UNION ALL SELECT to_jsonb(t)::text FROM audit_log t`,
    )
    const text = rows.map(({ row }) => row).join('\n')
    expect(text).not.toContain(app.secret)
    for (const code of app.recoveryCodes!) {
      expect(text).not.toContain(code)
      expect(text).not.toContain(Buffer.from(code.replaceAll('-', '')).toString('hex'))
    }
  })
})
