import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { passiveHeader } from '#contract/live.ts'
import { cookieHeader, createBrowserCalls, type Cookies } from '#test/support/browser-session.ts'
import { password, startServer } from '#test/support/server.ts'

const server = await startServer()
const { signIn, whoAmI } = createBrowserCalls(server)
const nextPassword = 'a walk along the river at dusk'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const call = (cookies: Cookies, method: Method, path: string, body?: object, headers: Record<string, string> = {}) =>
  server.as(null)(method, `/api/account/${path}`, body, { ...headers, cookie: cookieHeader(cookies) })

interface Session {
  id: string
  isCurrent: boolean
}
const listSessions = async (cookies: Cookies) =>
  (await call(cookies, 'GET', 'sessions')).json<{ sessions: Session[] }>().sessions

/** A new admin who has signed in this often. */
async function makeAdmin(times = 1) {
  const username = `grace-${randomBytes(4).toString('hex')}`
  await server.addOperator(username, 'super_admin')
  const browsers: Cookies[] = []
  for (let at = 0; at < times; at++) browsers.push((await signIn(username)).cookies)
  return { username, browsers, mine: browsers[0]! }
}
const changePassword = (cookies: Cookies, currentPassword: string, newPassword = nextPassword) =>
  call(cookies, 'POST', 'password', { currentPassword, newPassword })

const auditRows = (username: string, action: string) =>
  server.sql<{ target_type: string; details: Record<string, unknown>; actor_name: string }>(
    `SELECT target_type, details, actor_name FROM audit_log WHERE action = $1 AND details ->> 'username' = $2 ORDER BY id`,
    [action, username],
  )
const events = (username: string, type: string) =>
  server.sql<{ severity: string; description: string }>(
    `SELECT severity, description FROM security_events WHERE event_type = $1 AND details ->> 'username' = $2 ORDER BY id`,
    [type, username],
  )

test('the own sessions are listed: the one that asks first, then by last use (product 5.15)', async () => {
  const { username, browsers } = await makeAdmin(3)
  await server.sql(
    `UPDATE sessions SET last_active_at = now() - interval '29 minutes' + id * interval '1 second', ip_address = '2001:db8::1',
       user_agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
     WHERE admin_id = (SELECT id FROM admins WHERE username = $1)`,
    [username],
  )
  const listed = await call(browsers[1]!, 'GET', 'sessions', undefined, { [passiveHeader]: '1' })
  const { sessions } = listed.json<{ sessions: (Session & Record<string, unknown>)[] }>()
  expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([true, false, false])
  expect(Number(sessions[1]!.id)).toBeGreaterThan(Number(sessions[2]!.id))
  expect(sessions[0]).toMatchObject({
    device: 'Firefox 145 on Linux',
    deviceKind: 'computer',
    ipAddress: '2001:db8::1',
    lastActiveAt: expect.stringMatching(/Z$/),
  })
  expect(listed.body).not.toMatch(/hash|token/i)
})

test('a session that has timed out is not listed', async () => {
  const { username, mine } = await makeAdmin(2)
  await server.sql(
    `UPDATE sessions SET last_active_at = now() - interval '31 minutes'
     WHERE id = (SELECT max(s.id) FROM sessions s JOIN admins a ON a.id = s.admin_id WHERE a.username = $1)`,
    [username],
  )
  expect(await listSessions(mine)).toHaveLength(1)
})

test('a passive read of the sessions prolongs nothing (product 2.2)', async () => {
  const { username, mine } = await makeAdmin()
  const idle = `UPDATE sessions SET last_active_at = now() - interval '20 minutes' FROM admins a
    WHERE a.id = admin_id AND a.username = $1 RETURNING last_active_at::text`
  const [before] = await server.sql(idle, [username])
  await call(mine, 'GET', 'sessions', undefined, { [passiveHeader]: '1' })
  const [after] = await server.sql(
    'SELECT s.last_active_at::text FROM sessions s JOIN admins a ON a.id = s.admin_id WHERE a.username = $1',
    [username],
  )
  expect(after).toEqual(before)
})

test('an ended session is refused at its next call, with one audit row (product 5.15)', async () => {
  const { username, browsers, mine } = await makeAdmin(3)
  const [, other] = await listSessions(mine)
  const reply = await call(mine, 'DELETE', `sessions/${other!.id}`)
  expect([reply.statusCode, reply.json()]).toEqual([200, { message: 'The session was ended' }])
  const statuses = await Promise.all(browsers.map(async (cookies) => (await whoAmI(cookies)).statusCode))
  expect(statuses.toSorted()).toEqual([200, 200, 401])
  expect(await auditRows(username, 'end_session')).toMatchObject([{ target_type: 'session', actor_name: username }])
  expect((await call(mine, 'DELETE', `sessions/${other!.id}`)).statusCode).toBe(404)
})

test("another admin's session is as unknown as none, and stays (product 5.15)", async () => {
  const [one, other] = [await makeAdmin(), await makeAdmin()]
  const [theirs] = await listSessions(other.mine)
  for (const id of [theirs!.id, '999999999']) {
    const reply = await call(one.mine, 'DELETE', `sessions/${id}`)
    expect([reply.statusCode, reply.json().message]).toEqual([404, 'Session not found'])
  }
  expect((await whoAmI(other.mine)).statusCode).toBe(200)
})

test('the session that asks is ended by signing out alone', async () => {
  const { mine } = await makeAdmin()
  const [own] = await listSessions(mine)
  const reply = await call(mine, 'DELETE', `sessions/${own!.id}`)
  expect([reply.statusCode, reply.json().code]).toEqual([409, 'own_session'])
  expect((await whoAmI(mine)).statusCode).toBe(200)
})

test('all other sessions end at once, with one audit row that names them (product 5.15)', async () => {
  const { username, browsers, mine } = await makeAdmin(4)
  const stranger = await makeAdmin()
  const reply = await call(mine, 'DELETE', 'sessions')
  expect(reply.json()).toEqual({ message: '3 other sessions were ended', endedSessions: 3 })
  const statuses = await Promise.all(browsers.map(async (cookies) => (await whoAmI(cookies)).statusCode))
  expect(statuses).toEqual([200, 401, 401, 401])
  expect((await whoAmI(stranger.mine)).statusCode).toBe(200)
  expect((await call(mine, 'DELETE', 'sessions')).json().endedSessions).toBe(0)
  const rows = await auditRows(username, 'end_session')
  expect(rows).toHaveLength(1)
  expect(rows[0]!.details['endedSessions']).toHaveLength(3)
})

test('a new password ends the other sessions and gives this one another token (product 5.15)', async () => {
  const { username, browsers, mine } = await makeAdmin(3)
  const reply = await changePassword(mine, password)
  expect(reply.json()).toEqual({ message: 'The password was changed; 2 other sessions were ended', endedSessions: 2 })
  const fresh = { ...mine, sid: reply.cookies.find(({ name }) => name === 'sid')!.value }
  expect(fresh.sid).not.toBe(mine.sid)
  for (const old of browsers) expect((await whoAmI(old)).statusCode).toBe(401)
  expect((await whoAmI(fresh)).statusCode).toBe(200)
  expect(await listSessions(fresh)).toHaveLength(1)
  expect((await signIn(username)).reply.statusCode).toBe(401)
  expect((await signIn(username, { password: nextPassword })).reply.statusCode).toBe(200)
  expect(await auditRows(username, 'change_password')).toMatchObject([{ actor_name: username }])
  expect(await events(username, 'password_changed')).toMatchObject([{ severity: 'medium' }])
})

test('a new password keeps the 12 hours of the session, and browsers that are known', async () => {
  const { username, mine } = await makeAdmin()
  const read = () =>
    server.sql(
      `SELECT s.created_at::text, (SELECT count(*) FROM known_devices d WHERE d.admin_id = a.id) AS devices
       FROM sessions s JOIN admins a ON a.id = s.admin_id WHERE a.username = $1`,
      [username],
    )
  const before = await read()
  expect((await changePassword(mine, password)).statusCode).toBe(200)
  expect(await read()).toEqual(before)
})

test('a wrong current password is 401, changes nothing, and is written down', async () => {
  const { username, browsers, mine } = await makeAdmin(2)
  const reply = await changePassword(mine, 'not the password of anyone')
  expect([reply.statusCode, reply.json()]).toEqual([
    401,
    { message: 'The current password is not right', code: 'invalid_credentials' },
  ])
  expect(reply.headers['set-cookie']).toBeUndefined()
  for (const cookies of browsers) expect((await whoAmI(cookies)).statusCode).toBe(200)
  expect(await auditRows(username, 'change_password_failed')).toHaveLength(1)
  expect(await events(username, 'password_change_failed')).toMatchObject([
    { severity: 'low', description: `Wrong current password at a password change of ${username}` },
  ])
})

test('wrong current passwords and failed sign-ins share one count', async () => {
  const { username, mine } = await makeAdmin()
  for (let at = 0; at < 3; at++) await changePassword(mine, `guess number ${at} of somebody`)
  for (let at = 0; at < 2; at++) await signIn(username, { password: 'not this one', cookies: mine })
  // The lock of a second, made longer than a busy machine takes for the next calls.
  const counters = await server.sql<{ failures: number }>(
    `UPDATE sign_in_throttles SET locked_until = now() + interval '1 minute' FROM admins a
     WHERE a.username = $1 AND key LIKE 'account:#' || a.id || ':device:%' AND locked_until IS NOT NULL RETURNING failures`,
    [username],
  )
  expect(counters).toEqual([{ failures: 5 }])
  const locked = await changePassword(mine, password)
  expect([locked.statusCode, locked.json().code]).toEqual([429, 'too_many_requests'])
  expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0)
  expect((await signIn(username, { cookies: mine })).reply.statusCode).toBe(429)
  // Anyone who is signed in is not locked out of anything else.
  expect((await whoAmI(mine)).statusCode).toBe(200)
})

test.each([
  ['too short', 'short', 'newPassword: must have 15 to 128 characters'],
  ['well known', 'passwordpassword', /^newPassword: is too easy to guess/],
  ['the present one', password, 'newPassword: must differ from the current one'],
])('a new password that is %s is refused before the current one is looked at', async (_what, given, message) => {
  const { username, mine } = await makeAdmin()
  const reply = await changePassword(mine, password, given)
  expect(reply.statusCode).toBe(400)
  expect(reply.json().message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  expect(reply.json().details[0].field).toBe('newPassword')
  expect(await auditRows(username, 'change_password_failed')).toEqual([])
  expect((await signIn(username)).reply.statusCode).toBe(200)
})

test('of two changes at once one wins, and the other changes nothing', async () => {
  const { username, mine } = await makeAdmin()
  const replies = await Promise.all([
    changePassword(mine, password, 'the first of the two sentences'),
    changePassword(mine, password, 'and this is the other sentence'),
  ])
  const statuses = replies.map(({ statusCode }) => statusCode)
  expect(statuses.toSorted()).toEqual([200, 401])
  expect(await auditRows(username, 'change_password')).toHaveLength(1)
  const words = ['the first of the two sentences', 'and this is the other sentence'][statuses.indexOf(200)]!
  expect((await signIn(username, { password: words })).reply.statusCode).toBe(200)
})

const choice = { order: ['status', 'orderNumber'], hidden: ['projectName'], isCompact: true }
const chooseColumns = (cookies: Cookies, list: string, body: object) => call(cookies, 'PUT', `columns/${list}`, body)
const readColumns = async (cookies: Cookies) => {
  const reply = await server.as(null)('GET', '/api/account', undefined, { cookie: cookieHeader(cookies) })
  return reply.json<{ columns: Record<string, typeof choice> }>().columns
}

test('a choice of columns is kept for its operator alone, in every browser (product 4.10)', async () => {
  const { username, browsers, mine } = await makeAdmin(2)
  const other = await makeAdmin()
  const readAudited = () => server.sql('SELECT FROM audit_log WHERE actor_name = $1', [username])
  const before = await readAudited()
  expect(await readColumns(mine)).toEqual({})
  expect((await chooseColumns(mine, 'orders', choice)).statusCode).toBe(200)
  expect((await chooseColumns(mine, 'members', { ...choice, hidden: [] })).statusCode).toBe(200)
  expect(await readColumns(browsers[1]!)).toEqual({ orders: choice, members: { ...choice, hidden: [] } })
  expect(await readColumns(other.mine)).toEqual({})
  expect(await readAudited()).toHaveLength(before.length)
})

test.each([
  ['an unknown list', 'nothing', choice],
  ['too many columns', 'orders', { ...choice, hidden: Array.from({ length: 31 }, (_, n) => `c${n}`) }],
  ['what is not the id of a column', 'orders', { ...choice, order: ['x'.repeat(41)] }],
  ['a height that is not one', 'orders', { ...choice, isCompact: 'very' }],
  ['another field', 'orders', { ...choice, width: 3 }],
])('a choice of columns with %s is refused (product 4.10)', async (_what, list, body) => {
  const { mine } = await makeAdmin()
  expect((await chooseColumns(mine, list, body)).statusCode).toBe(400)
  expect(await readColumns(mine)).toEqual({})
})
