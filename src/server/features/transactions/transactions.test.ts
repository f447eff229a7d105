import { expect, test } from 'vitest'
import type { ListedTransaction } from '#contract/schemas/transactions.ts'
import { foldListCounts, makeMember, makeTransaction } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const list = async (query = '') => {
  const reply = await server.as('ada')('GET', `/api/transactions?${query}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ transactions: ListedTransaction[]; total: number; page: number; limit: number }>()
}

const active = { kycBanned: false, bannedReason: null }
const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 9, minute)).toISOString()

test('Dashboard: recent transactions are newest first with their exact amounts (product 5.8)', async () => {
  const ana = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
  const bob = await makeMember(server)
  await makeTransaction(server, ana.id, { id: 'old', createdAt: at(1), type: 'withdrawal', amount: '0.10' })
  await makeTransaction(server, bob.id, { id: 'new-b', createdAt: at(2), status: 'pending' })
  await makeTransaction(server, bob.id, { id: 'new-a', createdAt: at(2), status: 'failed', type: 'other' })
  const found = await list('limit=5&page=1')
  expect(found).toMatchObject({ total: 3, page: 1, limit: 5 })
  expect(found.transactions.map(({ id }) => id)).toEqual(['new-b', 'new-a', 'old'])
  expect(found.transactions[2]).toEqual({
    id: 'old',
    type: 'withdrawal',
    amount: '0.10',
    status: 'completed',
    createdAt: at(1),
    user: { id: ana.id, email: ana.email, legalFirstName: 'Ana', legalLastName: 'Lima', ...active },
  })
  expect(await list('page=2&limit=2')).toMatchObject({ total: 3, transactions: [{ id: 'old' }] })
  expect(await list('page=9')).toMatchObject({ total: 3, transactions: [] })
})

test('the total stays exact through inserts, updates, deletes and folding', async () => {
  const { id } = await makeMember(server)
  const check = async () => {
    const rows = await server.sql<{ id: string }>(
      'SELECT id FROM platform_transactions ORDER BY created_at DESC, id DESC',
    )
    for (const page of [1, 2, 101, 130, Math.ceil(rows.length / 50)]) {
      const found = await list(`page=${page}`)
      expect(found.total).toBe(rows.length)
      expect(found.transactions.map((row) => row.id)).toEqual(
        rows.slice((page - 1) * 50, page * 50).map((row) => row.id),
      )
    }
  }
  await server.sql(
    `INSERT INTO platform_transactions (id, member_id, type, amount, status, created_at)
     SELECT 'n-' || n, $1, 'deposit', n, 'pending', timestamptz '2025-06-01' + n * interval '20 minutes'
     FROM generate_series(1, 9000) n`,
    [id],
  )
  await check()
  await foldListCounts(server)
  await server.sql("UPDATE platform_transactions SET status = 'completed' WHERE id LIKE 'n-%3'")
  await server.sql("UPDATE platform_transactions SET created_at = created_at + interval '3 days' WHERE id LIKE 'n-%4'")
  await server.sql("DELETE FROM platform_transactions WHERE id LIKE 'n-1%'")
  await check()
  await foldListCounts(server)
  await check()
  const leaves = await server.sql("SELECT leaf, rows FROM list_totals WHERE list = 'transactions' AND rows <> 0")
  const counted = await server.sql(
    "SELECT type || '/' || status AS leaf, count(*) AS rows FROM platform_transactions GROUP BY 1",
  )
  expect(leaves).toEqual(expect.arrayContaining(counted))
})

test.each([
  ['page=0', 'page'],
  ['limit=1001', 'limit'],
  ['limit=5&limit=6', 'limit'],
  ['type=gift', 'type'],
  ['status=open', 'status'],
  ['created=yesterday', 'created'],
  ['created=today&timeZone=Mars', 'timeZone'],
  ['userId=a%20b', 'userId'],
])('%s is 400 and names %s', async (query, field) => {
  const reply = await server.as('ada')('GET', `/api/transactions?${query}`)
  expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining(field)])
})
