import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { addApp, makeAppAdmin, newName, openBrowser, showCode, signInNew } from '#test/support/factor-browser.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()

beforeEach(() => server.sql('DELETE FROM sign_in_throttles'))

describe('codes of an authenticator app', () => {
  afterEach(() => vi.useRealTimers())

  test('the same code twice is refused, in another browser too (product 2.8)', async () => {
    const { username, browser, app } = await makeAppAdmin(server)
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
    const at = Date.now()
    const { secret } = await addApp(first)
    const { username } = (await first.whoAmI()).json().admin
    const browser = openBrowser(server)
    await browser.signIn(username)
    // The code of then: by now the app may show the next one.
    expect((await browser.mfa('totp', showCode(secret, 0, at))).statusCode).toBe(401)
  })

  test.each([
    [-2, 401],
    [-1, 200],
    [1, 200],
    [2, 401],
  ])('a code %i steps of 30 s away is %i', async (steps, status) => {
    const { username, browser, app } = await makeAppAdmin(server)
    await browser.signIn(username)
    const now = Date.now()
    server.services.readCodeTime = async () => now / 1000
    onTestFinished(() => {
      delete server.services.readCodeTime
    })
    expect((await browser.mfa('totp', showCode(app.secret, steps, now))).statusCode).toBe(status)
  })

  test('an older code is refused after a newer one', async () => {
    const { username, browser, app } = await makeAppAdmin(server)
    await browser.signIn(username)
    expect((await browser.mfa('totp', showCode(app.secret))).statusCode).toBe(200)
    await browser.signIn(username)
    expect((await browser.mfa('totp', showCode(app.secret, -1))).statusCode).toBe(401)
  })

  test('the clock is the database’s, whatever the server’s says', async () => {
    const { username, browser, app } = await makeAppAdmin(server)
    const now = Date.now()
    await browser.signIn(username)
    vi.useFakeTimers({ toFake: ['Date'], now: now + 3_600_000 })
    expect((await browser.mfa('totp', showCode(app.secret))).statusCode).toBe(401)
    expect((await browser.mfa('totp', showCode(app.secret, 0, now))).statusCode).toBe(200)
  })

  test('a code with a blank in its middle counts', async () => {
    const { username, browser, app } = await makeAppAdmin(server)
    await browser.signIn(username)
    const code = showCode(app.secret).replace(/^(...)/, '$1 ')
    expect((await browser.mfa('totp', code)).statusCode).toBe(200)
  })

  test('one code sent eight times at once has one winner', async () => {
    const { username, app } = await makeAppAdmin(server)
    const browsers = Array.from({ length: 8 }, (_, at) => openBrowser(server, { from: `192.0.2.${at + 1}` }))
    for (const browser of browsers) await browser.signIn(username)
    const code = showCode(app.secret)
    const replies = await Promise.all(browsers.map((browser) => browser.mfa('totp', code)))
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(7).fill(401)])
  })
})

describe('the seed of an authenticator app', () => {
  test('a flipped bit is an error and no code is taken', async () => {
    const { username, browser, app } = await makeAppAdmin(server)
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
    const [one, other] = [await makeAppAdmin(server), await makeAppAdmin(server)]
    await server.sql(
      `UPDATE admin_factors a SET secret_enc = b.secret_enc FROM admin_factors b WHERE a.id = $1 AND b.id = $2`,
      [one.app.id, other.app.id],
    )
    await one.browser.signIn(one.username)
    expect((await one.browser.mfa('totp', showCode(other.app.secret))).statusCode).toBe(500)
  })

  test('the database holds neither seed nor recovery code', async () => {
    const { app } = await makeAppAdmin(server)
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
