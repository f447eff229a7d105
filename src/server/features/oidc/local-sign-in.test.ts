import { beforeEach, expect, test } from 'vitest'
import { createAdminIfNone } from '#server/process/first-admin.ts'
import { createAdmin } from '#server/features/auth/admins.ts'
import { createAdminCommand } from '#test/support/admin-command.ts'
import { ProviderBrowser, startProviderForFile } from '#test/support/provider-browser.ts'
import { providerSettings } from '#test/support/provider.ts'
import { password, startServer } from '#test/support/server.ts'

const provider = await startProviderForFile(['http://localhost/api/auth/oidc/callback'])
const environment = {
  OIDC_ISSUER: provider.issuer,
  OIDC_ROLES: 'console-admins=super_admin, auditors=viewer',
  LOCAL_SIGN_IN: 'off',
  ADMIN_PASSWORD: password,
  ...providerSettings,
}
const server = await startServer(environment)
const runCommand = await createAdminCommand(server)
const command = (args: string[]) => runCommand(args, { environment })
const signIn = (username: string) => server.as(null)('POST', '/api/auth/login', { username, password })
const events = (type: string) =>
  server.sql(`SELECT severity, details->>'username' AS username FROM security_events WHERE event_type = $1`, [type])

beforeEach(() => server.sql('DELETE FROM sign_in_throttles'))

test('the first admin is for emergencies, and each use is a high event (product 2.10)', async () => {
  await createAdminIfNone(server.services)
  expect((await signIn('admin')).statusCode).toBe(200)
  expect(await events('break_glass_sign_in')).toEqual([{ severity: 'high', username: 'admin' }])
})

test('a right password of another operator answers as a wrong one', async () => {
  await createAdmin(server.system, 'grace', password)
  const reply = await signIn('grace')
  expect([reply.statusCode, reply.json().message]).toEqual([401, 'Invalid credentials'])
  expect(await events('sign_in_failed')).toEqual([{ severity: 'low', username: 'grace' }])
})

test('a command makes an operator for emergencies, and takes it back', async () => {
  expect(await command(['break-glass', 'grace'])).toMatchObject({
    code: 0,
    out: 'grace now signs in by password also where LOCAL_SIGN_IN is off.\n',
  })
  expect((await signIn('grace')).statusCode).toBe(200)
  expect(await events('break_glass_given')).toContainEqual({ severity: 'high', username: 'grace' })
  expect((await command(['list'])).out).toMatch(/grace .* active, break-glass/)
  await command(['break-glass', 'grace', '--off'])
  expect((await signIn('grace')).statusCode).toBe(401)
})

test('an invitation is accepted with the provider alone', async () => {
  await provider.setAccount('root', { preferred_username: 'root', groups: ['console-admins'] })
  const root = new ProviderBrowser(server)
  await root.signIn('root')
  const invited = await root.call('POST', '/api/operators', { username: 'vera', role: 'viewer' })
  const path = new URL(invited.json().link).pathname
  const page = await root.call('GET', path)
  expect(page.body).toContain('Accept with single sign-on')
  expect(page.body).not.toContain('type="password"')
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
  const payload = new URLSearchParams({ password, repeated: password }).toString()
  expect((await server.app.inject({ method: 'POST', url: path, headers, payload })).statusCode).toBe(404)
})

test('the last super admin who can sign in keeps the role, whatever others have', async () => {
  await command(['break-glass', 'admin', '--off'])
  const reply = await command(['disable', 'root'])
  expect([reply.code, reply.error.includes('last active super admin')]).toEqual([1, true])
})

test('an operator who is unlinked is signed out, and is linked again by an invitation', async () => {
  const root = new ProviderBrowser(server)
  await root.signIn('root')
  await provider.setAccount('peter', { preferred_username: 'peter', groups: ['auditors'] })
  const peter = new ProviderBrowser(server)
  await peter.signIn('peter')
  expect((await command(['unlink-provider', 'peter'])).out).toBe('peter is no longer linked to the sign-in provider.\n')
  expect(await peter.whoAmI()).toBeNull()
  const operators = (await root.call('GET', '/api/operators')).json().operators as {
    id: string
    username: string
    state: string
  }[]
  const found = operators.find(({ username }) => username === 'peter')!
  expect(found.state).toBe('invited')
  expect((await root.call('POST', `/api/operators/${found.id}/invitation`)).statusCode).toBe(200)
})

test('a console whose provider is away starts, and says so at the sign-in', async () => {
  const away = await startServer({ OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_NAME: 'Example ID', ...providerSettings })
  const reply = await new ProviderBrowser(away).call('POST', '/api/auth/oidc/start', {})
  expect([reply.statusCode, reply.json()]).toMatchObject([
    503,
    { code: 'provider_unavailable', message: 'Sign-in with Example ID can’t be reached now. Try again in a moment.' },
  ])
  expect((await away.as('ada')('GET', '/api/account')).statusCode).toBe(200)
})

test('without a provider there is nothing to begin', async () => {
  const plain = await startServer()
  const reply = await plain.as(null)('POST', '/api/auth/oidc/start', {})
  expect([reply.statusCode, reply.json().code]).toEqual([404, 'not_found'])
})
