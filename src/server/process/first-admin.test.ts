import { expect, test } from 'vitest'
import { password, startServer } from '#test/support/server.ts'
import { SettingError } from '#server/core/config.ts'
import { createAdminIfNone } from './first-admin.ts'

const signInAs = (server: Awaited<ReturnType<typeof startServer>>, username: string, given: string) =>
  server.as(null)('POST', '/api/auth/login', { username, password: given })

test('a first start without settings makes admin with a password shown once (product 2.4)', async () => {
  const server = await startServer()
  const said = await createAdminIfNone(server.services)
  const [, username = '', made = ''] = /^Sign in as (\S+) with the password (\S+) \(shown this once\)$/.exec(said) ?? []
  expect(username).toBe('admin')
  expect(made.length).toBeGreaterThanOrEqual(15)
  expect((await signInAs(server, username, made)).statusCode).toBe(200)
  for (const guess of ['admin', 'password', ''])
    expect((await signInAs(server, 'admin', guess)).statusCode).not.toBe(200)
  expect(await createAdminIfNone(server.services)).not.toContain(made)
  expect(await server.sql('SELECT actor_kind, actor_name, action FROM audit_log ORDER BY id LIMIT 1')).toEqual([
    { actor_kind: 'system', actor_name: 'first start', action: 'create_admin' },
  ])
})

test('ADMIN_USERNAME and ADMIN_PASSWORD apply only where no admin exists (product 2.4)', async () => {
  const server = await startServer({ ADMIN_USERNAME: 'grace', ADMIN_PASSWORD: password })
  const said = await createAdminIfNone(server.services)
  expect(said).toBe('Sign in as grace with the password of ADMIN_PASSWORD')
  const later = { ...server.services.config, firstAdmin: { username: 'grace', password: 'some other password' } }
  expect(await createAdminIfNone({ ...server.services, config: later })).toMatch(/^Sign in with your username/)
  expect((await signInAs(server, 'grace', password)).statusCode).toBe(200)
})

test('servers that start at once make one first admin, and only one shows a password', async () => {
  const server = await startServer()
  const said = await Promise.all(Array.from({ length: 5 }, () => createAdminIfNone(server.services)))
  expect(said.filter((line) => line.includes('shown this once'))).toHaveLength(1)
  expect(await server.sql('SELECT username FROM admins')).toEqual([{ username: 'admin' }])
})

test('an ADMIN_PASSWORD that everybody would guess stops the start and is named', async () => {
  const server = await startServer({ ADMIN_PASSWORD: 'passwordpassword' })
  const start = createAdminIfNone(server.services)
  await expect(start).rejects.toThrow(SettingError)
  await expect(start).rejects.toThrow(/^ADMIN_PASSWORD is too easy to guess/)
  expect(await server.sql('SELECT FROM admins')).toHaveLength(0)
})
