import { describe, expect, test } from 'vitest'
import { isForAdmins } from '#contract/permissions.ts'
import { allRoutes } from '#contract/schemas/routes.ts'
import { inTransaction } from '#server/core/context.ts'
import { markDemoData } from '#server/core/stored-settings.ts'
import { createAdminIfNone } from '#server/process/first-admin.ts'
import { newName, openBrowser, type TestBrowser } from '#test/support/factor-browser.ts'
import { providerSettings } from '#test/support/provider.ts'
import { createSession, password, startServer } from '#test/support/server.ts'
import { createAdmin, setPassword } from './admins.ts'

const server = await startServer()
const newPassword = 'a walk along the river at dusk'
const refusal = {
  code: 'password_change_required',
  message: 'Somebody else set your password or may know it: choose one of your own first',
}
const readMembers = (browser: TestBrowser) => browser.call('GET', '/api/users')
const chooseOwn = (browser: TestBrowser) =>
  browser.call('POST', '/api/account/password', { currentPassword: password, newPassword })

/** A browser with a session of an admin whose password somebody else has set. */
async function signInGiven(on = server) {
  const username = newName()
  await createAdmin(on.system, username, password)
  const browser = openBrowser(on)
  expect((await browser.signIn(username)).json()).toHaveProperty('admin')
  return { username, browser }
}

describe('a session with a password that somebody else set', async () => {
  const { username, browser } = await signInGiven()
  const others = allRoutes.filter(({ route }) => isForAdmins(route.access) && !route.enrolment)

  test.each(others.map(({ name, route }) => [name, route] as const))('opens no %s', async (_name, route) => {
    // Fastify's own type of methods has more.
    const method = route.method as 'GET'
    const reply = await browser.call(method, route.path.replace(/:\w+/g, '1'), method === 'GET' ? undefined : {})
    expect([reply.statusCode, reply.json()]).toMatchObject([403, refusal])
  })

  test('says whose it is, and chooses another password, which opens the console (product 2.4)', async () => {
    expect((await browser.whoAmI()).json().admin.username).toBe(username)
    expect((await chooseOwn(browser)).statusCode).toBe(200)
    expect((await readMembers(browser)).statusCode).toBe(200)
    const later = openBrowser(server)
    await later.signIn(username, newPassword)
    expect((await readMembers(later)).statusCode).toBe(200)
  })

  test('signs out', async () => {
    const { browser: leaving } = await signInGiven()
    expect((await leaving.call('POST', '/api/auth/logout')).statusCode).toBe(204)
  })
})

test('a password that a command sets is replaced again (product 2.4)', async () => {
  const { username, browser } = await signInGiven()
  await chooseOwn(browser)
  await setPassword(server.system, username, password)
  const again = openBrowser(server)
  await again.signIn(username)
  expect((await readMembers(again)).json()).toEqual(refusal)
})

test('the password comes before the second factor, which comes before all else (product 2.8)', async () => {
  const strict = await startServer({ AUTH_MFA: 'required' })
  const { browser } = await signInGiven(strict)
  expect((await readMembers(browser)).json().code).toBe('password_change_required')
  await chooseOwn(browser)
  expect((await readMembers(browser)).json().code).toBe('factor_required')
})

test.each([
  ['the password that the first start made up', {}, false, 403],
  ['the one of ADMIN_PASSWORD', { ADMIN_PASSWORD: password }, false, 403],
  ['the first one of a console with demo data', {}, true, 200],
])('%s answers a list of members with its status', async (_what, settings, isDemo, status) => {
  const started = await startServer(settings)
  if (isDemo) await inTransaction(started.system, markDemoData)
  const said = await createAdminIfNone(started.services)
  const browser = openBrowser(started)
  await browser.signIn('admin', /with the password (\S+) \(/.exec(said)?.[1] ?? password)
  expect((await readMembers(browser)).statusCode).toBe(status)
})

test('where passwords open no session nobody has to replace one', async () => {
  const closed = await startServer({
    LOCAL_SIGN_IN: 'off',
    OIDC_ISSUER: 'https://id.example.com',
    OIDC_ROLES: 'console-admins=super_admin',
    ...providerSettings,
  })
  const read = async (username: string) => {
    const headers = { cookie: await createSession(closed, username) }
    return (await closed.app.inject({ url: '/api/users', headers })).statusCode
  }
  await createAdmin(closed.system, 'grace', password)
  await createAdmin(closed.system, 'ada', password, 'super_admin', true)
  expect([await read('grace'), await read('ada')]).toEqual([200, 403])
})
