import { expect, test } from 'vitest'
import { makeAppAdmin, openBrowser } from '#test/support/factor-browser.ts'
import { createApprovalCaller } from '#test/support/approvals.ts'
import { startServer, type TestServer } from '#test/support/server.ts'

const server = await startServer()
const body = { reason: 'Has lost the phone' }
const findId = async (username: string, on: TestServer = server) =>
  (await on.sql<{ id: string }>('SELECT id::text FROM admins WHERE username = $1', [username]))[0]!.id
const reset = (id: string, by = 'ada') => server.as(by)('POST', `/api/operators/${id}/reset-factors`, body)

test('a super admin resets lost factors of another, whose password alone signs in (product 2.8)', async () => {
  const { username, first } = await makeAppAdmin(server)
  const reply = await reset(await findId(username))
  expect([reply.statusCode, reply.json()]).toMatchObject([
    200,
    {
      message: 'Second factors reset',
      operator: { username, sessions: 0, factors: { passkeys: 0, apps: 0, recoveryCodes: 0 } },
    },
  ])
  expect((await first.whoAmI()).statusCode).toBe(401)
  expect((await openBrowser(server).signIn(username)).json()).toHaveProperty('admin')
  expect(
    await server.sql(
      `SELECT actor_name, details - 'endedSessions' AS details FROM audit_log WHERE action = 'reset_factors'`,
    ),
  ).toEqual([{ actor_name: 'ada', details: { username, ...body, factors: [{ kind: 'totp', name: 'Phone' }] } }])
  expect(
    await server.sql(`SELECT severity, description FROM security_events WHERE event_type = 'factors_reset'`),
  ).toEqual([
    {
      severity: 'critical',
      description: `The second factors of ${username} were taken away by ada; the password alone signs in`,
    },
  ])
})

test('where a factor is required the next sign-in opens nothing but adding one (product 2.8)', async () => {
  const strict = await startServer({ AUTH_MFA: 'required' })
  const { first } = await makeAppAdmin(strict)
  const other = await makeAppAdmin(strict)
  const id = await findId(other.username, strict)
  expect((await first.call('POST', `/api/operators/${id}/reset-factors`, body)).statusCode).toBe(200)
  const browser = openBrowser(strict)
  await browser.signIn(other.username)
  expect((await browser.call('GET', '/api/users')).json().code).toBe('factor_required')
})

test('nobody resets their own factors, and nobody those that there are not', async () => {
  const { username, first } = await makeAppAdmin(server)
  const own = await first.call('POST', `/api/operators/${await findId(username)}/reset-factors`, body)
  expect([own.statusCode, own.json().code]).toEqual([409, 'own_account'])
  await server.addOperator('grace', 'super_admin')
  const none = await reset(await findId('grace'))
  expect([none.statusCode, none.json().message]).toEqual([409, 'grace has no second factor'])
})

test('a reset decided on an operator as they were before is refused', async () => {
  const { username } = await makeAppAdmin(server)
  const id = await findId(username)
  const headers = { 'if-match': '"1"' }
  await server.as('ada')('PATCH', `/api/operators/${id}/role`, { role: 'finance' }, headers)
  const reply = await server.as('ada')('POST', `/api/operators/${id}/reset-factors`, body, headers)
  expect([reply.statusCode, reply.json().code]).toEqual([409, 'stale'])
})

test('a reset waits for a second operator where a rule is for changes of operators (product 2.11)', async () => {
  const { username } = await makeAppAdmin(server)
  const id = await findId(username)
  const { withRule, readRequest, approve } = createApprovalCaller(server, server.as('ada'))
  const countFactors = async () => (await server.sql('SELECT FROM admin_factors WHERE admin_id = $1', [id])).length
  await withRule('change_operators', async () => {
    const request = readRequest(await reset(id))
    expect(await countFactors()).toBe(1)
    expect((await approve(server.as('grace'), request)).statusCode).toBe(200)
    expect(await countFactors()).toBe(0)
  })
})
