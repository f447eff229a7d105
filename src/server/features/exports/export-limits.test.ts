import { afterEach, expect, test } from 'vitest'
import { exportLimits } from '#contract/data-access.ts'
import { startSecondServer } from '#test/support/second-server.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const most = exportLimits.viewer!
await server.sql(`INSERT INTO members (id, email, created_at)
  SELECT 'many-' || n, 'many-' || n || '@example.com', now() - make_interval(secs => n) FROM generate_series(1, 6000) AS n`)
for (const role of ['viewer', 'finance', 'super_admin'] as const) await server.addOperator(role, role)
const take = (who: string, url = '/api/exports/users') => server.as(who)('GET', url)
const readExports = () =>
  server.sql<{ username: string; rows: number }>(
    `SELECT a.username, d.rows, d.target FROM data_access d JOIN admins a ON a.id = d.admin_id WHERE kind = 'export' ORDER BY d.id`,
  )
afterEach(() => server.sql(`DELETE FROM data_access; DELETE FROM security_events WHERE event_type = 'export_refused'`))

test('an export of members is a row of what was read, with its number of rows (product 6.9)', async () => {
  expect((await take('super_admin')).statusCode).toBe(200)
  expect(await readExports()).toEqual([{ username: 'super_admin', rows: 6000, target: null }])
})

test('lists without data of members are neither counted nor limited', async () => {
  for (const list of ['earning-tokens', 'fractions-tokens', 'security-events'])
    expect((await take('viewer', `/api/exports/${list}`)).statusCode).toBe(200)
  expect(await readExports()).toEqual([])
})

test('an export of the audit log counts, because it names members (product 6.9)', async () => {
  await take('viewer', '/api/exports/earning-tokens')
  const reply = await take('viewer', '/api/exports/admin-logs')
  expect([reply.statusCode, await readExports()]).toEqual([
    200,
    [{ username: 'viewer', rows: reply.body.trim().split('\n').length - 1, target: null }],
  ])
})

test('a viewer exports 10,000 rows in 24 hours, on all servers together (product 6.9)', async () => {
  const second = await startSecondServer(server)
  expect((await take('viewer')).statusCode).toBe(200)
  const login = await second.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username: 'viewer', password: 'seven grey herons at noon' },
  })
  const headers = { cookie: String(login.headers['set-cookie']).split(';')[0]! }
  const refused = await second.app.inject({ url: '/api/exports/users', headers })
  expect([refused.statusCode, refused.json()]).toEqual([
    403,
    {
      code: 'export_limit',
      message:
        'This list has 6,000 rows. The role Viewer exports at most 10,000 rows with data of members in 24 hours, and you have exported 6,000. Narrow the filters.',
    },
  ])
  await second.close()
  expect((await take('viewer', '/api/exports/users?search=many-77')).statusCode).toBe(200)
  expect((await take('super_admin')).statusCode).toBe(200)
  await server.sql(`UPDATE data_access SET at = at - interval '25 hours'`)
  expect((await take('viewer')).statusCode).toBe(200)
})

test('a refused export leaves no audit row, and one medium event a minute', async () => {
  await server.sql(
    `INSERT INTO data_access (admin_id, session_id, kind, rows) SELECT id, 1, 'export', ${most - 1} FROM admins WHERE username = 'viewer'`,
  )
  const audited = () => server.sql(`SELECT id FROM audit_log WHERE action = 'export_list'`)
  const before = await audited()
  for (let n = 0; n < 2; n++) expect((await take('viewer')).statusCode).toBe(403)
  expect(await audited()).toEqual(before)
  expect(
    await server.sql(
      `SELECT severity, details->'count' AS count FROM security_events WHERE event_type = 'export_refused'`,
    ),
  ).toEqual([{ severity: 'medium', count: 2 }])
})

test('two exports at once do not pass the limit together', async () => {
  const replies = await Promise.all([take('viewer'), take('viewer')])
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 403])
})

test('whether an export would be refused is said before its link is opened (product 6.9)', async () => {
  const ask = (query: string) => server.as('viewer')('GET', `/api/exports${query}`)
  expect((await ask('?list=users')).statusCode).toBe(204)
  await take('viewer')
  expect((await ask('')).statusCode).toBe(204)
  expect((await ask('?list=users')).json().code).toBe('export_limit')
  expect((await ask('?list=users&filters=search%3Dmany-77')).statusCode).toBe(204)
  expect((await ask('?list=users&filters=kycStatus%3Dnone')).json()).toMatchObject({ code: 'invalid' })
  expect(await readExports()).toHaveLength(1)
})
