import { beforeAll, expect, test } from 'vitest'
import type { Account } from '#contract/schemas/account.ts'
import type { ListCounts, ListSums, View } from '#contract/schemas/views.ts'
import { maxViews } from '#contract/views.ts'
import { foldListCounts, makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const save = (body: object, name = 'ada') =>
  server.as(name)('POST', '/api/views', { list: 'orders', name: 'V', search: 'status=paid', ...body })
const saved = async (body: object, name = 'ada') => {
  const reply = await save(body, name)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ id: string; version: number }>()
}
const share = (id: string, name = 'ada') => server.as(name)('PATCH', `/api/views/${id}/sharing`, { isShared: true })
const viewsOf = async (name: string) => {
  const reply = await server.as(name)('GET', '/api/views?timeZone=UTC')
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ views: View[] }>().views
}
const find = async (id: string, name = 'ada') => (await viewsOf(name)).find((view) => view.id === id)
const actions = () =>
  server.sql<{ action: string; details: object }>(
    `SELECT action, details FROM audit_log WHERE target_type = 'view' ORDER BY id`,
  )

beforeAll(async () => {
  await server.addOperator('vera', 'viewer')
  await server.addOperator('rita', 'reviewer')
  const { id } = await makeMember(server, { createdAt: '2026-01-05T12:00:00Z' })
  await makeMember(server, { banned: true })
  for (const status of ['paid', 'paid', 'expired'] as const) await makeOrder(server, id, { status })
  await foldListCounts(server)
})

test('a saved view has the exact count of its list, now', async () => {
  const { id } = await saved({ name: 'Paid', search: 'status=paid&sort=largest' })
  expect(await find(id)).toMatchObject({
    list: 'orders',
    name: 'Paid',
    isOwn: true,
    owner: 'ada',
    total: 2,
    totalExact: true,
  })
  const member = await makeMember(server)
  await makeOrder(server, member.id, { status: 'paid' })
  expect((await find(id))?.total).toBe(3)
  const today = await saved({ name: 'Today', search: 'created=today' })
  const { json } = await server.as('ada')('GET', `/api/orders?from=${new Date().toISOString().slice(0, 10)}`)
  expect((await find(today.id))?.total).toBe(json<{ total: number }>().total)
  const banned = await saved({ name: 'Banned', list: 'users', search: 'status=banned' })
  expect((await find(banned.id))?.total).toBe(1)
})

test('the account names the lists that have views, own or shared', async () => {
  const readLists = async (name: string) => (await server.as(name)('GET', '/api/account')).json<Account>().viewedLists
  await server.addOperator('nora', 'viewer')
  expect(await readLists('nora')).toEqual([])
  await saved({ name: 'Own', list: 'users', search: '' }, 'nora')
  expect(await readLists('nora')).toEqual(['users'])
  await server.sql(`INSERT INTO list_views (owner_id, list, name, search, is_shared)
    SELECT id, 'messages', 'For all', '', true FROM admins WHERE username = 'ada'`)
  expect((await readLists('nora')).toSorted()).toEqual(['messages', 'users'])
})

test('a view whose filter is no longer one is listed without a count', async () => {
  for (const search of ['status=gone', 'colour=red&status=paid']) {
    const { id } = await saved({ name: search, search })
    expect(await find(id), search).toMatchObject({ total: null })
  }
})

test('searched text and the page are not saved', async () => {
  const { id } = await saved({ name: 'Tidy', search: '?status=paid&search=Ana+Silva&page=7&expiring=24h' })
  expect((await find(id))?.search).toBe('expiring=24h&status=paid')
  expect(JSON.stringify(await server.sql('SELECT * FROM list_views'))).not.toContain('Silva')
})

test('own views are the operator’s alone', async () => {
  const { id } = await saved({ name: 'Mine' })
  expect(await find(id, 'vera')).toBeUndefined()
  expect((await server.as('vera')('PATCH', `/api/views/${id}`, { name: 'Theirs' })).statusCode).toBe(404)
  expect((await server.as('vera')('DELETE', `/api/views/${id}`)).statusCode).toBe(404)
  expect((await find(id))?.name).toBe('Mine')
})

test('a shared view is changed by anyone who may share', async () => {
  const { id } = await saved({ name: 'Banned ones', list: 'users', search: 'status=banned' })
  const { version } = (await share(id)).json<{ version: number }>()
  expect(await find(id, 'vera')).toMatchObject({ isOwn: false, owner: 'ada', total: 1 })
  expect((await server.as('vera')('PATCH', `/api/views/${id}`, { name: 'X' })).statusCode).toBe(403)
  const own = await saved({ name: 'Own', list: 'users' }, 'vera')
  expect((await share(own.id, 'vera')).statusCode).toBe(403)
  expect((await server.as('rita')('PATCH', `/api/views/${id}`, { search: 'status=active' })).statusCode).toBe(200)
  const late = await server.as('ada')('PATCH', `/api/views/${id}`, { name: 'X' }, { 'if-match': `"${version}"` })
  expect(late.json()).toMatchObject({ code: 'stale' })
  expect((await server.as('rita')('DELETE', `/api/views/${id}`)).statusCode).toBe(200)
  expect(await find(id)).toBeUndefined()
  expect((await actions()).map(({ action }) => action)).toEqual(['share_view', 'change_view', 'unshare_view'])
})

test('views of a list that the operator may not view are not offered', async () => {
  const { id } = await saved({ name: 'Money' })
  expect((await share(id)).statusCode).toBe(200)
  expect(await find(id, 'rita')).toBeUndefined()
  expect((await save({}, 'rita')).statusCode).toBe(403)
})

test('an own view leaves no audit row', async () => {
  const before = (await actions()).length
  const { id } = await saved({ name: 'Quiet' })
  await server.as('ada')('PATCH', `/api/views/${id}`, { name: 'Quieter' })
  await server.as('ada')('DELETE', `/api/views/${id}`)
  expect(await actions()).toHaveLength(before)
})

test('a name is taken once a list, in any case of its letters', async () => {
  await saved({ name: 'Twice' })
  expect((await save({ name: 'TWICE ' })).json()).toMatchObject({ code: 'view_taken' })
  await saved({ name: 'Twice', list: 'users' })
})

test('of simultaneous saves no more are kept than one may have', async () => {
  const replies = await Promise.all(
    Array.from({ length: maxViews + 5 }, (_, n) => save({ name: `N${n}`, list: 'users' }, 'vera')),
  )
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(maxViews - 1)
  expect(replies.find(({ statusCode }) => statusCode !== 200)?.json()).toMatchObject({ code: 'views_full' })
})

const ask = async (what: 'counts' | 'sums', query: Record<string, string>, name = 'ada') => {
  const reply = await server.as(name)('GET', `/api/views/${what}?${new URLSearchParams(query)}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

test('each value of a filter has the count of its list under all other filters', async () => {
  const member = await makeMember(server)
  for (const status of ['paid', 'cancelled', 'cancelled'] as const) await makeOrder(server, member.id, { status })
  for (const search of [`userId=${member.id}`, `userId=${member.id}&status=paid,expired`]) {
    const { counts } = (await ask('counts', { list: 'orders', search })) as ListCounts
    expect(counts['status']).toEqual({
      waiting_payment: { total: 0, totalExact: true },
      paid: { total: 1, totalExact: true },
      completed: { total: 0, totalExact: true },
      expired: { total: 0, totalExact: true },
      cancelled: { total: 2, totalExact: true },
    })
  }
  const { counts } = (await ask('counts', { list: 'orders', search: 'status=paid' })) as ListCounts
  const { total } = (await server.as('ada')('GET', '/api/orders?status=expired')).json<{ total: number }>()
  expect(counts['status']?.['expired']).toEqual({ total, totalExact: true })
})

test('the rows of a narrowed list are summed by currency, exactly', async () => {
  const member = await makeMember(server)
  for (const [currency, investmentAmount] of [
    ['EUR', '0.10'],
    ['EUR', '0.20'],
    ['GBP', '900719925474099.31'],
  ] as const)
    await makeOrder(server, member.id, { currency, investmentAmount, status: 'cancelled' })
  const ofMember = { list: 'orders', search: `userId=${member.id}` }
  expect(await ask('sums', ofMember)).toEqual({
    sums: [
      { currency: 'EUR', amount: '0.30' },
      { currency: 'GBP', amount: '900719925474099.31' },
    ],
  })
  const [all] = await server.sql<{ amount: string }>(
    `SELECT sum(investment_amount)::text AS amount FROM orders WHERE status = 'cancelled' AND currency = 'EUR'`,
  )
  for (let turn = 0; turn < 2; turn++) {
    const { sums } = (await ask('sums', { list: 'orders', search: 'status=cancelled' })) as ListSums
    expect(sums.find(({ currency }) => currency === 'EUR')?.amount).toBe(all!.amount)
    await foldListCounts(server)
  }
})

test('a range of amounts is of one currency, both ends included', async () => {
  const member = await makeMember(server)
  for (const [currency, investmentAmount] of [
    ['EUR', '10.00'],
    ['EUR', '20.00'],
    ['EUR', '30.00'],
    ['USD', '20.00'],
  ] as const)
    await makeOrder(server, member.id, { currency, investmentAmount })
  const amounts = async (query: string) => {
    const reply = await server.as('ada')('GET', `/api/orders?userId=${member.id}&sort=smallest&${query}`)
    expect(reply.statusCode, reply.body).toBe(200)
    return reply
      .json<{ orders: { investmentAmount: string; currency: string }[] }>()
      .orders.map((order) => `${order.investmentAmount} ${order.currency}`)
  }
  expect(await amounts('currency=EUR&min=10&max=20')).toEqual(['10.00 EUR', '20.00 EUR'])
  expect(await amounts('currency=EUR&min=20.00')).toEqual(['20.00 EUR', '30.00 EUR'])
  expect(await amounts('currency=USD')).toEqual(['20.00 USD'])
  const refused = await server.as('ada')('GET', '/api/orders?min=10')
  expect(refused.json()).toMatchObject({ code: 'invalid', message: expect.stringContaining('currency') })
})

test.each(['status=paid,gone', 'status=paid&status=expired', 'status=,', 'currency=eur', 'currency=EUR&min=-1'])(
  'a list refuses the filter %s by name',
  async (query) => {
    const reply = await server.as('ada')('GET', `/api/orders?${query}`)
    expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringMatching(/status|currency|min/)])
  },
)

test('counts and sums need the permission of the list', async () => {
  for (const what of ['counts', 'sums'])
    expect((await server.as('rita')('GET', `/api/views/${what}?list=orders`)).statusCode).toBe(403)
})
