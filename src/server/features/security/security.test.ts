import { beforeAll, describe, expect, test } from 'vitest'
import { audit, raiseSecurityEvent } from '#server/core/audit.ts'
import { actionFamilies, severities, type AdminAction } from '#contract/security.ts'
import { foldListCounts, makeMember } from '#test/support/make.ts'
import { password, startServer } from '#test/support/server.ts'

const server = await startServer()
const { system } = server
const ada = server.as('ada')
await ada('GET', '/api/auth/user')
await server.sql('DELETE FROM security_events')

await server.services.database.transaction(async (tx) => {
  for (let at = 0; at < 60; at++)
    await raiseSecurityEvent(
      tx,
      { ipAddress: '192.0.2.1' },
      {
        severity: severities[at % 4]!,
        type: 'test_event',
        description: `event ${at}`,
        details: { secret: 'for the database only' },
      },
    )
  // Some in the same instant, so that only the id orders them; every third resolved.
  await tx.execute(`UPDATE security_events SET created_at = now() - make_interval(mins => (id / 7)::int)`)
  await tx.execute(`UPDATE security_events SET resolved_at = now(), resolved_by = 'ada' WHERE id % 3 = 0`)
})
const inOrder = await server.sql<{ id: string; severity: string; is_resolved: boolean }>(
  'SELECT id, severity, resolved_at IS NOT NULL AS is_resolved FROM security_events ORDER BY created_at DESC, id DESC',
)

describe('GET /api/security/events', () => {
  test('events have the specified fields, newest first, and an exact total (product 6.8, 8.2)', async () => {
    const reply = (await ada('GET', '/api/security/events')).json()
    expect(reply).toMatchObject({ total: 60, page: 1, limit: 50 })
    expect(reply.events.map(({ id }: { id: string }) => id)).toEqual(inOrder.slice(0, 50).map(({ id }) => id))
    expect(Object.keys(reply.events[0]).toSorted()).toEqual([
      'createdAt',
      'description',
      'eventType',
      'id',
      'ipAddress',
      'resolutionNote',
      'resolved',
      'resolvedAt',
      'resolvedBy',
      'severity',
      'version',
    ])
    expect(reply.events[0].createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test.each([
    ['page=2', 60, inOrder.slice(50)],
    ['limit=1000', 60, inOrder],
    ['page=3&limit=7', 60, inOrder.slice(14, 21)],
    ['page=99', 60, []],
    ['page=1000000&limit=1000', 60, []],
    ['severity=critical', 15, inOrder.filter(({ severity }) => severity === 'critical')],
    ['resolved=false', 40, inOrder.filter((event) => !event.is_resolved)],
    ['resolved=true', 20, inOrder.filter((event) => event.is_resolved)],
    ['severity=low&resolved=false', 10, inOrder.filter((event) => event.severity === 'low' && !event.is_resolved)],
    ['severity=all&resolved=', 60, inOrder.slice(0, 50)],
    ['unknown=1', 60, inOrder.slice(0, 50)],
  ])('?%s (product 4.3)', async (query, total, rows) => {
    const reply = (await ada('GET', `/api/security/events?${query}`)).json()
    expect(reply.total).toBe(total)
    expect(reply.events.map(({ id }: { id: string }) => id)).toEqual(rows.map(({ id }) => id).slice(0, reply.limit))
  })

  test.each([
    ['severity', 'severity=fatal'],
    ['severity', 'severity=low&severity=high'],
    ['resolved', 'resolved=maybe'],
    ['page', 'page=0'],
    ['limit', 'limit=1001'],
    ['limit', 'limit=ten'],
  ])('a bad %s is 400 and named: ?%s (product 4.3)', async (field, query) => {
    const reply = await ada('GET', `/api/security/events?${query}`)
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject({ code: 'invalid', details: [expect.objectContaining({ field })] })
  })
})

const actions = Object.values(actionFamilies).flatMap((family): readonly AdminAction[] => family.actions)
await server.services.database.transaction(async (tx) => {
  for (const action of actions)
    await audit(
      tx,
      { ...system, ipAddress: '192.0.2.7' },
      { action, target: { type: 'thing', id: '7' }, details: { given: ['x', { y: 1 }] } },
    )
})
const logged = await server.sql<{ id: string; action: string }>(
  'SELECT id, action FROM audit_log ORDER BY created_at DESC, id DESC',
)

const operatorsOnly = logged.filter(({ action }) => action !== 'platform_call')

describe('GET /api/admin/logs', () => {
  test('answers who did what, on what, with details as an object, newest first (product 6.8, 8.2)', async () => {
    const reply = (await ada('GET', '/api/admin/logs')).json()
    expect(reply).toMatchObject({ total: operatorsOnly.length, page: 1, limit: 50 })
    expect(reply.logs.map(({ id }: { id: string }) => id)).toEqual(operatorsOnly.map(({ id }) => id).slice(0, 50))
    expect(reply.logs[0]).toEqual({
      id: operatorsOnly[0]?.id,
      action: actions.at(-1),
      actor: 'tests',
      targetType: 'thing',
      targetId: '7',
      targetMember: null,
      details: { given: ['x', { y: 1 }] },
      ipAddress: '192.0.2.7',
      createdAt: expect.stringMatching(/Z$/),
    })
  })

  test.each(Object.entries(actionFamilies))(
    'action=%s covers its whole family (product 5.12)',
    async (name, family) => {
      const reply = (await ada('GET', `/api/admin/logs?action=${name}&limit=1000`)).json()
      const expected = logged.filter(({ action }) => (family.actions as readonly string[]).includes(action))
      expect(reply.logs.map(({ id }: { id: string }) => id)).toEqual(expected.map(({ id }) => id))
      expect(reply.total).toBe(expected.length)
    },
  )

  test.each(['login_failed', 'unban_user', 'reset_kyc', 'export_report'])(
    'action=%s covers that action alone',
    async (name) => {
      const { logs, total } = (await ada('GET', `/api/admin/logs?action=${name}`)).json()
      expect(total).toBe(1)
      expect(logs).toMatchObject([{ action: name }])
    },
  )

  test('actor= is what one account did, in any case of its letters (product 5.12)', async () => {
    const ask = async (query: string) => (await ada('GET', `/api/admin/logs?${query}`)).json()
    const own = logged.filter(({ action }) => action === 'unban_user').length
    expect((await ask('actor=TESTS&action=unban_user')).total).toBe(own)
    expect((await ask('actor=tests')).logs.every(({ actor }: { actor: string }) => actor === 'tests')).toBe(true)
    expect(await ask('actor=test')).toMatchObject({ logs: [], total: 0 })
  })

  test('all and nothing mean no filter, an unknown action is 400 and names the parameter (product 4.3)', async () => {
    for (const query of ['action=', 'action=all', ''])
      expect((await ada('GET', `/api/admin/logs?${query}`)).json().total).toBe(operatorsOnly.length)
    for (const action of ['nonsense', 'LOGIN', 'toString', '%00', 'a'.repeat(65)]) {
      const reply = await ada('GET', `/api/admin/logs?action=${action}`)
      expect(reply.statusCode, action).toBe(400)
      expect(reply.json().details[0].field, action).toBe('action')
    }
  })
})

test("platform calls never crowd out operators' actions (product 5.12)", async () => {
  await server.sql(
    `INSERT INTO audit_log (actor_kind, actor_name, action, details, created_at)
     SELECT 'platform', 'platform:shop', 'platform_call', '{"call": "PUT /members/{id}", "outcome": "created"}',
       now() - n * interval '1 minute' FROM generate_series(1, 3000) n`,
  )
  const [row] = await server.sql<{ calls: number; rest: number }>(
    `SELECT count(*) FILTER (WHERE action = 'platform_call')::int AS calls,
      count(*) FILTER (WHERE action <> 'platform_call')::int AS rest FROM audit_log`,
  )
  for (const prepare of [async () => {}, () => foldListCounts(server)]) {
    await prepare()
    const all = (await ada('GET', '/api/admin/logs?limit=1000')).json()
    expect(all.total).toBe(row!.rest)
    expect(all.logs).toHaveLength(row!.rest)
    expect(all.logs.map(({ action }: { action: string }) => action)).not.toContain('platform_call')
    const calls = (await ada('GET', '/api/admin/logs?action=platform_call&page=61')).json()
    expect(calls.total).toBe(row!.calls)
    expect(calls.logs).toHaveLength(row!.calls - 3000)
    expect(calls.logs.map(({ action }: { action: string }) => action)).toEqual(['platform_call'])
  }
  expect((await ada('GET', '/api/admin/logs?actor=platform:shop')).json().total).toBe(3000)
  const exported = (await ada('GET', '/api/exports/admin-logs')).body
  expect(exported.split('\r\n').filter((line) => line.includes('platform_call'))).toEqual([])
  const calls = (await ada('GET', '/api/exports/admin-logs?action=platform_call')).body
  expect(calls.split('platform:shop')).toHaveLength(3001)
})

describe('actions of an account and of days (product 5.12)', () => {
  const find = async (query: string) => (await ada('GET', `/api/admin/logs?limit=1000&${query}`)).json()
  beforeAll(() =>
    server.sql(`INSERT INTO audit_log (actor_kind, actor_name, action, details, created_at) VALUES
      ('admin', 'finn', 'apply_payment', '{"n": 1}', '2025-03-01T23:30:00Z'),
      ('admin', 'finn', 'ban_user', '{"n": 2}', '2025-03-02T08:00:00Z'),
      ('admin', 'finnegan', 'ban_user', '{"n": 3}', '2025-03-02T09:00:00Z'),
      ('platform', 'platform:web', 'platform_call', '{"n": 4}', '2025-03-02T10:00:00Z')`),
  )
  test.each([
    ['actor=Finn', [2, 1]],
    ['actor=finn&action=ban_user', [2]],
    ['actor=finn&from=2025-03-02', [2]],
    ['actor=platform:web&from=2025-03-02', [4]],
    ['from=2025-03-01&to=2025-03-02', [3, 2, 1]],
    ['from=2025-03-02&to=2025-03-02&timeZone=Europe/Berlin', [3, 2, 1]],
    ['to=2025-03-01', [1]],
    ['to=2025-03-02&action=platform_call', [4]],
  ])('%s finds its rows with their exact total', async (query, expected) => {
    const { logs, total } = await find(query)
    expect(logs.map(({ details }: { details: { n: number } }) => details.n)).toEqual(expected)
    expect(total).toBe(expected.length)
  })

  test('a later page has the same total', async () => {
    const { logs, total } = (await ada('GET', '/api/admin/logs?to=2025-03-02&limit=1&page=3')).json()
    expect({ total, details: logs[0].details }).toEqual({ total: 3, details: { n: 1 } })
  })

  test.each(['from', 'to'])('%s that is not a day is 400', async (name) => {
    const reply = await ada('GET', `/api/admin/logs?${name}=2025-02-30`)
    expect(reply.statusCode).toBe(400)
    expect(reply.json().details[0].field).toBe(name)
  })

  test('the export has the same rows', async () => {
    const { body } = await ada('GET', '/api/exports/admin-logs?actor=finn&from=2025-03-02&to=2025-03-02')
    expect(body.trim().split('\r\n').slice(1)).toEqual([expect.stringMatching(/^ban_user,finn,/)])
  })
})

test('audit rows are never changed or deleted, not even by SQL (product 6.9)', async () => {
  for (const statement of ['UPDATE audit_log SET actor_name = $1', 'DELETE FROM audit_log WHERE actor_name <> $1'])
    await expect(server.sql(statement, ['x'])).rejects.toThrow('only ever added')
})

test('lists of a million rows are walked by an index', async () => {
  const walks = [
    `SELECT * FROM security_events ORDER BY created_at DESC, id DESC LIMIT 50`,
    `SELECT * FROM security_events WHERE resolved_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 50`,
    `SELECT * FROM security_events WHERE severity = 'high' ORDER BY created_at DESC, id DESC LIMIT 50`,
    `SELECT * FROM audit_log ORDER BY created_at DESC, id DESC LIMIT 50`,
    `SELECT * FROM audit_log WHERE lower(actor_name) = 'platform:shop' ORDER BY created_at DESC, id DESC LIMIT 50`,
  ]
  const client = await server.services.database.pool.connect()
  await client.query('SET enable_seqscan = off; SET enable_sort = off')
  for (const walk of walks) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${walk}`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('Index Scan Backward')
    expect(plan).not.toContain('Sort')
  }
  client.release(true)
})

test('signing in is in the log of admin actions, with the name that did it', async () => {
  await server.addOperator('bea', 'super_admin')
  await server.as(null)('POST', '/api/auth/login', { username: 'bea', password })
  const { logs } = (await ada('GET', '/api/admin/logs?action=login&limit=1')).json()
  expect(logs).toMatchObject([{ action: 'login', actor: 'bea', targetType: 'admin', ipAddress: '127.0.0.1' }])
  expect(JSON.stringify(logs)).not.toContain(password)
})

test('a page of the audit log is a row of what was read, with its members (product 6.9)', async () => {
  const member = await makeMember(server)
  await server.as('lou')('POST', `/api/users/${member.id}/ban`, { reason: 'Asked for by a court' })
  await server.as('lou')('GET', '/api/admin/logs?actor=lou&action=ban_user')
  await server.app.dataAccess.close()
  expect(
    await server.sql(
      `SELECT kind, rows FROM data_access d JOIN admins a ON a.id = d.admin_id WHERE username = 'lou' ORDER BY d.id`,
    ),
  ).toEqual([{ kind: 'audit_log', rows: 1 }])
})
