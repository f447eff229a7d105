import { beforeAll, expect, test } from 'vitest'
import { orderStatuses } from '#contract/order-moves.ts'
import type { ListedOrder } from '#contract/schemas/orders.ts'
import { saveMembers } from '#server/features/members/save.ts'
import { foldListCounts, makeMember, makeOrder } from '#test/support/make.ts'
import { toRf } from '#server/lib/iban.ts'
import { paymentDetails } from '#test/support/payment-details.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const get = (query: string) => server.as('ada')('GET', `/api/orders?${query}`)
const list = async (query: string) => {
  const reply = await get(query)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ orders: ListedOrder[]; total: number; totalExact: boolean; page: number; limit: number }>()
}
const numbers = async (typed: string) =>
  (await list(`search=${encodeURIComponent(typed)}`)).orders.map((order) => order.orderNumber)
const stored = () =>
  server.sql<{ id: string; status: string }>(
    'SELECT id::text, status FROM orders ORDER BY orders.created_at DESC, orders.id DESC',
  )
const day = (daysAgo: number) => new Date(Date.UTC(2026, 5, 30, 12) - daysAgo * 86_400_000).toISOString()

beforeAll(async () => {
  const jose = await makeMember(server, { id: 'm-jose', legalFirstName: 'José', legalLastName: 'García' })
  for (let n = 0; n < 75; n++)
    await makeOrder(server, jose.id, { status: orderStatuses[n % 5]!, createdAt: day(Math.floor(n / 3)) })
  const bo = await makeMember(server, {
    id: 'm-bo',
    legalFirstName: 'Bo',
    email: 'bo@searched.test',
    membershipId: 'MB-1',
  })
  await makeOrder(server, bo.id, {
    orderNumber: 'INV-7_7%',
    projectId: 'prj-42',
    projectName: 'Øster Wind',
    createdAt: '2026-07-01T10:20:30.456Z',
    expiresAt: '2099-07-04T10:20:30.456Z',
  })
})

test('an order carries the fields of an order, in the list as alone (product 6.5)', async () => {
  const { orders } = await list('search=bo@searched.test')
  expect(orders).toEqual([
    {
      id: expect.stringMatching(/^\d+$/),
      orderNumber: 'INV-7_7%',
      userId: 'm-bo',
      userFirstName: 'Bo',
      userLastName: null,
      userEmail: 'bo@searched.test',
      userMembershipId: 'MB-1',
      userBanned: false,
      userBannedReason: null,
      projectId: 'prj-42',
      projectName: 'Øster Wind',
      investmentAmount: '1500.50',
      currency: 'EUR',
      status: 'waiting_payment',
      notes: null,
      expiresAt: '2099-07-04T10:20:30.456Z',
      createdAt: '2026-07-01T10:20:30.456Z',
      paidAt: null,
      completedAt: null,
      ...paymentDetails,
      // Other numbers can be read like this one, so the reference holds the id.
      paymentReference: toRf(`O${orders[0]!.id}`),
      received: '0.00',
      paidVia: null,
      statusChangedBy: null,
      statusChangedAt: null,
      version: 1,
      waitingLines: 0,
      waitingApprovals: [],
    },
  ])
  const { waitingLines: _lines, waitingApprovals: _approvals, ...order } = orders[0]!
  const reply = await server.as('ada')('GET', `/api/orders/${order.id}`)
  expect(reply.json()).toEqual({ order })
})

test.each(['', 'all', ...orderStatuses])(
  'status=%s has exactly those orders, newest first, folded or not (product 5.5)',
  async (status) => {
    const expected = (await stored()).filter((order) => !status || status === 'all' || order.status === status)
    for (let turn = 0; turn < 2; turn++) {
      const found = await list(`status=${status}&limit=1000`)
      expect(found.orders.map((order) => order.id)).toEqual(expected.map((order) => order.id))
      expect(found).toMatchObject({ total: expected.length, totalExact: true, page: 1, limit: 1000 })
      const searched = await list(`status=${status}&limit=1000&search=o`)
      expect(searched).toMatchObject({ orders: found.orders, total: expected.length })
      await foldListCounts(server)
    }
  },
)

test('pages have 50 rows by default and join into the whole list (product 14)', async () => {
  const [first, second] = [await list(''), await list('page=2')]
  expect([first.orders.length, first.total, first.limit]).toEqual([50, 76, 50])
  expect([...first.orders, ...second.orders].map(({ id }) => id)).toEqual((await stored()).map(({ id }) => id))
  expect(await list('page=3')).toMatchObject({ orders: [], total: 76 })
})

test('expiring=24h lists the waiting orders that end within a day (product 3.6)', async () => {
  const member = await makeMember(server, { id: 'm-soon', email: 'soon@expiring.test' })
  const order = (orderNumber: string, hours: number, given = {}) =>
    makeOrder(server, member.id, {
      orderNumber,
      createdAt: day(30),
      expiresAt: new Date(Date.now() + hours * 3_600_000).toISOString(),
      ...given,
    })
  await order('SOON-1', 0.1)
  await order('SOON-2', 23.9, { createdAt: day(29) })
  await order('SOON-3', 12)
  await order('LATER', 24.1)
  await order('PAST', -0.01)
  await order('PAID', 12, { status: 'paid' })
  const listed = ['SOON-2', 'SOON-3', 'SOON-1']
  // The 75 orders of the other tests expire in just a day: only the 15 that wait are listed too.
  const soon = async (query: string) => {
    const found = await list(`search=expiring.test&${query}`)
    return { ...found, orders: found.orders.map(({ orderNumber }) => orderNumber) }
  }
  for (const query of ['expiring=24h', 'expiring=24h&status=waiting_payment', 'expiring=24h&status=all'])
    expect(await soon(query), query).toMatchObject({ orders: listed, total: 3, totalExact: true })
  expect(await soon('expiring=24h&status=paid')).toMatchObject({ orders: [], total: 0 })
  expect((await soon('expiring=')).total).toBe(6)
  expect((await soon('expiring=all')).total).toBe(6)

  const all = await list('expiring=24h&limit=1000')
  expect(all).toMatchObject({ total: all.orders.length, totalExact: true })
  expect(all.orders.length).toBeGreaterThanOrEqual(3)
  const pages = await Promise.all([1, 2, 3].map((page) => list(`expiring=24h&limit=8&page=${page}`)))
  expect(pages.flatMap(({ orders }) => orders).map(({ id }) => id)).toEqual(all.orders.map(({ id }) => id))
  expect(pages.map(({ total }) => total)).toEqual([all.total, all.total, all.total])
  expect(await list('expiring=24h&page=99')).toMatchObject({ orders: [], total: all.total })
})

test('a bad value is 400 naming the parameter (product 4.3)', async () => {
  for (const query of [
    'status=nothing',
    'expiring=72h',
    'expiring=24h&expiring=24h',
    'page=0',
    'limit=1001',
    'status=paid&status=paid',
    `search=${'x'.repeat(201)}`,
  ]) {
    const reply = await get(query)
    expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining(query.split('=')[0]!)])
  }
})

test('search finds user, e-mail, project and order number, folded, signs as they are (product 5.5, 4.4)', async () => {
  for (const typed of ['BO@SEARCHED', 'oster wind', 'prj-42', 'inv-7', '7_7%', ' Øster '])
    expect(await numbers(typed), typed).toEqual(['INV-7_7%'])
  expect(await numbers('inv-7%7')).toEqual([])
  expect(await list('search=jose%20garcia&status=paid')).toMatchObject({ total: 15, totalExact: true })
})

test('an order is found by its amount and by its bank account', async () => {
  const member = await makeMember(server, { legalFirstName: 'Iben' })
  const given = { iban: 'GB29 NWBK 6016 1331 9268 19', investmentAmount: '7487.25', currency: 'GBP' } as const
  const { orderNumber } = await makeOrder(server, member.id, given)
  for (const typed of ['GB29NWBK60161331926819', 'gb29 nwbk 6016', '7,487.25', '7.487,25 GBP', '£7487.25'])
    expect(await numbers(typed), typed).toEqual([orderNumber])
  for (const typed of ['7487.25 EUR', 'GB29 NWBK 6017', '7487.2'])
    expect(await list(`search=${encodeURIComponent(typed)}`), typed).toMatchObject({ total: 0, totalExact: true })
  expect(await list('search=7487.25&total=exact')).toMatchObject({ total: 1, orders: [{ orderNumber }] })
})

test('an order is found by the name and e-mail its member has now', async () => {
  const member = await makeMember(server, { id: 'm-new', legalFirstName: 'Oldname', email: 'old@renamed.test' })
  const order = await makeOrder(server, member.id)
  const { database } = server.services
  const rename = (change: { legalFirstName?: string }) =>
    database.transaction((tx) =>
      saveMembers(tx, server.system, [{ id: 'm-new', email: 'new@renamed.test', ...change }]),
    )
  expect(await numbers('oldname')).toEqual([order.orderNumber])
  await rename({ legalFirstName: 'Ñewname' })
  expect(await numbers('oldname')).toEqual([])
  expect(await numbers('newname')).toEqual([order.orderNumber])
  expect(await numbers('new@renamed.test')).toEqual([order.orderNumber])
})

test('an order that comes while its member is being renamed is found by the new name', async () => {
  const member = await makeMember(server, { legalFirstName: 'Before' })
  const renaming = await server.services.database.pool.connect()
  await renaming.query('BEGIN')
  await renaming.query(`UPDATE members SET legal_first_name = 'Afterwards' WHERE id = $1`, [member.id])
  const coming = makeOrder(server, member.id)
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await expect.poll(async () => (await server.sql(waiting)).length).toBe(1)
  await renaming.query('COMMIT')
  renaming.release()
  const { orderNumber } = await coming
  expect(await numbers('afterwards')).toEqual([orderNumber])
})
