import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { permissionLabels } from '#contract/permission-labels.ts'
import { isForAdmins, permissions, listPermissions, type Permission } from '#contract/permissions.ts'
import type { Route } from '#contract/route.ts'
import { allRoutes } from '#contract/schemas/routes.ts'
import { startServer } from './support/server.ts'

/** What each admin of this console may do now; the tests change it. */
const roles: { super_admin: readonly Permission[] } = { super_admin: permissions }
const server = await startServer({}, roles)

const calls: [name: string, Route][] = allRoutes.map(({ route }) => [`${route.method} ${route.path}`, route])
const adminCalls = calls.filter(([, { access }]) => isForAdmins(access))
const guardedCalls = adminCalls.flatMap(([name, route]) =>
  listPermissions(route.access).map((permission) => [name, permission, route] as const),
)

async function send(who: string | null, granted: readonly Permission[], { method, path }: Route) {
  roles.super_admin = granted
  // No record has this id, least of all the caller's own.
  return server.as(who)(method, path.replace(/:\w+/g, '987654'))
}

test.each(adminCalls)('%s is 401 without a session', async (_name, route) => {
  expect((await send(null, permissions, route)).statusCode).toBe(401)
})

test.each(guardedCalls)('%s is 403 without %s (product 2.6)', async (_name, permission, route) => {
  const others = permissions.filter((each) => each !== permission)
  const reply = await send('ada', others, route)
  expect(reply.statusCode).toBe(403)
  const message = `This needs the permission “${permissionLabels[permission]}” (${permission}), which you do not have`
  expect(reply.json()).toMatchObject({ code: 'forbidden', message })
})

// The event stream never ends.
test.each(adminCalls.filter(([, { path }]) => path !== '/api/live'))(
  '%s is not refused with the permissions it requires (product 2.6)',
  async (_name, route) => {
    const reply = await send('ada', listPermissions(route.access), route)
    expect(reply.statusCode).not.toBe(401)
    expect(reply.statusCode).not.toBe(403)
  },
)

test('each permission is required by a call', () => {
  expect(new Set(guardedCalls.map(([, permission]) => permission))).toEqual(new Set(permissions))
})

test('a refusal names each missing permission', async () => {
  const reply = await send('ada', [], allRoutes.find(({ name }) => name === 'exports.users')!.route)
  expect(reply.json().message).toBe(
    'This needs the permissions “Export lists and reports as CSV” (exports.take) and “View members and their wallets” (members.view), which you do not have',
  )
})

test('other calls require no permission', async () => {
  const others = calls.filter(([, { access }]) => !isForAdmins(access))
  for (const [name, route] of others) expect((await send(null, [], route)).statusCode, name).not.toBe(403)
  expect(others.flatMap(([, { access }]) => listPermissions(access))).toEqual([])
})

test('the specification lists each permission (product 2.6)', () => {
  const page = readFileSync(new URL('../docs/product/2-access.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/^\| `(\w+\.\w+)` \| (.+) \|$/gm)].map(([, name, label]) => [name, label])
  expect(listed).toEqual(Object.entries(permissionLabels))
})
