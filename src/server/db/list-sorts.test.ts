import { beforeAll, describe, expect, test } from 'vitest'
import { orderSorts } from '#contract/sorts.ts'
import type { Order } from '#contract/schemas/orders.ts'
import { foldListCounts, makeMember, makeOrder, makeTransaction } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const get = (path: string) => server.as('ada')('GET', path)
const list = async (query: string) => {
  const reply = await get(`/api/orders?${query}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ orders: Order[]; total: number }>()
}
const statuses = ['waiting_payment', 'expired', 'completed'] as const
const currencies = ['EUR', 'USD'] as const
const hour = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString()

beforeAll(async () => {
  const ana = await makeMember(server, { id: 'm-ana', legalFirstName: 'Ana' })
  const bo = await makeMember(server, { id: 'm-bo', legalFirstName: 'Bo' })
  for (let n = 0; n < 48; n++)
    await makeOrder(server, n % 4 === 0 ? bo.id : ana.id, {
      // Each amount, instant and deadline stands several times, so that ids decide.
      investmentAmount: String(900 + (n % 6)),
      currency: currencies[n % 2]!,
      status: statuses[n % 3]!,
      createdAt: hour(n % 8),
      expiresAt: hour(10_000 + (n % 5)),
    })
  await foldListCounts(server)
  for (const [id, amount] of Object.entries({ 't-1': '20', 't-2': '100', 't-3': '3.5' }))
    await makeTransaction(server, ana.id, { id, amount })
})

const time = (value: string) => Date.parse(value)
const due = (order: Order) => (order.status === 'waiting_payment' ? time(order.expiresAt) : Infinity)
const byNumber = (one: number, other: number) => (one === other ? 0 : one < other ? -1 : 1)
const byDate = (one: Order, other: Order) =>
  byNumber(time(one.createdAt), time(other.createdAt)) || byNumber(Number(one.id), Number(other.id))
const byAmount = (one: Order, other: Order) =>
  one.currency.localeCompare(other.currency) ||
  byNumber(Number(one.investmentAmount), Number(other.investmentAmount)) ||
  byDate(one, other)
const compare: Record<keyof typeof orderSorts, (one: Order, other: Order) => number> = {
  newest: (one, other) => byDate(other, one),
  oldest: byDate,
  largest: (one, other) => byAmount(other, one),
  smallest: byAmount,
  expiring: (one, other) => byNumber(due(one), due(other)) || byDate(one, other),
}
const sorts = Object.keys(orderSorts) as (keyof typeof orderSorts)[]
const ids = (orders: readonly Order[]) => orders.map(({ id }) => id)

describe.each(sorts)('orders, %s', (sort) => {
  test('a sorted list is in its order (product 4.2)', async () => {
    const { orders } = await list(`limit=100&sort=${sort}`)
    expect(orders).toHaveLength(48)
    expect(ids(orders)).toEqual(ids(orders.toSorted(compare[sort])))
  })

  test.each(['', '&search=bo', '&status=expired', '&userId=m-ana&status=completed'])(
    'pages of a sorted list with "%s" have each row once, and the exact total',
    async (filter) => {
      const { orders: whole, total } = await list(`limit=100&sort=${sort}${filter}`)
      expect(total).toBe(whole.length)
      expect(ids(whole)).toEqual(ids(whole.toSorted(compare[sort])))
      const pages = []
      for (let page = 1; page <= Math.ceil(total / 5); page++) {
        const read = await list(`limit=5&page=${page}&sort=${sort}${filter}`)
        expect(read.total).toBe(total)
        pages.push(...read.orders)
      }
      expect(ids(pages)).toEqual(ids(whole))
      expect(await list(`limit=5&page=99&sort=${sort}${filter}`)).toMatchObject({ orders: [], total })
    },
  )

  test('an export is in the order of its list (product 4.6)', async () => {
    const { orders } = await list(`limit=100&sort=${sort}`)
    const { body } = await get(`/api/exports/orders?sort=${sort}`)
    const numbers = body.match(/ORD-\d+/g)
    expect(numbers).toEqual(orders.map(({ orderNumber }) => orderNumber))
  })
})

test('a list without an order, or with an empty one, is newest first (product 4.2)', async () => {
  const newest = await list('limit=100&sort=newest')
  expect(await list('limit=100')).toEqual(newest)
  expect(await list('limit=100&sort=')).toEqual(newest)
})

test.each([
  '/api/users',
  '/api/orders',
  '/api/blockchain-transactions',
  '/api/transactions',
  '/api/kyc/verifications',
  '/api/kyc/step2-history',
  '/api/kyc/step3-history',
  '/api/kyc/step4-history',
  '/api/kyc/submission-history',
  '/api/security/events',
  '/api/admin/logs',
  '/api/messages',
  '/api/bank/lines',
])('%s takes its orders alone (product 4.3)', async (path) => {
  expect((await get(`${path}?sort=newest`)).statusCode).toBe(200)
  expect((await get(`${path}?sort=oldest`)).statusCode).toBe(200)
  for (const bad of ['cheapest', 'Newest', 'all', 'newest&sort=oldest']) {
    const reply = await get(`${path}?sort=${bad}`)
    expect(reply.statusCode, bad).toBe(400)
    expect(reply.json<{ details: unknown[] }>().details, bad).toContainEqual(expect.objectContaining({ field: 'sort' }))
  }
})

test('platform transactions are ordered by their amounts as numbers', async () => {
  const read = async (sort: string) =>
    (await get(`/api/transactions?sort=${sort}`))
      .json<{ transactions: { id: string }[] }>()
      .transactions.map(({ id }) => id)
  expect(await read('largest')).toEqual(['t-2', 't-1', 't-3'])
  expect(await read('smallest')).toEqual(['t-3', 't-1', 't-2'])
})

test.each([
  ['largest', 'orders_currency_amount'],
  ['expiring', 'orders_soonest'],
])('the index alone is read to reach a page far down orders, %s first', async (sort, index) => {
  await server.sql('VACUUM ANALYZE orders')
  const order =
    sort === 'largest'
      ? 'currency DESC, investment_amount DESC, created_at DESC, id DESC'
      : `
    CASE status WHEN 'waiting_payment' THEN expires_at ELSE 'infinity'::timestamptz END, created_at, id`
  await server.sql('SET enable_seqscan = off; SET enable_sort = off')
  const plan = await server.sql(
    `EXPLAIN SELECT id FROM orders WHERE status = 'expired' ORDER BY ${order} OFFSET 10 LIMIT 1`,
  )
  expect(JSON.stringify(plan)).toMatch(new RegExp(`Index Only Scan.*${index}`))
})
