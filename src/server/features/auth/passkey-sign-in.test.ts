import { beforeEach, describe, expect, test } from 'vitest'
import { createAuthenticator } from '#test/support/authenticator.ts'
import { makePasskeyAdmin, openBrowser } from '#test/support/factor-browser.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()

beforeEach(() => server.sql('DELETE FROM sign_in_throttles'))

async function readOptions(browser: ReturnType<typeof openBrowser>) {
  const reply = await browser.call('POST', '/api/auth/mfa/options')
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ methods: string[]; passkey: { challenge: string } }>()
}
const sendPasskey = (browser: ReturnType<typeof openBrowser>, response: object) =>
  browser.call('POST', '/api/auth/mfa/passkey', { response })

describe('passkeys', () => {
  test('a passkey signs in, and its counter is kept (product 2.8)', async () => {
    const { username, browser, device } = await makePasskeyAdmin(server)
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
    const { username, browser, device } = await makePasskeyAdmin(server)
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
    const { username, device } = await makePasskeyAdmin(server)
    const evil = openBrowser(server, { host: '127.0.0.1:3000' })
    await evil.signIn(username)
    const { passkey } = (await evil.call('POST', '/api/auth/mfa/options', undefined, { host: 'localhost:3000' })).json()
    const response = device.use(passkey, { origin: 'http://127.0.0.1:3000' })
    const reply = await evil.call('POST', '/api/auth/mfa/passkey', { response }, { origin: 'http://127.0.0.1:3000' })
    expect(reply.statusCode).toBe(401)
  })

  test('a challenge is answered once, also by a wrong answer and eight right ones', async () => {
    const { username, browser, device } = await makePasskeyAdmin(server)
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
    const { username, browser, device } = await makePasskeyAdmin(server)
    await browser.signIn(username)
    const { passkey } = await readOptions(browser)
    await server.sql(
      `UPDATE auth_challenges SET expires_at = now() - interval '1 second' WHERE purpose = 'passkey_sign_in'`,
    )
    expect((await sendPasskey(browser, device.use(passkey))).statusCode).toBe(401)
  })

  test('a challenge of a step-up completes no sign-in', async () => {
    const { username, first, browser, device } = await makePasskeyAdmin(server)
    const { passkey } = (await first.call('POST', '/api/auth/step-up/options')).json()
    await browser.signIn(username)
    expect((await sendPasskey(browser, device.use(passkey))).statusCode).toBe(401)
  })

  test('the passkey of another admin is refused', async () => {
    const [one, other] = [await makePasskeyAdmin(server), await makePasskeyAdmin(server)]
    await one.browser.signIn(one.username)
    const { passkey } = await readOptions(one.browser)
    expect((await sendPasskey(one.browser, other.device.use(passkey))).statusCode).toBe(401)
  })

  test('another key under the same id is refused', async () => {
    const { username, browser, device } = await makePasskeyAdmin(server)
    await browser.signIn(username)
    const { passkey } = await readOptions(browser)
    const forged = { ...createAuthenticator().use(passkey), id: device.id, rawId: device.id }
    expect((await sendPasskey(browser, forged)).statusCode).toBe(401)
  })

  test('at an IP address passkeys are not offered, with the reason (product 2.8)', async () => {
    const { username } = await makePasskeyAdmin(server)
    const browser = openBrowser(server, { host: '127.0.0.1:3000' })
    expect((await browser.signIn(username)).json()).toEqual({
      mfaRequired: true,
      methods: ['recovery'],
      passkeyProblem: 'Passkeys can’t be used at this address: open the console at http://localhost',
    })
    expect((await browser.call('POST', '/api/auth/mfa/options')).json()).toEqual({
      methods: ['recovery'],
      passkeyProblem: 'Passkeys can’t be used at this address: open the console at http://localhost',
      passkey: null,
    })
  })
})

describe('recovery codes', () => {
  test('a code signs in once, however it is typed, and raises an event (product 2.8)', async () => {
    const { username, browser, recoveryCodes } = await makePasskeyAdmin(server)
    const [code] = recoveryCodes!
    await browser.signIn(username)
    expect((await browser.mfa('recovery', code!.replaceAll('-', ' ').toUpperCase())).statusCode).toBe(200)
    await browser.signIn(username)
    expect((await browser.mfa('recovery', code!)).statusCode).toBe(401)
    const rows = await server.sql(
      `SELECT actor_kind, actor_name, details FROM audit_log WHERE action = 'use_recovery_code' AND details->>'username' = $1`,
      [username],
    )
    expect(rows).toEqual([{ actor_kind: 'admin', actor_name: username, details: { username, left: 9 } }])
    const events = await server.sql(
      `SELECT severity, description FROM security_events WHERE event_type = 'recovery_code_used' ORDER BY id DESC LIMIT 1`,
    )
    expect(events).toEqual([{ severity: 'medium', description: `${username} used a recovery code; 9 are left` }])
  })

  test('one code sent eight times at once has one winner', async () => {
    const { username, recoveryCodes } = await makePasskeyAdmin(server)
    const browsers = Array.from({ length: 8 }, (_, at) => openBrowser(server, { from: `192.0.2.${at + 20}` }))
    for (const browser of browsers) await browser.signIn(username)
    const replies = await Promise.all(browsers.map((browser) => browser.mfa('recovery', recoveryCodes![3]!)))
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(7).fill(401)])
  })

  test('a code of another admin is refused', async () => {
    const [one, other] = [await makePasskeyAdmin(server), await makePasskeyAdmin(server)]
    await one.browser.signIn(one.username)
    expect((await one.browser.mfa('recovery', other.recoveryCodes![0]!)).statusCode).toBe(401)
  })
})
