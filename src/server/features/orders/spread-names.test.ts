import { expect, test } from 'vitest'
import { runJob } from '#test/support/jobs.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const count = async (search: string) =>
  (await ada('GET', `/api/orders?search=${encodeURIComponent(search)}`)).json<{ total: number }>().total

/** A member with so many orders, of which one is real and the others its copies. */
async function makeMemberWithOrders(orders: number, name: string) {
  const member = await makeMember(server, { legalFirstName: name, legalLastName: 'Lima' })
  const { id } = await makeOrder(server, member.id)
  const columns = `member_id, project_id, project_name, investment_amount, currency, bank_name, account_holder, account_number, iban, swift,
    payment_instructions, expires_at`
  await server.sql(
    `INSERT INTO orders (order_number, ${columns}) SELECT 'MANY-${id}-' || n, ${columns} FROM orders, generate_series(2, $1) AS n WHERE id = $2`,
    [orders, id],
  )
  return member
}
const rename = (id: string, name: string) =>
  server.sql('UPDATE members SET legal_first_name = $1 WHERE id = $2', [name, id])
const countDue = async () => (await server.sql('SELECT FROM order_search_due')).length

test('orders of a member with few of them are found by the new name at once (product 4.4)', async () => {
  const member = await makeMemberWithOrders(100, 'Briseis')
  await rename(member.id, 'Chryseis')
  expect([await count('briseis'), await count('chryseis'), await countDue()]).toEqual([0, 100, 0])
})

test('orders of a member with many are found by the new name once the job has run', async () => {
  const member = await makeMemberWithOrders(1200, 'Damaris')
  await rename(member.id, 'Eunike')
  await rename(member.id, 'Euphemia')
  expect(await countDue()).toBe(1)
  await Promise.all([runJob(server.services, 'spread-names'), runJob(server.services, 'spread-names')])
  expect([await count('damaris'), await count('eunike'), await countDue()]).toEqual([0, 0, 0])
  const [row] = await server.sql<{ same: boolean }>(
    'SELECT bool_and(o.member_search = m.search) AS same FROM orders o JOIN members m ON m.id = o.member_id',
  )
  expect(row).toEqual({ same: true })
})

test('an order that is being decided is left for the next run', async () => {
  const member = await makeMemberWithOrders(150, 'Phoebe')
  await rename(member.id, 'Portia')
  const holder = await server.services.database.pool.connect()
  await holder.query('BEGIN')
  await holder.query(`SELECT FROM orders WHERE member_id = $1 LIMIT 1 FOR UPDATE`, [member.id])
  await runJob(server.services, 'spread-names')
  const before = [await count('portia'), await count('phoebe'), await countDue()]
  await holder.query('ROLLBACK')
  holder.release()
  expect(before).toEqual([149, 1, 1])
  await runJob(server.services, 'spread-names')
  expect([await count('portia'), await countDue()]).toEqual([150, 0])
})

test('a change while a batch is written is not lost', async () => {
  const member = await makeMemberWithOrders(150, 'Salome')
  await rename(member.id, 'Susanna')
  const holder = await server.services.database.pool.connect()
  await holder.query('BEGIN')
  await holder.query(`UPDATE members SET legal_first_name = 'Tabitha' WHERE id = $1`, [member.id])
  // The row is held by the change that has not ended.
  await runJob(server.services, 'spread-names')
  await holder.query('COMMIT')
  holder.release()
  await runJob(server.services, 'spread-names')
  expect([await count('susanna'), await count('tabitha'), await countDue()]).toEqual([0, 150, 0])
})

test('a new order of a member who is due has the new name at once', async () => {
  const member = await makeMemberWithOrders(150, 'Thekla')
  await rename(member.id, 'Ursula')
  const order = await makeOrder(server, member.id)
  const [row] = await server.sql<{ search: string }>('SELECT search FROM orders WHERE id = $1', [order.id])
  expect(row!.search).toContain('ursula')
})
