import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { createKey, revokeKey } from '#server/features/keys/service.ts'
import { createEndpoint } from '#server/features/messages/service.ts'
import { createAdminCommand } from '#test/support/admin-command.ts'
import { startServer } from '#test/support/server.ts'
import type { AccessReport } from './read-access.ts'
import { findCluster } from '#test/support/cluster.ts'

const server = await startServer()
const admin = await createAdminCommand(server)
const maintenance = new pg.Client(findCluster().postgres)
await maintenance.connect()
const reader = `reader_${process.pid}`
afterAll(async () => {
  await server.sql(`DROP OWNED BY ${reader}`)
  await maintenance.query(`DROP ROLE ${reader}`)
  await maintenance.end()
})

const ada = server.as('ada')
await ada('GET', '/api/auth/user')
const { link } = (await ada('POST', '/api/operators', { username: 'vera', role: 'viewer' })).json() as { link: string }
await server.addOperator('finn', 'finance')
await server.sql('UPDATE admins SET break_glass = true WHERE username = $1', ['ada'])
await server.sql(`UPDATE admins SET disabled_at = now() WHERE username = 'finn'`)
const kept = await createKey(server.system, {
  name: 'shop',
  callsPerSecond: 5,
  scopes: ['orders.read'],
  expiresInDays: 9,
})
await createKey(server.system, { name: 'gone', callsPerSecond: 5 })
await revokeKey(server.system, 'gone')
const { secret } = await createEndpoint(server.system, {
  name: 'Payments',
  url: 'https://platform.example/in/token-in-the-path',
  types: null,
})
await server.sql(`CREATE ROLE ${reader} LOGIN PASSWORD 'of the reader'; GRANT SELECT ON members TO ${reader}`)

const oidc = {
  OIDC_ISSUER: 'https://login.example.com/realms/staff',
  OIDC_CLIENT_ID: 'back-office',
  OIDC_CLIENT_SECRET: 'secret-of-the-client',
  OIDC_NAME: 'Example ID',
  OIDC_ROLES: 'console-admins=super_admin,auditors=viewer',
  PUBLIC_URL: 'https://console.example.com',
}
const settings = {
  LOCAL_SIGN_IN: 'off',
  AUTH_MFA: 'required',
  ALARMS_URL: 'https://alarms.example.com/in/token-in-the-path',
  ALARMS_SECRET: `whsec_${randomBytes(24).toString('base64')}`,
  PLATFORM_API_KEY: 'platform-key-of-the-tests-0123456789',
}
const environment = { ...oidc, ...settings }
const read = async () => {
  const { code, out, error } = await admin(['access', 'list', '--json'], { environment })
  expect(code, error).toBe(0)
  return JSON.parse(out) as AccessReport
}
const report = await read()
const table = await admin(['access', 'list'], { environment })

test('access list names operators with role, state, factors, last sign-in and sessions', () => {
  expect(report.operators).toEqual([
    {
      username: 'ada',
      role: 'super_admin',
      state: 'active',
      isBreakGlass: true,
      signInWays: ['password'],
      signInLinkUntil: null,
      factors: { passkeys: 0, apps: 0, recoveryCodes: 0 },
      lastSignInAt: expect.any(String),
      sessions: 1,
    },
    expect.objectContaining({ username: 'finn', role: 'finance', state: 'disabled', sessions: 0 }),
    expect.objectContaining({ username: 'vera', role: 'viewer', state: 'invited', signInWays: [] }),
  ])
})

test('access list names open invitations with who made them', () => {
  expect(report.invitations).toEqual([
    { username: 'vera', role: 'viewer', invitedBy: 'ada', approvedBy: null, until: expect.any(String) },
  ])
})

test('access list names the keys that are valid, and counts the others', () => {
  expect(report.platformKeys.map(({ name }) => name)).toEqual(['PLATFORM_API_KEY', 'shop'])
  expect(report.platformKeys[1]).toMatchObject({
    scopes: ['orders.read'],
    networks: null,
    createdAt: expect.any(String),
    lastUsedAt: null,
    expiresAt: expect.any(String),
  })
  expect(report.endedKeys).toBe(1)
})

test('access list names endpoints by their host', () => {
  expect(report.endpoints).toContainEqual(
    expect.objectContaining({ name: 'Payments', host: 'platform.example', state: expect.any(String), types: null }),
  )
})

test('access list names the database roles that read or change rows', () => {
  const roles = new Map(report.databaseRoles.map(({ name, ...role }) => [name, role]))
  expect(roles.get(reader)).toMatchObject({ level: 'reads', signsIn: true, connections: 0, isServer: false })
  expect([...roles.values()].filter(({ isServer }) => isServer)).toHaveLength(1)
  expect(report.databaseRoles.map(({ level }) => level)).toContain('superuser')
  expect(roles.get(findCluster().postgres.user)).toMatchObject({ level: 'superuser', signsIn: true })
})

test('access list says how sign-in is set, in a line each', () => {
  expect(report.settings).toMatchObject({
    'single sign-on':
      'Example ID at https://login.example.com/realms/staff; groups give roles: console-admins=super_admin, auditors=viewer',
    passwords: 'closed but for break-glass (LOCAL_SIGN_IN=off)',
    'break-glass': 'ada',
    'second factor': 'required (AUTH_MFA)',
  })
})

test('the tables say the same as the JSON', () => {
  expect(table.code, table.error).toBe(0)
  for (const heading of ['Operators', 'Open invitations', 'Platform keys', 'Endpoints', 'Database roles', 'Settings'])
    expect(table.out).toMatch(new RegExp(`^${heading}`, 'm'))
  expect(table.out).toMatch(/^ada +Super Admin +active, break-glass +password +none +\d{4}-\S+ +1$/m)
  expect(table.out).toMatch(/^vera +Viewer +ada +\d{4}-\S+$/m)
  expect(table.out).toMatch(/^shop +orders\.read +anywhere +\d{4}-\S+ +\d{4}-\S+ +never$/m)
  expect(table.out).toContain('1 more is revoked or has expired: npm run admin -- key list')
  expect(table.out).toMatch(new RegExp(`^${reader} +reads rows +yes +0$`, 'm'))
  expect(table.out).toMatch(/^break-glass +ada$/m)
})

test('access list shows no secret', () => {
  const secrets = [
    kept.key,
    secret,
    link.split('/').at(-1)!,
    'token-in-the-path',
    oidc.OIDC_CLIENT_SECRET,
    settings.ALARMS_SECRET,
    settings.PLATFORM_API_KEY,
    'of the reader',
  ]
  for (const out of [table.out, JSON.stringify(report)])
    expect(secrets.filter((each) => out.includes(each))).toEqual([])
})

test('a console that nobody has set up says so', async () => {
  const empty = await admin(['access', 'list'])
  expect(empty.out).toMatch(/^single sign-on +off$/m)
  expect(empty.out).toMatch(/^passwords +open to all operators$/m)
})

test('access says what it does not know', async () => {
  const [bare, odd, more] = await Promise.all([
    admin(['access']),
    admin(['access', 'show']),
    admin(['access', 'list', 'ada']),
  ])
  expect([bare.code, odd.code, more.code]).toEqual([2, 2, 2])
  expect(bare.error).toContain('access needs one more word: list')
  expect(odd.error).toContain('There is no command "access show"')
  expect(more.error).toContain('access list does not know what to do with "ada"')
})
