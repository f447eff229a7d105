import { beforeAll, expect, test } from 'vitest'
import type { ListedTransaction, PlatformTransactionsQuery } from '#contract/schemas/transactions.ts'
import { makeMember, makeTransaction } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
type ListQuery = Partial<Record<keyof PlatformTransactionsQuery, string>>
async function list(asked: ListQuery = {}) {
  const reply = await server.as('ada')('GET', `/api/transactions?${new URLSearchParams(asked)}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ transactions: ListedTransaction[]; total: number; totalExact: boolean }>()
}
const idsOf = async (asked: ListQuery) => (await list(asked)).transactions.map(({ id }) => id)

const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 9, minute)).toISOString()

beforeAll(async () => {
  const ana = await makeMember(server, { id: 'ana', legalFirstName: 'José', legalLastName: 'Lima', email: 'jl@a.test' })
  const bob = await makeMember(server, { id: 'bob', legalFirstName: 'Bob', legalLastName: 'Stone', email: 'b@b.test' })
  await makeTransaction(server, ana.id, { id: 'in-1', createdAt: at(1), type: 'deposit', status: 'completed' })
  await makeTransaction(server, ana.id, { id: 'out-1', createdAt: at(2), type: 'withdrawal', status: 'failed' })
  await makeTransaction(server, bob.id, { id: 'jose', createdAt: at(3), type: 'deposit', status: 'pending' })
  await makeTransaction(server, bob.id, { id: 'in-2', createdAt: at(4), type: 'deposit', status: 'completed' })
})

test('platform transactions are filtered by type, status and member, with exact totals', async () => {
  expect(await idsOf({})).toEqual(['in-2', 'jose', 'out-1', 'in-1'])
  expect(await idsOf({ type: 'deposit' })).toEqual(['in-2', 'jose', 'in-1'])
  expect(await idsOf({ type: 'deposit', status: 'completed' })).toEqual(['in-2', 'in-1'])
  expect(await idsOf({ userId: 'ana' })).toEqual(['out-1', 'in-1'])
  expect(await idsOf({ userId: 'bob', status: 'pending' })).toEqual(['jose'])
  expect(await list({ userId: 'ana', page: '2', limit: '1' })).toMatchObject({
    total: 2,
    transactions: [{ id: 'in-1' }],
  })
  expect(await list({ userId: '', type: 'all', status: '' })).toMatchObject({ total: 4 })
  expect(await list({ userId: 'nobody' })).toMatchObject({ total: 0, transactions: [] })
})

test('a platform transaction is found by its member, or by its whole id', async () => {
  expect(await idsOf({ search: ' jose li' })).toEqual(['out-1', 'in-1'])
  expect(await idsOf({ search: 'B@b.TEST' })).toEqual(['in-2', 'jose'])
  expect(await idsOf({ search: 'in-2' })).toEqual(['in-2'])
  expect(await idsOf({ search: 'in-' })).toEqual([])
})

test('a search that is a name and an id finds both, each once', async () => {
  expect(await list({ search: 'jose' })).toMatchObject({ total: 3, totalExact: true })
  expect(await idsOf({ search: 'jose' })).toEqual(['jose', 'out-1', 'in-1'])
  expect(await idsOf({ search: 'jose', limit: '1', page: '2' })).toEqual(['out-1'])
  expect(await list({ search: 'jose', total: 'exact', limit: '1' })).toMatchObject({ total: 3, totalExact: true })
  expect(await idsOf({ search: 'jose', userId: 'bob' })).toEqual(['jose'])
  expect(await idsOf({ search: 'jose', type: 'deposit', userId: 'ana' })).toEqual(['in-1'])
})

test.each(['Pacific/Auckland', 'UTC', 'America/Los_Angeles'])(
  "what was made today in %s is what the dashboard's card counts",
  async (timeZone) => {
    const hours = Array.from({ length: 60 }, (_, hour) => hour)
    for (const hour of hours)
      await makeTransaction(server, 'ana', { createdAt: new Date(Date.now() - (hour - 3) * 3_600_000).toISOString() })
    const card = await server.as('ada')('GET', `/api/analytics?timeZone=${encodeURIComponent(timeZone)}`)
    const { total } = await list({ created: 'today', timeZone })
    expect(total).toBe(card.json().todayTransactions)
    expect(total).toBeGreaterThan(0)
    expect(await list({ created: 'today', timeZone, search: 'jose', total: 'exact' })).toMatchObject({ total })
    expect(await list({ created: 'today', timeZone, type: 'withdrawal' })).toMatchObject({ total: 0 })
  },
)

test('platform transactions are exported as filtered', async () => {
  const reply = await server.as('ada')('GET', '/api/exports/platform-transactions?userId=ana&type=withdrawal')
  expect(reply.body.slice(1).split('\r\n')).toEqual([
    'User ID,Name,Email,Type,Amount,Status,Date,Transaction ID,User Status,Ban Reason',
    `ana,José Lima,jl@a.test,Withdrawal,250.00,Failed,${at(2)},out-1,Active,`,
    '',
  ])
  const [row] = await server.sql(`SELECT details FROM audit_log WHERE action = 'export_list' ORDER BY id DESC LIMIT 1`)
  expect(row).toMatchObject({
    details: { list: 'platformTransactions', filters: { userId: 'ana', type: ['withdrawal'] }, rows: 1 },
  })
})

/** Members of this surname, the first of them the oldest, and a transaction a minute of the first `count` of them. */
async function makeNamed(surname: string, members: number, count: number) {
  await server.sql(
    `INSERT INTO members (id, email, legal_last_name, created_at) SELECT $1 || '-' || n, $1 || n || '@example.com', $1,
      timestamptz '2020-01-01Z' + n * interval '1 minute' FROM generate_series(1, $2::int) n`,
    [surname, members],
  )
  await server.sql(
    `INSERT INTO platform_transactions (id, member_id, type, amount, status, created_at)
      SELECT $1 || '-' || n, $1 || '-' || 1 + n % $3::int, 'deposit', 1, 'completed', timestamptz '2020-02-01Z' + n * interval '1 minute'
      FROM generate_series(1, $2::int) n`,
    [surname, count, Math.min(members, count)],
  )
}
const newest = (surname: string, from: number, count: number) =>
  Array.from({ length: count }, (_, n) => `${surname}-${from - n}`)

test('a search with more than 1,000 hits brings each of its pages', async () => {
  await makeNamed('moreau', 3, 1005)
  expect(await list({ search: 'moreau', limit: '5' })).toMatchObject({ total: 1000, totalExact: false })
  expect(await idsOf({ search: 'moreau', limit: '5' })).toEqual(newest('moreau', 1005, 5))
  expect(await idsOf({ search: 'moreau', limit: '100', page: '11' })).toEqual(newest('moreau', 5, 5))
  expect(await list({ search: 'moreau', limit: '100', page: '11' })).toMatchObject({ total: 1005, totalExact: true })
  expect(await list({ search: 'moreau', limit: '5', status: 'failed' })).toMatchObject({ total: 0, totalExact: true })
})

test('a search with 1,000 hits has an exact total', async () => {
  await makeNamed('horvat', 2, 1000)
  expect(await list({ search: 'horvat' })).toMatchObject({ total: 1000, totalExact: true })
})

test('of a name that thousands bear the few transactions are found', async () => {
  await makeNamed('bianchi', 3005, 4)
  expect(await list({ search: 'bianchi' })).toMatchObject({ total: 4, totalExact: true })
  expect(await idsOf({ search: 'bianchi' })).toEqual(newest('bianchi', 4, 4))
  expect(await idsOf({ search: 'bianchi', sort: 'oldest', limit: '2' })).toEqual(['bianchi-1', 'bianchi-2'])
})
