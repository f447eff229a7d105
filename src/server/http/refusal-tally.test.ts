import { expect, test } from 'vitest'
import { makeAttempt, makeMember, makeOrder } from '#test/support/make.ts'
import { startSecondServer } from '#test/support/second-server.ts'
import { password, startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
await ada('GET', '/api/auth/user')

/** The events of one kind that a server of its own leaves behind, with its end. */
async function readEvents(type: string, act: (app: typeof server.app) => Promise<unknown>) {
  const second = await startSecondServer(server)
  await act(second.app)
  await second.close()
  return server.sql(
    `SELECT severity, description, ip_address, details FROM security_events WHERE event_type = $1 ORDER BY id`,
    [type],
  )
}

test('changes that pages of another site ask for are events, however many come', async () => {
  const found = await readEvents('cross_site_refused', (app) =>
    Promise.all(
      Array.from({ length: 50 }, () =>
        app.inject({ method: 'POST', url: '/api/auth/logout', headers: { 'sec-fetch-site': 'cross-site' } }),
      ),
    ),
  )
  expect(found).toEqual([
    {
      severity: 'medium',
      description: 'A page of another site asked this console for a change',
      ip_address: '127.0.0.1',
      details: {},
    },
    expect.objectContaining({
      description: 'Pages of other sites asked this console for 50 changes in a minute',
      details: { refused: 50, sources: 1, most: { '127.0.0.1': 50 } },
    }),
  ])
})

test('many calls without a session are one event and its count', async () => {
  const ask = (times: number) => (app: typeof server.app) =>
    Promise.all(Array.from({ length: times }, () => app.inject({ url: '/api/users', headers: { cookie: 'sid=over' } })))
  expect(await readEvents('calls_without_session', ask(59))).toEqual([])
  expect(await readEvents('calls_without_session', ask(75))).toMatchObject([
    { severity: 'low', description: 'An address makes many calls without a session', ip_address: '127.0.0.1' },
    { severity: 'low', description: '75 calls came without a session in a minute', details: { refused: 75 } },
  ])
})

test('a move that another operator made first is not an event', async () => {
  const { id } = await makeOrder(server, (await makeMember(server)).id)
  const cookie = { cookie: await signIn() }
  const change = (app: typeof server.app) =>
    app.inject({
      method: 'PATCH',
      url: `/api/orders/${id}/status`,
      payload: { status: 'paid' },
      headers: { ...cookie, 'if-match': '"1"' },
    })
  const found = await readEvents('move_refused', async (app) => {
    expect((await change(app)).statusCode).toBe(200)
    expect((await change(app)).json()).toMatchObject({ code: 'order_state' })
  })
  expect(found).toEqual([])
})

test('a refused move is an event that names operator, call and code', async () => {
  const { id } = await makeOrder(server, (await makeMember(server)).id, { status: 'cancelled' })
  const cookie = { cookie: await signIn() }
  const move = (app: typeof server.app) =>
    app.inject({ method: 'PATCH', url: `/api/orders/${id}/status`, payload: { status: 'paid' }, headers: cookie })
  const found = await readEvents('move_refused', async (app) => {
    expect((await move(app)).statusCode).toBe(409)
    expect((await move(app)).statusCode).toBe(409)
  })
  expect(found).toMatchObject([
    {
      severity: 'low',
      description: 'ada asked for a change that the present state does not allow',
      details: { call: 'PATCH /api/orders/:id/status', code: expect.any(String) },
    },
    { description: '2 changes were refused by the present state in a minute' },
  ])
})

test('a call that the role does not allow is an event with call and permission (product 2.6)', async () => {
  await server.addOperator('vic', 'viewer')
  const cookie = { cookie: await signIn('vic') }
  const found = await readEvents('permission_refused', async (app) => {
    const invite = { username: 'backup.ops', role: 'super_admin' }
    const reply = await app.inject({ method: 'POST', url: '/api/operators', payload: invite, headers: cookie })
    expect(reply.statusCode).toBe(403)
    expect((await app.inject({ url: '/api/operators', headers: cookie })).statusCode).toBe(403)
  })
  expect(found).toMatchObject([
    {
      severity: 'medium',
      ip_address: '127.0.0.1',
      description: 'vic, Viewer, made a call that the role does not allow',
      details: { operator: 'vic', call: 'POST /api/operators', refusal: expect.stringContaining('(operators.manage)') },
    },
    { description: '2 calls were refused for lack of a permission in a minute' },
  ])
})

test('a decision on an own request is an event that names the request (product 2.11)', async () => {
  await server.addOperator('flo', 'super_admin')
  const [request] = await server.sql<{ id: string }>(
    `INSERT INTO approvals (action, call, params, target_type, target_id, target_name, changes, requested_by, expires_at)
     SELECT 'switch_token', 'tokens.setActive', '{}', 'token', '1', 'Token', '[]', id, now() + interval '1 day'
     FROM admins WHERE username = 'flo' RETURNING id::text`,
  )
  const cookie = { cookie: await signIn('flo') }
  const found = await readEvents('own_approval_refused', async (app) => {
    const url = `/api/approvals/${request!.id}/approve`
    expect((await app.inject({ method: 'POST', url, payload: {}, headers: cookie })).statusCode).toBe(409)
  })
  expect(found).toMatchObject([
    { severity: 'medium', description: 'flo tried to decide on an own request', details: { approvalId: request!.id } },
  ])
})

test('opening a case that another operator has decided is not a refused move', async () => {
  const { id } = await makeMember(server)
  await makeAttempt(server, id)
  const [attempt] = await server.sql<{ id: string }>('SELECT id FROM kyc_verifications WHERE member_id = $1', [id])
  await server.as('eva')('POST', `/api/kyc/verifications/${attempt!.id}/review`, { action: 'approve' })
  const cookie = { cookie: await signIn() }
  const found = await readEvents('move_refused', async (app) => {
    const claimed = await app.inject({ method: 'POST', url: `/api/kyc/cases/${attempt!.id}/claim`, headers: cookie })
    expect([claimed.statusCode, claimed.json().code]).toEqual([409, 'attempt_decided'])
  })
  expect(found.filter(({ details }) => details.code === 'attempt_decided')).toEqual([])
})

async function signIn(username = 'ada') {
  const reply = await server.app.inject({ method: 'POST', url: '/api/auth/login', payload: { username, password } })
  return String(reply.headers['set-cookie']).split(';')[0]!
}

/** A change asked for by another site, from one of many addresses. */
const askFromElsewhere = (app: typeof server.app, n: number) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/logout',
    headers: { origin: 'https://evil.example' },
    remoteAddress: `198.51.100.${n}`,
  })

test('thirty sources of a flood are events of their own, the rest is counted', async () => {
  await server.sql('DELETE FROM security_events')
  const found = await readEvents('cross_site_refused', (app) =>
    Promise.all(Array.from({ length: 90 }, (_, n) => askFromElsewhere(app, n))),
  )
  expect(found).toHaveLength(31)
  expect(found.at(-1)).toMatchObject({ details: { refused: 90, sources: 90 } })
})

test('a flood of one kind of refusal hides no event of another kind', async () => {
  await server.sql('DELETE FROM security_events')
  await server.addOperator('zoe', 'viewer')
  const cookie = { cookie: await signIn('zoe') }
  const found = await readEvents('permission_refused', async (app) => {
    await Promise.all(Array.from({ length: 40 }, (_, n) => askFromElsewhere(app, n)))
    for (let n = 0; n < 2; n++) await app.inject({ url: '/api/operators', headers: cookie })
  })
  expect(found).toMatchObject([
    { description: 'zoe, Viewer, made a call that the role does not allow' },
    { description: '2 calls were refused for lack of a permission in a minute' },
  ])
})

test('many sources that each stay below the threshold are counted in one event', async () => {
  await server.sql('DELETE FROM security_events')
  const found = await readEvents('calls_without_session', (app) =>
    Promise.all(
      Array.from({ length: 60 }, (_, n) => app.inject({ url: '/api/users', remoteAddress: `198.51.100.${n}` })),
    ),
  )
  expect(found).toMatchObject([
    {
      description: '60 calls came without a session in a minute',
      ip_address: null,
      details: { refused: 60, sources: 60 },
    },
  ])
})
