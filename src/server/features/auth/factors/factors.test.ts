import { beforeEach, describe, expect, test } from 'vitest'
import { mostFactors } from '#contract/factors.ts'
import { createAuthenticator } from '#test/support/authenticator.ts'
import {
  addApp,
  addPasskey,
  newName,
  openBrowser,
  showCode,
  showWrongCode,
  signInNew,
  type TestBrowser,
} from '#test/support/factor-browser.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const home = '/api/account/factors'

const listFactors = async (browser: TestBrowser) => (await browser.call('GET', home)).json()
const lastEvent = async () =>
  (await server.sql('SELECT severity, event_type, description FROM security_events ORDER BY id DESC LIMIT 1'))[0]
const lastAudit = async () =>
  (await server.sql('SELECT action, actor_name, details FROM audit_log ORDER BY id DESC LIMIT 1'))[0]

beforeEach(() => server.sql('DELETE FROM sign_in_throttles'))

describe('adding a factor', () => {
  test('an authenticator app is added by its first code, with ten recovery codes (product 2.8)', async () => {
    const username = newName()
    const browser = await signInNew(server, username)
    expect(await listFactors(browser)).toEqual({
      factors: [],
      recoveryCodes: { left: 0, createdAt: null },
      isRequired: false,
      passkeyProblem: null,
    })
    const app = await addApp(browser)
    expect(app.uri).toBe(
      `otpauth://totp/Back%20Office:${username}?issuer=Back%20Office&secret=${app.secret}&algorithm=SHA1&digits=6&period=30`,
    )
    expect(new Set(app.recoveryCodes).size).toBe(10)
    for (const code of app.recoveryCodes!) expect(code).toMatch(/^([\dabcdefghjkmnpqrstvwxyz]{4}-){5}[\da-z]{4}$/)
    const { factors, recoveryCodes } = await listFactors(browser)
    expect(factors).toEqual([
      { id: app.id, kind: 'totp', name: 'Phone', createdAt: expect.any(String), lastUsedAt: null },
    ])
    expect(recoveryCodes).toEqual({ left: 10, createdAt: expect.any(String) })
    expect(await lastEvent()).toEqual({
      severity: 'high',
      event_type: 'factor_added',
      description: `${username} added a second factor: Authenticator app`,
    })
    expect(await lastAudit()).toEqual({
      action: 'add_factor',
      actor_name: username,
      details: { factorId: app.id, kind: 'totp', name: 'Phone', endedSessions: [] },
    })
  })

  test('a wrong code adds nothing and leaves the setup open (product 2.8)', async () => {
    const browser = await signInNew(server, newName())
    const { setup, secret } = (await browser.call('POST', `${home}/totp/options`)).json()
    const send = (code: string) => browser.call('POST', `${home}/totp`, { name: 'Phone', setup, code })
    const refused = await send(showWrongCode(secret))
    expect([refused.statusCode, refused.json().message]).toEqual([400, 'code: is not the code that the app shows now'])
    expect((await listFactors(browser)).factors).toEqual([])
    expect((await send(showCode(secret))).statusCode).toBe(200)
    expect((await send(showCode(secret))).json().message).toBe('setup: is not known, or its time is over; begin again')
  })

  test('a setup is its session’s own, and over after fifteen minutes', async () => {
    const username = newName()
    const browser = await signInNew(server, username)
    const other = openBrowser(server)
    await other.signIn(username)
    const { setup, secret, expiresAt } = (await browser.call('POST', `${home}/totp/options`)).json()
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(14 * 60_000)
    const send = (by: TestBrowser) => by.call('POST', `${home}/totp`, { name: 'Phone', setup, code: showCode(secret) })
    expect((await send(other)).statusCode).toBe(400)
    await server.sql(`UPDATE auth_challenges SET expires_at = now() - interval '1 second'`)
    expect((await send(browser)).statusCode).toBe(400)
  })

  test('a passkey is added with what the browser made (product 2.8)', async () => {
    const browser = await signInNew(server, newName())
    const { options } = (await browser.call('POST', `${home}/passkey/options`)).json()
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Back Office' },
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    })
    const { device, recoveryCodes } = await addPasskey(browser)
    expect(recoveryCodes).toHaveLength(10)
    const again = (await browser.call('POST', `${home}/passkey/options`)).json()
    expect(again.options.excludeCredentials).toEqual([{ id: device.id, type: 'public-key', transports: ['internal'] }])
  })

  test.each([
    ['a foreign origin', { origin: 'https://console.example.org' }],
    ['a foreign party', { rpId: 'example.org' }],
    ['a made-up challenge', { challenge: 'x'.repeat(43) }],
    ['no verification of the user', { isUserVerified: false }],
  ])('a passkey with %s is refused, and its challenge used up', async (_name, otherwise) => {
    const browser = await signInNew(server, newName())
    const device = createAuthenticator()
    const { options } = (await browser.call('POST', `${home}/passkey/options`)).json()
    const send = (response: object) => browser.call('POST', `${home}/passkey`, { name: 'Laptop', response })
    const reply = await send(device.create(options, otherwise))
    expect([reply.statusCode, reply.json().message]).toEqual([
      400,
      'response: is not an answer to a challenge of the last 5 minutes; begin again',
    ])
    expect((await listFactors(browser)).factors).toEqual([])
    if (!('challenge' in otherwise)) expect((await send(device.create(options))).statusCode).toBe(400)
  })

  test('one answer sent six times at once adds one passkey', async () => {
    const browser = await signInNew(server, newName())
    const { options } = (await browser.call('POST', `${home}/passkey/options`)).json()
    const response = createAuthenticator().create(options)
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => browser.call('POST', `${home}/passkey`, { name: 'Laptop', response })),
    )
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(5).fill(400)])
    expect((await listFactors(browser)).factors).toHaveLength(1)
  })

  test('the challenge of another admin adds no passkey', async () => {
    const [one, other] = [await signInNew(server, newName()), await signInNew(server, newName())]
    const { options } = (await one.call('POST', `${home}/passkey/options`)).json()
    const response = createAuthenticator().create(options)
    expect((await other.call('POST', `${home}/passkey`, { name: 'Laptop', response })).statusCode).toBe(400)
  })

  test('a passkey that somebody has is not added again', async () => {
    const [one, other] = [await signInNew(server, newName()), await signInNew(server, newName())]
    const { device } = await addPasskey(one)
    for (const browser of [one, other]) {
      const { options } = (await browser.call('POST', `${home}/passkey/options`)).json()
      const reply = await browser.call('POST', `${home}/passkey`, { name: 'Laptop', response: device.create(options) })
      expect([reply.statusCode, reply.json().code]).toEqual([409, 'passkey_taken'])
    }
  })

  test('at an IP address no passkey is begun, with the reason (product 2.8)', async () => {
    const browser = await signInNew(server, newName(), { host: '127.0.0.1:3000' })
    const reason = 'Passkeys can’t be used at this address: open the console at http://localhost'
    expect((await listFactors(browser)).passkeyProblem).toBe(reason)
    const reply = await browser.call('POST', `${home}/passkey/options`)
    expect([reply.statusCode, reply.json()]).toEqual([409, { code: 'passkeys_unavailable', message: reason }])
  })

  test('the admin’s other sessions end, and this one stays (product 2.8)', async () => {
    const username = newName()
    const browser = await signInNew(server, username)
    const other = openBrowser(server)
    await other.signIn(username)
    await addApp(browser)
    expect([(await browser.whoAmI()).statusCode, (await other.whoAmI()).statusCode]).toEqual([200, 401])
  })

  test(`at most ${mostFactors} factors, and a further one keeps the recovery codes`, async () => {
    const browser = await signInNew(server, newName())
    await addApp(browser)
    const before = await listFactors(browser)
    for (let at = 2; at <= mostFactors; at++)
      expect((await addPasskey(browser, createAuthenticator(), `Key ${at}`)).recoveryCodes).toBeNull()
    expect((await listFactors(browser)).recoveryCodes).toEqual(before.recoveryCodes)
    for (const kind of ['totp', 'passkey']) {
      const reply = await browser.call('POST', `${home}/${kind}/options`)
      expect([reply.statusCode, reply.json().code]).toEqual([409, 'factor_limit'])
    }
  })
})

describe('changing factors', () => {
  test('a factor is renamed, by its owner alone (product 2.8)', async () => {
    const [browser, other] = [await signInNew(server, newName()), await signInNew(server, newName())]
    const { id } = await addApp(browser)
    const reply = await browser.call('PATCH', `${home}/${id}`, { name: ' Old phone ' })
    expect(reply.json()).toMatchObject({ message: 'Authenticator app renamed', factor: { id, name: 'Old phone' } })
    expect(await lastAudit()).toMatchObject({
      action: 'rename_factor',
      details: { before: { name: 'Phone' }, after: { name: 'Old phone' } },
    })
    for (const [method, body] of [
      ['PATCH', { name: 'Mine' }],
      ['DELETE', undefined],
    ] as const)
      expect((await other.call(method, `${home}/${id}`, body)).statusCode).toBe(404)
    expect((await listFactors(browser)).factors).toMatchObject([{ name: 'Old phone' }])
  })

  test('without the last factor the password alone signs in, and no code is left (product 2.8)', async () => {
    const username = newName()
    const browser = await signInNew(server, username)
    const { id } = await addApp(browser)
    const other = openBrowser(server)
    await other.signIn(username)
    expect((await browser.call('DELETE', `${home}/${id}`)).json()).toEqual({ message: 'Authenticator app removed' })
    expect(await lastEvent()).toEqual({
      severity: 'high',
      event_type: 'factor_removed',
      description: `${username} removed the last second factor: Authenticator app`,
    })
    expect(await listFactors(browser)).toMatchObject({ factors: [], recoveryCodes: { left: 0 } })
    expect((await openBrowser(server).signIn(username)).json()).toHaveProperty('admin')
    expect((await other.mfa('totp', '123456')).json().code).toBe('unauthorized')
  })

  test('one of two factors leaves the other and its codes (product 2.8)', async () => {
    const username = newName()
    const browser = await signInNew(server, username)
    const { id } = await addApp(browser)
    await addPasskey(browser)
    await browser.call('DELETE', `${home}/${id}`)
    expect((await lastEvent())!.severity).toBe('medium')
    expect((await openBrowser(server).signIn(username)).json()).toEqual({
      mfaRequired: true,
      methods: ['passkey', 'recovery'],
    })
  })

  test('new recovery codes end the former ones (product 2.8)', async () => {
    const username = newName()
    const browser = await signInNew(server, username)
    const refused = await browser.call('POST', '/api/account/recovery-codes')
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'no_factor'])
    const app = await addApp(browser)
    const { recoveryCodes } = (await browser.call('POST', '/api/account/recovery-codes')).json()
    expect(recoveryCodes).toHaveLength(10)
    const other = openBrowser(server)
    await other.signIn(username)
    expect((await other.mfa('recovery', app.recoveryCodes![0]!)).statusCode).toBe(401)
    expect((await other.mfa('recovery', recoveryCodes[0])).statusCode).toBe(200)
    expect((await listFactors(browser)).recoveryCodes.left).toBe(9)
  })
})
