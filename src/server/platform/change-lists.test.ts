import { sql } from 'drizzle-orm'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { keepChangeLists } from '#server/db/changes.ts'
import { runJob } from '#test/support/jobs.ts'
import { makeMember, makeOrder, newAddress } from '#test/support/make.ts'
import { buildOrderBody, createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'
import { memberList, buildPage } from './change-lists.ts'
import { findCluster } from '#test/support/cluster.ts'

const server = await startServer()
const call = createPlatformCaller(server)
const ada = server.as('ada')

interface Page {
  members: { id: string; version: number }[]
  orders: { orderNumber: string; version: number; status: string }[]
  events: { id: string; type: string; sequence: number; delivery: object }[]
  next: string
}
async function read(name: string, query = ''): Promise<Page> {
  const reply = await call('GET', `/${name}${query}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

/** Nothing that was written so far is held back by a transaction of another test, whose server is the same. */
async function settled() {
  const [now] = await server.sql<{ next: string }>('SELECT pg_current_xact_id()::text AS next')
  await expect
    .poll(
      async () =>
        (
          await server.sql<{ passed: boolean }>('SELECT pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 AS passed', [
            now!.next,
          ])
        )[0]!.passed,
      { timeout: 60_000 },
    )
    .toBe(true)
}

/** All pages behind `after`. */
async function readAll(name: 'members' | 'orders' | 'events', after = '', limit = 2) {
  const rows: Page['members'] & Page['orders'] & Page['events'] = []
  for (let next = after; ;) {
    const page = await read(name, `?limit=${limit}${next && `&after=${next}`}`)
    if (page[name].length === 0) return { rows, next: page.next }
    rows.push(...(page[name] as typeof rows))
    next = page.next
  }
}

describe('members, orders and events since a cursor', () => {
  test('pages hold each row once, and after the last only later changes', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => makeMember(server)))
    await settled()
    const { rows, next } = await readAll('members')
    expect(rows.map(({ id }) => id).toSorted()).toEqual(made.map(({ id }) => id).toSorted())
    expect((await read('members', `?after=${next}`)).members).toEqual([])
    const [one, two] = made.map(({ id }) => id)
    await ada('POST', `/api/users/${two}/ban`, { reason: 'Fraud' })
    await call('PUT', `/members/${one}`, { email: `${one}@example.com`, legalFirstName: 'Ana' })
    await settled()
    const changed = await read('members', `?after=${next}`)
    expect(changed.members).toMatchObject([
      { id: two, banned: true, bannedReason: 'Fraud', version: 2 },
      { id: one, legalFirstName: 'Ana', version: 2 },
    ])
    expect((await read('members', `?after=${changed.next}`)).members).toEqual([])
  })

  test('a member comes again after a new wallet, step or decision', async () => {
    const { id } = await makeMember(server)
    await settled()
    let { next } = await readAll('members')
    const changes = [
      () => call('PUT', `/members/${id}/wallets/${newAddress()}`, {}),
      () =>
        call('PUT', `/members/${id}/kyc/1`, {
          step2: { dateOfBirth: '1991-03-14', nationality: 'PT', countryOfResidence: 'ES' },
        }),
      () => call('PUT', `/members/${id}/kyc/1`, { submit: true }),
      () => ada('POST', `/api/users/${id}/kyc/approve`, {}),
    ]
    for (const change of changes) {
      expect((await change()).statusCode).toBe(200)
      await settled()
      const page = await read('members', `?after=${next}`)
      expect(page.members).toEqual([(await call('GET', `/members/${id}`)).json()])
      next = page.next
    }
    expect((await call('GET', `/members/${id}`)).json()).toMatchObject({
      membershipId: expect.stringMatching(/^MB-/),
      walletCount: 1,
      kyc: {
        status: 'approved',
        draft: null,
        attempts: [{ attempt: 1, result: 'approved', step2: { nationality: 'PT' }, step3: null, step4: null }],
      },
    })
  })

  test('orders come with all that was sent and decided, and again when they move', async () => {
    const { id } = await makeMember(server)
    await call('PUT', '/orders/L-1', buildOrderBody(id))
    const due = await makeOrder(server, id, { expiresAt: '2026-01-05T09:00:00.000Z' })
    await settled()
    const { rows, next } = await readAll('orders')
    expect(rows).toMatchObject([
      { orderNumber: 'L-1', ...buildOrderBody(id), status: 'waiting_payment', version: 1 },
      { orderNumber: due.orderNumber, status: 'expired', version: 1 },
    ])
    const [row] = await server.sql<{ id: string }>(`SELECT id::text FROM orders WHERE order_number = 'L-1'`)
    await ada('PATCH', `/api/orders/${row!.id}/status`, { status: 'paid' })
    await runJob(server.services, 'expire-orders')
    await settled()
    expect((await readAll('orders', next)).rows).toMatchObject([
      { orderNumber: 'L-1', status: 'paid', paidAt: expect.any(String), version: 2 },
      { orderNumber: due.orderNumber, status: 'expired', version: 2 },
    ])
  })

  test('events come as they are sent, in their order, with how far their delivery is', async () => {
    const { id } = await makeMember(server)
    await settled()
    const { next } = await readAll('events')
    await ada('POST', `/api/users/${id}/ban`, { reason: 'Fraud' })
    await ada('POST', `/api/users/${id}/unban`)
    await settled()
    const { rows } = await readAll('events', next, 1)
    const common = { entity: { type: 'member', id }, delivery: { state: 'waiting', deliveredAt: null } }
    expect(rows).toMatchObject([
      { type: 'member.banned', sequence: 1, version: 2, data: { memberId: id, reason: 'Fraud' }, ...common },
      { type: 'member.unbanned', sequence: 2, version: 3, data: { memberId: id }, ...common },
    ])
    const stored = await server.sql<{ id: string }>(
      `SELECT event_id AS id FROM platform_events WHERE entity_id = $1 ORDER BY sequence`,
      [id],
    )
    expect(rows.map((row) => row.id)).toEqual(stored.map((row) => row.id))
  })

  test('an event that somebody changed is in no page, with a critical event', async () => {
    const { id } = await makeMember(server)
    await settled()
    const { next } = await readAll('events')
    await ada('POST', `/api/users/${id}/ban`, { reason: 'Fraud' })
    await ada('POST', `/api/users/${id}/unban`)
    await server.sql(
      `UPDATE platform_events SET payload = payload || '{"reason": "Other"}' WHERE entity_id = $1 AND sequence = 1`,
      [id],
    )
    await settled()
    // The page that has it alone is not empty, which would mean that there is no more.
    expect((await readAll('events', next, 1)).rows).toMatchObject([{ type: 'member.unbanned', entity: { id } }])
    expect(
      await server.sql(`SELECT severity, description FROM security_events WHERE event_type = 'message_forged'`),
    ).toEqual([
      {
        severity: 'critical',
        description: expect.stringMatching(
          `^The platform was not told an event that the console did not write; the last: member.banned of member ${id} \\(event row \\d+\\)$`,
        ),
      },
    ])
  })

  test('a row that is committed after later ones is not passed by', async () => {
    await settled()
    const { next } = await readAll('members')
    const slow = await server.services.database.pool.connect()
    await slow.query('BEGIN')
    await slow.query(`INSERT INTO members (id, email) VALUES ('slow', 'slow@example.com')`)
    await call('PUT', '/members/quick', { email: 'quick@example.com' })
    expect((await read('members', `?after=${next}`)).members).toEqual([])
    await slow.query('COMMIT')
    slow.release()
    await settled()
    expect((await readAll('members', next)).rows.map(({ id }) => id)).toEqual(['slow', 'quick'])
  })

  test('anyone who reads while many write has every last version in the end', async () => {
    const ids = Array.from({ length: 12 }, (_, n) => `busy-${n}`)
    const seen = new Map<string, number>()
    let { next } = await readAll('members', '', 100)
    const write = async (writer: number) => {
      for (let turn = 0; turn < 12; turn++)
        await server.services.database.transaction(async (tx) => {
          const id = ids[(writer * 5 + turn * 7) % ids.length]!
          await tx.execute(sql`
            INSERT INTO members AS m (id, email) VALUES (${id}, ${`${id}@example.com`})
            ON CONFLICT (id) DO UPDATE SET version = m.version + 1`)
          // Transactions of different lengths end in another order than they began.
          for (let n = (writer + turn) % 3; n > 0; n--) await tx.execute(sql`SELECT FROM generate_series(1, 20000)`)
        })
    }
    const writers = { underWay: 5 }
    const writing = Promise.all(
      Array.from({ length: 5 }, (_, writer) => write(writer).finally(() => writers.underWay--)),
    )
    const follow = async () => {
      const page = await read('members', `?limit=3&after=${next}`)
      for (const { id, version } of page.members) seen.set(id, version)
      next = page.next
      return page.members.length
    }
    while (writers.underWay > 0) await follow()
    await writing
    await settled()
    while ((await follow()) > 0);
    const stored = await server.sql<{ id: string; version: number }>(
      `SELECT id, version FROM members WHERE id LIKE 'busy-%'`,
    )
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(stored.map(({ id, version }) => [id, version])))
  })
})

test('changes since an instant are listed, or all where it is too old', async () => {
  const old = await makeMember(server)
  await settled()
  await runJob(server.services, 'mark-changes')
  const [mark] = await server.sql<{ at: Date }>('SELECT max(at) AS at FROM change_marks')
  const later = await makeMember(server)
  await settled()
  const since = async (at: Date) => {
    const page = await read('members', `?limit=1000&updatedSince=${at.toISOString()}`)
    return page.members.map(({ id }) => id)
  }
  expect(await since(mark!.at)).toEqual([later.id])
  expect(await since(new Date(mark!.at.getTime() - 86_400_000))).toEqual(expect.arrayContaining([old.id, later.id]))
})

test('a cursor of another list, a made-up one, and two beginnings are refused', async () => {
  const { next } = await read('orders')
  const future = Buffer.from(`members ${Buffer.from(next, 'base64url').toString().split(' ')[1]} 999999999999 m-1`)
  for (const after of [next, 'nonsense', future.toString('base64url')]) {
    const reply = await call('GET', `/members?after=${after}`)
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'cursor_unknown'])
  }
  const both = await call('GET', `/orders?after=${next}&updatedSince=2026-01-05T09:00:00Z`)
  expect([both.statusCode, both.json().code]).toEqual([400, 'invalid'])
})

test('a page is read by its index, without a sort', async () => {
  await server.sql(
    `INSERT INTO members (id, email) SELECT 'many-' || n, 'many-' || n || '@example.com' FROM generate_series(1, 20000) AS n`,
  )
  await server.sql('ANALYZE members')
  const { rows } = await server.services.database.db.execute<{ 'QUERY PLAN': string }>(
    sql`EXPLAIN ${buildPage(memberList, { changedIn: '0', id: '' }, 100)}`,
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  const page = plan.slice(
    plan.indexOf('CTE page'),
    plan.indexOf('InitPlan') === -1 ? undefined : plan.indexOf('->  Sort'),
  )
  expect(page).toContain('members_changed')
  expect(page).not.toContain('Seq Scan on members')
})

test('on another server nothing is left out, and cursors from before are refused', async () => {
  const { next } = await readAll('members', '', 1000)
  await server.sql(`UPDATE settings SET value = value || '{"system": "another"}' WHERE name = 'change_lists'`)
  await server.sql(`UPDATE members SET changed_in = '900000000000' WHERE id = 'many-1'`)
  const [database] = await server.sql<{ name: string }>('SELECT current_database() AS name')
  const client = new pg.Client({ ...findCluster().postgres, database: database!.name })
  await client.connect()
  onTestFinished(() => client.end())
  await keepChangeLists(client)
  await keepChangeLists(client)
  expect((await call('GET', `/members?after=${next}`)).json().code).toBe('cursor_unknown')
  await settled()
  expect((await readAll('members', '', 1000)).rows.map(({ id }) => id)).toContain('many-1')
})
