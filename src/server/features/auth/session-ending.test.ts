import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { cookieHeader, createBrowserCalls, type Cookies } from '#test/support/browser-session.ts'
import { runJob } from '#test/support/jobs.ts'
import { password, startServer } from '#test/support/server.ts'
import { endAllSessions, endEverySession, setPassword } from './admins.ts'
import { resetFactors } from '#server/features/operators/service.ts'

const server = await startServer()
const { signIn } = createBrowserCalls(server)
const ada = server.as('ada')
const nextPassword = 'a walk along the river at dusk'

const readEnding = async (cookies?: Cookies) =>
  (
    await server.as(null)('GET', '/api/auth/session-ending', undefined, cookies && { cookie: cookieHeader(cookies) })
  ).json<{ message: string | null }>().message
const call = (cookies: Cookies, method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) =>
  server.as(null)(method, url, body, { cookie: cookieHeader(cookies) })

/** A new admin who has signed in this often. */
async function makeAdmin(times = 1) {
  const username = `emmy-${randomBytes(4).toString('hex')}`
  await server.addOperator(username, 'super_admin')
  const browsers: Cookies[] = []
  for (let at = 0; at < times; at++) browsers.push((await signIn(username)).cookies)
  const [{ id } = { id: '' }] = await server.sql<{ id: string }>('SELECT id::text FROM admins WHERE username = $1', [
    username,
  ])
  return { id, username, browsers, mine: browsers[0]!, other: browsers[1]! }
}
const setTimes = (id: string, times: string) => server.sql(`UPDATE sessions SET ${times} WHERE admin_id = $1`, [id])

test('nobody is told of a session that they did not hold, or that goes on', async () => {
  const { mine } = await makeAdmin()
  expect(await readEnding()).toBeNull()
  expect(await readEnding({ sid: 'of-a-stranger' })).toBeNull()
  expect(await readEnding(mine)).toBeNull()
})

test('after signing out there is nothing to tell (product 2.2)', async () => {
  const { mine } = await makeAdmin()
  await call(mine, 'POST', '/api/auth/logout')
  expect(await readEnding(mine)).toBeNull()
})

test('a time-out is told, before and after the row is deleted (product 2.2)', async () => {
  const [idle, old] = [await makeAdmin(), await makeAdmin()]
  await setTimes(idle.id, `last_active_at = now() - interval '31 minutes'`)
  await setTimes(old.id, `created_at = now() - interval '12 hours 1 second', last_active_at = now()`)
  for (let turn = 0; turn < 2; turn++) {
    expect(await readEnding(idle.mine)).toBe('You were signed out after 30 minutes without use.')
    expect(await readEnding(old.mine)).toBe('You were signed out 12 hours after signing in, as everybody is.')
    await runJob(server.services, 'delete-expired')
  }
})

test('an end from another browser is told (product 2.2)', async () => {
  const { mine, other } = await makeAdmin(2)
  const { sessions } = (await call(mine, 'GET', '/api/account/sessions')).json<{
    sessions: { id: string; isCurrent: boolean }[]
  }>()
  await call(mine, 'DELETE', `/api/account/sessions/${sessions.find(({ isCurrent }) => !isCurrent)!.id}`)
  expect(await readEnding(other)).toContain('from another browser')
  const { mine: kept, other: ended } = await makeAdmin(2)
  await call(kept, 'DELETE', '/api/account/sessions')
  expect(await readEnding(ended)).toContain('from another browser')
  expect(await readEnding(kept)).toBeNull()
})

test('a changed password and one set again are told (product 2.2)', async () => {
  const { username, mine, other } = await makeAdmin(2)
  const body = { currentPassword: password, newPassword: nextPassword }
  expect((await call(mine, 'POST', '/api/account/password', body)).statusCode).toBe(200)
  expect(await readEnding(other)).toContain('your password was changed in another browser')
  const again = await signIn(username, { password: nextPassword })
  await setPassword(server.system, username, password)
  expect(await readEnding(again.cookies)).toContain('your password was set again')
})

test('a disabled account, another role and an end by somebody are told (product 2.2)', async () => {
  const [first, second, third, fourth] = [await makeAdmin(), await makeAdmin(), await makeAdmin(), await makeAdmin()]
  await ada('POST', `/api/operators/${first.id}/disable`, { reason: 'Left' })
  await ada('PATCH', `/api/operators/${second.id}/role`, { role: 'viewer' })
  await ada('DELETE', `/api/operators/${third.id}/sessions`)
  await endAllSessions(server.system, fourth.username)
  expect(await readEnding(first.mine)).toContain('your account was disabled')
  expect(await readEnding(second.mine)).toContain('your role was changed')
  expect(await readEnding(third.mine)).toContain('Somebody who manages this console')
  expect(await readEnding(fourth.mine)).toContain('Somebody who manages this console')
})

test('taken-away factors are told', async () => {
  const { id, username, mine } = await makeAdmin()
  await server.sql(
    `INSERT INTO admin_factors (admin_id, kind, name, secret_enc, key_id, last_step) VALUES ($1, 'totp', 'Phone', 'x', 'k', 0)`,
    [id],
  )
  await resetFactors(server.system, { username }, null)
  expect(await readEnding(mine)).toContain('second factors were taken away')
})

test('the oldest of six sessions is told that newer ones took its place', async () => {
  const { browsers } = await makeAdmin(6)
  expect(await readEnding(browsers[0])).toContain('several other devices')
  expect(await readEnding(browsers[1])).toBeNull()
})

test('what is kept of ended sessions is deleted after a day', async () => {
  const { mine } = await makeAdmin()
  await endEverySession(server.system)
  expect(await readEnding(mine)).not.toBeNull()
  await server.sql(`UPDATE ended_sessions SET ended_at = now() - interval '25 hours'`)
  expect(await readEnding(mine)).toBeNull()
  await runJob(server.services, 'delete-expired')
  expect(await server.sql('SELECT 1 FROM ended_sessions')).toEqual([])
})
