import { expect, test } from 'vitest'
import { describeMissing } from '#contract/permission-labels.ts'
import { can, listPermissions, permissions, roleNames, type Permission, type Role } from '#contract/permissions.ts'
import { noticePermissions } from '#contract/notices.ts'
import { allRoutes } from '#contract/schemas/routes.ts'
import { accessMatrix, readAccessMatrix } from '#tools/access-matrix.ts'
import { makeMember, makeOrder, makeTransaction } from './support/make.ts'
import { startServer } from './support/server.ts'

const server = await startServer()
/** One operator of each role, by its name. */
for (const role of roleNames) await server.addOperator(role, role)

const calls = allRoutes
  .map(({ route }) => ({ route, name: `${route.method} ${route.path}`, needed: listPermissions(route.access) }))
  .filter(({ needed }) => needed.length > 0)
// `roles` of a call: with which it passes the guard.
const cases = roleNames.flatMap((role) => calls.map((call) => ({ ...call, role })))

test.each(cases)('$role: $name (product 2.6)', async ({ role, route, needed }) => {
  const missing = needed.filter((permission) => !can({ role }, permission))
  const reply = await server.as(role)(route.method, route.path.replace(/:\w+/g, '987654'))
  if (missing.length > 0) {
    expect(reply.statusCode).toBe(403)
    expect(reply.json()).toMatchObject({ code: 'forbidden', message: describeMissing(missing) })
  } else expect([401, 403]).not.toContain(reply.statusCode)
})

test('an admin without a known role may do nothing', () => {
  for (const permission of permissions) {
    expect(can({ role: null }, permission)).toBe(false)
    expect(can({ role: 'owner' as Role }, permission)).toBe(false)
  }
})

test('a viewer changes nothing and opens no document (product 2.6)', () => {
  const changes = permissions.filter((permission) => !permission.endsWith('.view') && permission !== 'exports.take')
  expect([...changes, 'documents.view' as const].filter((permission) => can({ role: 'viewer' }, permission))).toEqual(
    [],
  )
})

test('the account call answers role and permissions', async () => {
  const { admin, permissions: granted, hasOtherOperators } = (await server.as('finance')('GET', '/api/account')).json()
  expect(admin).toMatchObject({ username: 'finance', role: 'finance', lastSignInAt: expect.any(String) })
  expect(granted).toEqual(permissions.filter((permission) => can({ role: 'finance' }, permission)))
  expect(hasOtherOperators).toBe(true)
})

test('the current user is answered without the role (product 2.3)', async () => {
  const { admin } = (await server.as('viewer')('GET', '/api/auth/user')).json()
  expect(Object.keys(admin).toSorted()).toEqual(['createdAt', 'id', 'lastSignInAt', 'username'])
})

test('a search finds only what the role may view (product 2.6)', async () => {
  const member = await makeMember(server, { email: 'role-search@example.com', legalFirstName: 'Rolanda' })
  const order = await makeOrder(server, member.id, { projectName: 'Rolanda Park' })
  const find = async (role: Role) => {
    const { members, orders } = (await server.as(role)('GET', '/api/search?q=rolanda')).json()
    return { members: members.length, orders: orders.length }
  }
  expect(await find('viewer')).toEqual({ members: 1, orders: 1 })
  expect(await find('reviewer')).toEqual({ members: 1, orders: 0 })
  expect(await find('finance')).toEqual({ members: 0, orders: 1 })
  const recent = `/api/search/recent?members=${member.id}&orders=${order.id}`
  expect((await server.as('finance')('GET', recent)).json()).toMatchObject({ members: [], orders: [{ id: order.id }] })
})

test('a member is shown without the transactions that the role may not view (product 2.6)', async () => {
  const member = await makeMember(server)
  await makeTransaction(server, member.id)
  await makeOrder(server, member.id)
  const read = async (role: Role) => (await server.as(role)('GET', `/api/users/${member.id}`)).json()
  expect(await read('viewer')).toMatchObject({ userTransactions: [{}], totals: { userTransactions: 1, orders: 1 } })
  expect(await read('reviewer')).toMatchObject({ userTransactions: [], totals: { userTransactions: 0, orders: 0 } })
})

test('notices name only lists that the role may view (product 3.6)', async () => {
  await makeOrder(server, (await makeMember(server)).id, { expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
  await server.sql(
    `INSERT INTO security_events (severity, event_type, description) VALUES ('critical', 'test', 'A test')`,
  )
  const kinds = async (role: Role) =>
    (await server.as(role)('GET', '/api/notices')).json().notices.map(({ kind }: { kind: string }) => kind)
  expect(await kinds('finance')).toEqual(['expiring_orders'])
  expect(await kinds('reviewer')).toEqual([])
  expect(await kinds('viewer')).toEqual(['critical_events', 'expiring_orders'])
  for (const permission of Object.values(noticePermissions))
    for (const role of roleNames)
      if (permission && can({ role }, permission))
        expect(can({ role }, permission.replace(/\.\w+$/, '.view') as Permission), `${role}, ${permission}`).toBe(true)
})

test('docs/access-matrix.md says what the contract says (npm run access-matrix)', async () => {
  expect(await readAccessMatrix()).toBe(accessMatrix)
})
