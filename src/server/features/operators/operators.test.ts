import { expect, test } from 'vitest'
import type { Role } from '#contract/permissions.ts'
import type { Operator } from '#contract/schemas/operators.ts'
import { type Caller, password, startServer } from '#test/support/server.ts'
import { disableOperator } from './service.ts'

const server = await startServer()
const ada = server.as('ada')
await ada('GET', '/api/account')

const listAll = async (): Promise<Operator[]> => (await ada('GET', '/api/operators')).json().operators
const find = async (username: string) => (await listAll()).find((operator) => operator.username === username)!
const reason = { reason: 'Has left the company' }
const signIn = (username: string, given = password) =>
  server.as(null)('POST', '/api/auth/login', { username, password: given })
const latest = async (table: 'audit_log' | 'security_events') =>
  (await server.sql(`SELECT * FROM ${table} ORDER BY id DESC LIMIT 1`))[0]

/** Invites an operator. Returns the id and the path of the link. */
const invite = (username: string, role: Role = 'viewer') => inviteAs(ada, username, role)
async function inviteAs(call: Caller, username: string, role: Role = 'viewer') {
  const reply = await call('POST', '/api/operators', { username, role })
  expect(reply.statusCode).toBe(200)
  const { operator, link } = reply.json()
  return { id: String(operator.id), path: new URL(link).pathname }
}
const look = (path: string) => server.app.inject({ method: 'GET', url: path })
/** As a browser sends the page's form. */
const accept = (path: string, given: { password?: string; repeated?: string } = {}, headers = {}) =>
  server.app.inject({
    method: 'POST',
    url: path,
    payload: new URLSearchParams({ password, repeated: password, ...given }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
  })

/** An operator who is signed in: their calls, and their id. */
async function join(username: string, role: Role) {
  const { id } = await server.addOperator(username, role)
  const call = server.as(username)
  expect((await call('GET', '/api/account')).statusCode).toBe(200)
  return { id, call }
}

test('an invited operator sets a password by the link and signs in with the role (product 2.7)', async () => {
  const { path } = await invite('vera')
  expect(await find('vera')).toMatchObject({ state: 'invited', role: 'viewer', invitedUntil: expect.any(String) })
  expect((await signIn('vera')).statusCode).toBe(401)
  const page = await look(path)
  expect([page.statusCode, page.body.includes('as Viewer')]).toEqual([200, true])
  const reply = await accept(path)
  expect([reply.statusCode, reply.body.includes('Sign in with the username vera')]).toEqual([200, true])
  expect((await signIn('vera')).statusCode).toBe(200)
  expect(await find('vera')).toMatchObject({ state: 'active', invitedUntil: null, sessions: 1 })
  const actions = await server.sql(`SELECT action, actor_name AS actor, details->>'username' AS username FROM audit_log
    WHERE action IN ('invite_operator', 'accept_invitation') ORDER BY id`)
  expect(actions).toEqual([
    { action: 'invite_operator', actor: 'ada', username: 'vera' },
    { action: 'accept_invitation', actor: 'vera', username: 'vera' },
  ])
  const events = await server.sql(
    `SELECT event_type FROM security_events WHERE event_type LIKE 'operator%' ORDER BY id`,
  )
  expect(events).toEqual([{ event_type: 'operator_invited' }, { event_type: 'operator_joined' }])
})

test('a link works once, and not after its time or a newer one (product 2.7)', async () => {
  const { id, path } = await invite('wanda')
  const renewed = await ada('POST', `/api/operators/${id}/invitation`)
  const newer = new URL(renewed.json().link).pathname
  expect((await accept(path)).statusCode).toBe(404)
  await server.sql(`UPDATE operator_invitations SET expires_at = now() - interval '1 second' WHERE admin_id = $1`, [id])
  expect((await accept(newer)).statusCode).toBe(404)
  expect(await find('wanda')).toMatchObject({ state: 'invited', invitedUntil: null })
  const last = new URL((await ada('POST', `/api/operators/${id}/invitation`)).json().link).pathname
  const replies = await Promise.all([accept(last), accept(last)])
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 404])
  expect((await ada('POST', `/api/operators/${id}/invitation`)).json()).toMatchObject({ code: 'operator_state' })
})

test.each([
  [{ password: 'too short', repeated: 'too short' }, 'must have 15 to 128 characters'],
  [{ repeated: 'another sentence' }, 'The two passwords are not the same'],
])('a password that breaks the rules leaves the link as it is: %j', async (given, problem) => {
  const { path } = await invite(`rules-${problem.length}`)
  const reply = await accept(path, given)
  expect([reply.statusCode, reply.body.includes(problem)]).toEqual([400, true])
  expect((await accept(path)).statusCode).toBe(200)
})

test('the page of another site accepts no invitation', async () => {
  const { path } = await invite('xenia')
  expect((await accept(path, {}, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
  expect(await find('xenia')).toMatchObject({ state: 'invited' })
})

test('a name is given once, in any case of its letters', async () => {
  const reply = await ada('POST', '/api/operators', { username: 'ADA', role: 'viewer' })
  expect([reply.statusCode, reply.json().code]).toEqual([409, 'username_taken'])
})

test.each([
  ['system', 'is how the audit log names the console, the platform or a command'],
  ['Platform:shop', 'is how the audit log names the console, the platform or a command'],
  ['ѕуѕтем', 'is how the audit log names the console, the platform or a command'],
  ['npm run admin (root)', 'is how the audit log names the console, the platform or a command'],
  ['аda.two', 'must not mix Latin letters with those of another alphabet'],
])('no operator is called %s (product 2.7)', async (username, problem) => {
  const reply = await ada('POST', '/api/operators', { username, role: 'viewer' })
  expect([reply.statusCode, reply.json().message]).toEqual([400, `username: ${problem}`])
})

test.each([
  ['letters of another alphabet', 'асе', 'ace'],
  ['full-width letters', 'ｏｐｓ', 'ops'],
  ['two blanks', 'de  sk', 'de sk'],
])('a name that looks like one that is taken, by %s, is refused (product 2.7)', async (_how, alike, taken) => {
  await invite(taken)
  const reply = await ada('POST', '/api/operators', { username: alike, role: 'viewer' })
  expect([reply.statusCode, reply.json()]).toMatchObject([
    409,
    { code: 'username_taken', message: `username: looks like ${taken}, the name of another operator` },
  ])
})

test('names of other alphabets are fine', async () => {
  for (const name of ['Юлия', 'ελένη', '山田 Taro', 'zoë.ng'])
    expect(await invite(name)).toMatchObject({ id: expect.any(String) })
})

test('a disabled operator is out with the next call, and cannot sign in (product 2.7)', async () => {
  const { id, call } = await join('mia', 'finance')
  const reply = await ada('POST', `/api/operators/${id}/disable`, reason)
  expect(reply.json().operator).toMatchObject({ state: 'disabled', sessions: 0 })
  expect((await call('GET', '/api/account')).statusCode).toBe(401)
  const refused = await signIn('mia')
  expect([refused.statusCode, refused.json().message]).toEqual([401, 'Invalid credentials'])
  const [row] = await server.sql(`SELECT actor_name, details FROM audit_log WHERE action = 'disable_admin'`)
  expect(row).toMatchObject({ actor_name: 'ada', details: { username: 'mia', ...reason } })
  expect((await ada('POST', `/api/operators/${id}/disable`, reason)).json().code).toBe('operator_state')
  await ada('POST', `/api/operators/${id}/enable`, { reason: 'Is back' })
  expect((await signIn('mia')).statusCode).toBe(200)
})

test('disabling an operator ends the invitations that they made (product 2.7)', async () => {
  const { id, call } = await join('thea', 'super_admin')
  const own = await inviteAs(call, 'backup.one')
  const other = await invite('backup.two')
  // Its first link was ada's, its present one is thea's.
  const renewed = await inviteAs(ada, 'backup.three')
  const { link } = (await call('POST', `/api/operators/${renewed.id}/invitation`)).json()
  expect(await find('backup.one')).toMatchObject({ invitedBy: 'thea', invitationApprovedBy: null })
  expect(await find('backup.three')).toMatchObject({ invitedBy: 'thea' })
  expect((await ada('POST', `/api/operators/${id}/disable`, reason)).statusCode).toBe(200)
  expect((await accept(own.path)).statusCode).toBe(404)
  expect((await accept(new URL(link).pathname)).statusCode).toBe(404)
  expect((await look(other.path)).statusCode).toBe(200)
  expect(await find('backup.one')).toMatchObject({ state: 'invited', invitedUntil: null, invitedBy: 'thea' })
  const ended = ['backup.one', 'backup.three']
  expect(await latest('audit_log')).toMatchObject({ action: 'disable_admin', details: { endedInvitations: ended } })
  expect(await latest('security_events')).toMatchObject({
    description: 'thea was disabled by ada, which ended 2 invitations: backup.one, backup.three',
    details: { by: 'ada', endedInvitations: ended },
  })
})

test('a role that may not invite ends the invitations that the operator made (product 2.7)', async () => {
  const { id, call } = await join('tara', 'super_admin')
  const { path } = await inviteAs(call, 'backup.four')
  await ada('PATCH', `/api/operators/${id}/role`, { role: 'finance' })
  expect((await accept(path)).statusCode).toBe(404)
  expect(await latest('audit_log')).toMatchObject({ details: { endedInvitations: ['backup.four'] } })
  expect(await latest('security_events')).toMatchObject({
    description: 'tara is Finance now, and was Super Admin; changed by ada, which ended 1 invitation: backup.four',
  })
})

test('an invitation is refused or ended, whichever of it and a disabling is first (product 2.7)', async () => {
  const { id, call } = await join('tilda', 'super_admin')
  const names = ['race.one', 'race.two', 'race.three', 'race.four']
  const [disabled, ...invited] = await Promise.all([
    ada('POST', `/api/operators/${id}/disable`, reason),
    ...names.map((username) => call('POST', '/api/operators', { username, role: 'super_admin' })),
  ])
  expect(disabled.statusCode).toBe(200)
  for (const { statusCode } of invited) expect([200, 401]).toContain(statusCode)
  const open = await server.sql(
    `SELECT username FROM admins JOIN operator_invitations ON admin_id = admins.id WHERE username LIKE 'race.%'`,
  )
  expect(open).toEqual([])
})

test('a new super admin is a critical event that names the inviter (product 2.7)', async () => {
  const { path } = await inviteAs(ada, 'wilma', 'super_admin')
  expect(await latest('security_events')).toMatchObject({
    severity: 'high',
    description: 'wilma was invited as Super Admin by ada',
  })
  await accept(path)
  expect(await latest('security_events')).toMatchObject({
    event_type: 'operator_joined',
    severity: 'critical',
    description: 'wilma has accepted the invitation of ada and can sign in as Super Admin',
  })
  await ada('POST', `/api/operators/${(await find('wilma')).id}/disable`, reason)
})

test('a change of the role ends the sessions and raises a security event (product 2.7)', async () => {
  const { id, call } = await join('nora', 'viewer')
  const { version } = await find('nora')
  const stale = await ada('PATCH', `/api/operators/${id}/role`, { role: 'finance' }, { 'if-match': `"${version + 1}"` })
  expect(stale.json().code).toBe('stale')
  const reply = await ada('PATCH', `/api/operators/${id}/role`, { role: 'finance' })
  expect(reply.json()).toMatchObject({ message: 'Role changed', operator: { role: 'finance', sessions: 0 } })
  expect((await call('GET', '/api/account')).statusCode).toBe(401)
  expect(await latest('security_events')).toMatchObject({ event_type: 'operator_role_changed', severity: 'medium' })
  expect(await latest('audit_log')).toMatchObject({
    action: 'change_role',
    details: { before: 'viewer', after: 'finance' },
  })
})

test('nobody changes their own role or disables themselves (product 2.7)', async () => {
  const { id } = await find('ada')
  expect((await ada('PATCH', `/api/operators/${id}/role`, { role: 'viewer' })).json().code).toBe('own_account')
  expect((await ada('POST', `/api/operators/${id}/disable`, reason)).json().code).toBe('own_account')
  expect(await find('ada')).toMatchObject({ role: 'super_admin', state: 'active' })
})

test('the last active super admin stays, also by command (product 2.7)', async () => {
  await invite('not-yet', 'super_admin')
  await expect(disableOperator(server.system, { username: 'ada' }, null)).rejects.toMatchObject({
    code: 'last_super_admin',
  })
  expect(await find('ada')).toMatchObject({ state: 'active' })
})

test('of two super admins who disable each other at once one stays (product 2.7)', async () => {
  const { id: own } = await find('ada')
  const { id, call } = await join('zoe', 'super_admin')
  const replies = await Promise.all([
    ada('POST', `/api/operators/${id}/disable`, reason),
    call('POST', `/api/operators/${own}/disable`, reason),
  ])
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  const active = await server.sql(
    `SELECT username FROM admins WHERE role = 'super_admin' AND disabled_at IS NULL AND password_hash IS NOT NULL`,
  )
  expect(active).toHaveLength(1)
  await server.sql(`UPDATE admins SET disabled_at = NULL WHERE id = $1`, [own])
})

test('the sessions of an operator can be ended', async () => {
  // The test above has ended one of the sessions: ada signs in again.
  const { cookies } = await signIn('ada')
  const cookie = `sid=${cookies.find(({ name }) => name === 'sid')!.value}`
  const { id, call } = await join('olga', 'reviewer')
  const reply = await server.as(null)('DELETE', `/api/operators/${id}/sessions`, undefined, { cookie })
  expect(reply.json().operator).toMatchObject({ sessions: 0, state: 'active' })
  expect((await call('GET', '/api/account')).statusCode).toBe(401)
  expect((await signIn('olga')).statusCode).toBe(200)
})
