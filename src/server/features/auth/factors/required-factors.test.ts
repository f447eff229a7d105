import { afterEach, describe, expect, test } from 'vitest'
import { createAdminCommand } from '#test/support/admin-command.ts'
import {
  addApp,
  addPasskey,
  forgetSteps,
  newName,
  openBrowser,
  showCode,
  signInNew,
  type TestBrowser,
} from '#test/support/factor-browser.ts'
import { runJob } from '#test/support/jobs.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const home = '/api/account/factors'

const listFactors = async (browser: TestBrowser) => (await browser.call('GET', home)).json()
const lastEvent = async () =>
  (await server.sql('SELECT severity, event_type, description FROM security_events ORDER BY id DESC LIMIT 1'))[0]
const lastAudit = async () =>
  (await server.sql('SELECT action, actor_name, details FROM audit_log ORDER BY id DESC LIMIT 1'))[0]

describe('npm run admin -- reset-factors', () => {
  test('it takes factors and codes away and ends the sessions (product 2.8)', async () => {
    const username = newName()
    const browser = await signInNew(server, username)
    await addApp(browser)
    await addPasskey(browser)
    const command = await createAdminCommand(server)
    expect(await command(['reset-factors', username.toUpperCase()])).toMatchObject({
      code: 0,
      out: `2 second factors of ${username} removed; 1 session ended. The password alone signs in now.\n`,
    })
    expect(await lastEvent()).toMatchObject({ severity: 'critical', event_type: 'factors_reset' })
    expect(await lastAudit()).toMatchObject({
      action: 'reset_factors',
      actor_name: expect.stringMatching(/^npm run admin/),
      details: {
        username,
        factors: [
          { kind: 'totp', name: 'Phone' },
          { kind: 'passkey', name: 'Laptop' },
        ],
      },
    })
    expect((await browser.whoAmI()).statusCode).toBe(401)
    expect((await openBrowser(server).signIn(username)).json()).toHaveProperty('admin')
    expect(await command(['reset-factors', username])).toMatchObject({
      code: 1,
      error: `${username} has no second factor\n`,
    })
  })
})

describe('where a second factor is required', async () => {
  const strict = await startServer({ AUTH_MFA: 'required' })
  const others = ['/api/users', '/api/notices', '/api/account/factors/1', '/api/live']
  afterEach(() => strict.sql('DELETE FROM sign_in_throttles'))

  test('an admin without one can add one, and nothing else before (product 2.8)', async () => {
    const browser = await signInNew(strict, newName())
    for (const url of others) {
      const reply = await browser.call(url.endsWith('1') ? 'DELETE' : 'GET', url)
      expect([reply.statusCode, reply.json()], url).toEqual([
        403,
        { code: 'factor_required', message: 'A second factor is required here: add one to your account first' },
      ])
    }
    expect((await browser.whoAmI()).statusCode).toBe(200)
    expect((await listFactors(browser)).isRequired).toBe(true)
    const { id } = await addApp(browser)
    expect((await browser.call('GET', '/api/users')).statusCode).toBe(200)
    const reply = await browser.call('DELETE', `${home}/${id}`)
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'last_factor'])
    expect((await listFactors(browser)).factors).toHaveLength(1)
  })

  test('signing out needs no factor (product 2.8)', async () => {
    const browser = await signInNew(strict, newName())
    expect((await browser.call('POST', '/api/auth/logout')).statusCode).toBe(204)
  })

  test('of two removals at once the last factor stays', async () => {
    const browser = await signInNew(strict, newName())
    const { id } = await addApp(browser)
    const passkey = await addPasskey(browser)
    const replies = await Promise.all([id, passkey.id].map((each) => browser.call('DELETE', `${home}/${each}`)))
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    expect((await listFactors(browser)).factors).toHaveLength(1)
  })
})

test('what was begun and is over is deleted', async () => {
  const username = newName()
  const browser = await signInNew(server, username)
  await addApp(browser)
  await openBrowser(server).signIn(username)
  await browser.call('POST', `${home}/totp/options`)
  await server.sql(`UPDATE auth_challenges SET expires_at = now() - interval '1 second' WHERE purpose = 'sign_in'`)
  await runJob(server.services, 'delete-expired')
  const rows = await server.sql(
    `SELECT purpose FROM auth_challenges c JOIN admins a ON a.id = c.admin_id WHERE username = $1`,
    [username],
  )
  expect(rows).toEqual([{ purpose: 'totp_setup' }])
})

test('a seed opens with the key of TOTP_KEY, and with no other', async () => {
  const key = Buffer.alloc(32, 7).toString('base64')
  const keyed = await startServer({ TOTP_KEY: key })
  const username = newName()
  const app = await addApp(await signInNew(keyed, username))
  await forgetSteps(keyed)
  const browser = openBrowser(keyed)
  await browser.signIn(username)
  keyed.services.config.totpKey = Buffer.alloc(32, 8)
  expect((await browser.mfa('totp', showCode(app.secret))).statusCode).toBe(500)
  keyed.services.config.totpKey = Buffer.alloc(32, 7)
  expect((await browser.mfa('totp', showCode(app.secret))).statusCode).toBe(200)
})
