import { expect, onTestFinished, test, vi } from 'vitest'
import { readLimits } from '#contract/data-access.ts'
import type { Activity } from '#contract/schemas/activity.ts'
import type { Ctx } from '#server/core/context.ts'
import { makeAttempt, makeChainTransaction, makeMember, makeOrder, makeWallet } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const { id } = await makeMember(server)
await server.sql(`INSERT INTO members (id, email, created_at)
  SELECT 'many-' || n, 'many-' || n || '@example.com', now() - make_interval(secs => n) FROM generate_series(1, 6500) AS n`)
const readRows = (username: string) =>
  server.sql<{ kind: string; target: string | null; rows: number }>(
    `SELECT kind, target, rows FROM data_access d JOIN admins a ON a.id = d.admin_id WHERE a.username = $1 ORDER BY d.id`,
    [username],
  )
const listEvents = () =>
  server.sql(`SELECT severity, description, details FROM security_events WHERE event_type = 'bulk_reading' ORDER BY id`)

test('who else opened a member stands in its activity, once a day (product 5.17)', async () => {
  const readViews = async (who: string, query = '') =>
    (await server.as(who)('GET', `/api/users/${id}/activity?kind=views${query}`)).json<Activity>()
  for (const who of ['vera', 'ben']) expect((await server.as(who)('GET', `/api/users/${id}`)).statusCode).toBe(200)
  await expect.poll(() => readRows('vera')).toEqual([{ kind: 'member', target: id, rows: 1 }])
  await server.sql(`INSERT INTO data_access (admin_id, session_id, kind, target, rows, at)
    SELECT id, 0, 'member', '${id}', rows, at::timestamptz FROM admins, (VALUES
      ('2026-01-05T00:00Z', 1), ('2026-01-05T23:59Z', 1), ('2026-01-06T08:00Z', 1), ('2026-01-07T08:00Z', 0)) v(at, rows)
    WHERE username = 'vera'`)
  const views = await readViews('ben')
  expect(views.entries).toMatchObject([
    { type: 'view_member', actor: 'vera', subject: '1' },
    { actor: 'vera', subject: '1', at: '2026-01-06T08:00:00.000Z' },
    { actor: 'vera', subject: '2', at: '2026-01-05T23:59:00.000Z' },
  ])
  expect(views).toMatchObject({ total: 3, next: null })
  const first = await readViews('ben', '&limit=1')
  expect((await readViews('ben', `&limit=2&before=${first.next}`)).entries).toEqual(views.entries.slice(1))
  expect((await readViews('vera')).entries).toMatchObject([{ actor: 'ben' }])
})

test('cases and orders that are opened count as views of their member (product 6.9)', async () => {
  const member = await makeMember(server)
  const order = await makeOrder(server, member.id)
  const other = await makeMember(server)
  await makeAttempt(server, other.id)
  expect((await server.as('olga')('GET', `/api/orders/${order.id}`)).statusCode).toBe(200)
  expect((await server.as('olga')('POST', '/api/kyc/cases/claim-next')).statusCode).toBe(200)
  await expect
    .poll(() => readRows('olga'))
    .toEqual([
      { kind: 'order', target: member.id, rows: 1 },
      { kind: 'kyc_case', target: other.id, rows: 1 },
    ])
})

test('both sides of a transfer count as read (product 6.9)', async () => {
  const [one, other] = [await makeMember(server), await makeMember(server)]
  const [from, to] = [await makeWallet(server, one.id), await makeWallet(server, other.id)]
  const sides = { fromAddress: from.address, toAddress: to.address }
  await makeChainTransaction(server, from.address, { ...sides, transactionType: 'withdrawal' })
  expect((await server.as('mona')('GET', '/api/blockchain-transactions')).statusCode).toBe(200)
  await expect.poll(() => readRows('mona')).toEqual([{ kind: 'transactions', target: null, rows: 2 }])
})

test('every member whom a search names counts as read, by orders and transfers too (product 6.9)', async () => {
  const member = await makeMember(server)
  const order = await makeOrder(server, member.id)
  const wallet = await makeWallet(server, (await makeMember(server)).id)
  await makeChainTransaction(server, wallet.address)
  const find = (q: string) => server.as('sam')('GET', `/api/search?q=${q}`)
  expect((await find(order.orderNumber)).json()).toMatchObject({ members: [], orders: [{ userId: member.id }] })
  await expect.poll(() => readRows('sam')).toEqual([{ kind: 'search', target: null, rows: 1 }])
  // The member whose wallet it is, and the transfer with the same member.
  expect((await find(wallet.address)).json().transactions).toHaveLength(1)
  await expect.poll(() => readRows('sam')).toHaveLength(2)
})

test('a member who is opened again within 5 minutes leaves one row (product 6.9)', async () => {
  for (let n = 0; n < 3; n++) await server.as('again')('GET', `/api/users/${id}`)
  await server.as('again')('GET', '/api/users/nobody')
  await expect.poll(() => readRows('again')).toEqual([{ kind: 'member', target: id, rows: 1 }])
})

test('a list of 1,000 members leaves one row (product 6.9)', async () => {
  expect((await server.as('lars')('GET', '/api/users?limit=1000')).statusCode).toBe(200)
  await expect.poll(() => readRows('lars')).toEqual([{ kind: 'members', target: null, rows: 1000 }])
})

test('more than 500 members opened in 5 minutes are 429 with a high event (product 6.9)', async () => {
  const open = (n: number) => server.as('scraper')('GET', `/api/users/many-${n}`)
  for (let n = 1; n <= readLimits.opened; n++) expect((await open(n)).statusCode).toBe(200)
  const refused = await open(readLimits.opened + 1)
  expect([refused.statusCode, refused.json()]).toEqual([
    429,
    {
      message: expect.stringMatching(
        /^You have read 500 members or payers within 5 minutes\. Try again in \d+ seconds?\.$/,
      ),
      code: 'too_many_requests',
    },
  ])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  // What was read within the 5 minutes may be read on, and lists have their own limit.
  expect((await open(readLimits.opened)).statusCode).toBe(200)
  expect((await server.as('scraper')('GET', '/api/users')).statusCode).toBe(200)
  expect((await server.as('vera')('GET', '/api/users/many-501')).statusCode).toBe(200)
  await open(readLimits.opened + 2)
  await expect
    .poll(listEvents)
    .toEqual([
      {
        severity: 'high',
        description: 'scraper reads more members or payers than an operator may; further ones are refused',
        details: {
          kind: 'member',
          refusal: expect.stringMatching(/^You have read 500 members or payers within 5 minutes/),
        },
      },
    ])
  await expect.poll(async () => (await readRows('scraper')).length).toBe(501)
})

test('pages of more than 5,000 members in 5 minutes are 429 (product 6.9)', async () => {
  const read = (page: number) => server.as('pager')('GET', `/api/users?limit=1000&page=${page}`)
  for (let page = 1; page <= 5; page++) expect((await read(page)).statusCode).toBe(200)
  expect((await read(6)).statusCode).toBe(429)
  expect((await read(5)).statusCode).toBe(200)
})

test('what waits is written when the server stops', async () => {
  const { app } = await startServer()
  await expect(app.dataAccess.close()).resolves.toBeUndefined()
  expect((await server.as('last')('GET', '/api/users?limit=5')).statusCode).toBe(200)
  await server.app.dataAccess.close()
  expect(await readRows('last')).toEqual([{ kind: 'members', target: null, rows: 5 }])
})

test('after 5 minutes a view counts again, and further members may be read (product 6.9)', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const ctx: Ctx = {
    ...server.system,
    actor: { kind: 'admin', id: '0', name: 'nobody', sessionId: '0', role: 'viewer' },
  }
  const open = (opened: string) => server.app.dataAccess.record(ctx, { kind: 'member', opened })
  for (let n = 0; n < readLimits.opened; n++) open(`timed-${n}`)
  expect(() => open('timed-more')).toThrow(/Try again in 300 seconds\.$/)
  vi.advanceTimersByTime(299_000)
  expect(() => open('timed-more')).toThrow(/Try again in 1 second\.$/)
  vi.advanceTimersByTime(1000)
  expect(() => open('timed-more')).not.toThrow()
})
