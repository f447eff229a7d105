import { beforeEach, describe, expect, test } from 'vitest'
import { addApp, ageAuthentication, forgetSteps, showCode } from '#test/support/factor-browser.ts'
import { ProviderBrowser, startProviderForFile } from '#test/support/provider-browser.ts'
import { providerSettings } from '#test/support/provider.ts'
import { startServer, type TestServer } from '#test/support/server.ts'

const provider = await startProviderForFile(['http://localhost/api/auth/oidc/callback'])
const settings = {
  OIDC_ISSUER: provider.issuer,
  OIDC_NAME: 'Example ID',
  OIDC_ROLES: 'console-admins=super_admin, auditors=viewer',
  ...providerSettings,
}
const server = await startServer(settings)
const strict = await startServer({ ...settings, AUTH_MFA: 'required', OIDC_MFA: 'otp hwk' })

beforeEach(async () => {
  for (const each of [server, strict]) await each.sql('DELETE FROM sign_in_throttles')
})

let people = 0
/** A person of a group who has signed in. */
async function signIn(on: TestServer, group = 'console-admins', form: Record<string, string> = {}) {
  const subject = `person-${++people}`
  await provider.setAccount(subject, { preferred_username: subject, groups: [group] })
  const browser = new ProviderBrowser(on)
  const reply = await browser.signIn(subject, form)
  return { subject, browser, reply }
}
const invite = (browser: ProviderBrowser) =>
  browser.call('POST', '/api/operators', { username: `invited-${++people}`, role: 'viewer' })
const latest = async (on: TestServer, table: 'audit_log' | 'security_events') =>
  (await on.sql(`SELECT * FROM ${table} ORDER BY id DESC LIMIT 1`))[0]

/** Confirms at the provider in a window of its own, as another account where one is named. */
async function confirm(browser: ProviderBrowser, account: string, form: Record<string, string> = {}) {
  const at = await browser.begin('/api/auth/oidc/step-up', undefined)
  return browser.return(await browser.signInAtProvider(at, { account, ...form }))
}

describe('confirming at the provider', () => {
  test('an operator without a factor confirms there, and the change goes on (product 2.9)', async () => {
    const { subject, browser } = await signIn(server)
    expect((await invite(browser)).statusCode).toBe(200)
    await ageAuthentication(server)
    const refused = await invite(browser)
    expect(refused.json()).toMatchObject({ code: 'step_up_required', details: { methods: ['oidc'] } })
    const before = browser.console.header
    const reply = await confirm(browser, subject)
    expect([reply.statusCode, reply.body.includes('data-message="confirmed" data-next=""')]).toEqual([200, true])
    expect(browser.console.header).not.toBe(before)
    expect((await invite(browser)).statusCode).toBe(200)
    expect(await server.sql(`SELECT details->>'method' AS method FROM audit_log WHERE action = 'step_up'`)).toEqual([
      { method: 'oidc' },
    ])
  })

  test('the provider is asked to ask again', async () => {
    const { browser } = await signIn(server)
    const asked = new URL(await browser.begin('/api/auth/oidc/step-up', undefined)).searchParams
    expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '0'])
  })

  test('another account at the provider confirms nothing', async () => {
    const { browser } = await signIn(server)
    const { subject: other, browser: elsewhere } = await signIn(server, 'auditors')
    await ageAuthentication(server)
    const at = await browser.begin('/api/auth/oidc/step-up', undefined)
    const reply = await browser.return(await elsewhere.signInAtProvider(at, { account: other }))
    expect([reply.statusCode, reply.body.includes('Another account than yours')]).toEqual([403, true])
    expect((await invite(browser)).statusCode).toBe(403)
    expect(await latest(server, 'security_events')).toMatchObject({ details: { cause: 'other_person' } })
  })

  test('a session that has ended meanwhile is not confirmed', async () => {
    const { subject, browser } = await signIn(server)
    const at = await browser.begin('/api/auth/oidc/step-up', undefined)
    const back = await browser.signInAtProvider(at, { account: subject })
    await server.sql(`DELETE FROM sessions`)
    expect((await browser.return(back)).statusCode).toBe(400)
  })
})

describe('second factors', () => {
  test('an own factor is asked for after the provider (product 2.10)', async () => {
    const { subject, browser } = await signIn(server)
    const { secret } = await addApp(browser)
    await forgetSteps(server)
    const again = new ProviderBrowser(server)
    const reply = await again.signIn(subject)
    expect(reply.body).toContain('data-message="" data-next="/#second-step"')
    expect(await again.whoAmI()).toBeNull()
    expect((await again.call('POST', '/api/auth/mfa/options')).json()).toMatchObject({ methods: ['totp', 'recovery'] })
    expect((await again.call('POST', '/api/auth/mfa/totp', { code: showCode(secret) })).statusCode).toBe(200)
    expect(await again.whoAmI()).toMatchObject({ username: subject })
    const audited = await latest(server, 'audit_log')
    expect(audited).toMatchObject({ action: 'login', details: { methods: ['oidc', 'totp'] } })
  })

  test('with a factor of one’s own the provider alone confirms nothing', async () => {
    const { subject, browser } = await signIn(server)
    await addApp(browser)
    await ageAuthentication(server)
    const refused = await invite(browser)
    expect(refused.json().details).toEqual({ methods: ['totp', 'recovery'] })
    const reply = await confirm(browser, subject)
    expect([reply.statusCode, reply.body.includes('has not asked for a second factor')]).toEqual([403, true])
  })

  test('where one is required, who has proven one at the provider enters (product 2.10)', async () => {
    const { browser } = await signIn(strict, 'console-admins', { amr: 'pwd otp' })
    expect((await browser.call('GET', '/api/operators')).statusCode).toBe(200)
    await ageAuthentication(strict)
    expect((await invite(browser)).json().details).toEqual({ methods: ['oidc'] })
  })

  test('where one is required, who has proven none can only add one', async () => {
    const { browser } = await signIn(strict, 'console-admins', { amr: 'pwd' })
    expect((await browser.call('GET', '/api/operators')).json()).toMatchObject({ code: 'factor_required' })
    await addApp(browser)
    expect((await browser.call('GET', '/api/operators')).statusCode).toBe(200)
  })

  test('what the provider proves stands in for the own factor', async () => {
    const { subject, browser } = await signIn(strict, 'console-admins', { amr: 'pwd otp' })
    await addApp(browser)
    const again = new ProviderBrowser(strict)
    await again.signIn(subject, { amr: 'pwd hwk' })
    expect(await again.whoAmI()).toMatchObject({ username: subject })
    await ageAuthentication(strict)
    expect((await invite(again)).json().details.methods).toEqual(['oidc', 'totp', 'recovery'])
    expect((await confirm(again, subject, { amr: 'pwd hwk' })).statusCode).toBe(200)
    expect((await invite(again)).statusCode).toBe(200)
  })
})
