import { expect, test } from 'vitest'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const ada = server.as('ada')
const { makeLine } = await createStoredLines(server)
const { apply, refuse, events, send } = createAllocationCaller(server)
const grace = createAllocationCaller(server, 'grace')
const member = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const askFor = (investmentAmount: string, given = {}) => makeOrder(server, member.id, { investmentAmount, ...given })
const types = async (order: { orderNumber: string }) => (await events(order)).map(({ type }) => type)
const adminId = async (username: string) =>
  (await server.sql<{ id: string }>('SELECT id::text FROM admins WHERE username = $1', [username]))[0]!.id

test('a line that changed meanwhile is refused with who changed it and what is left (product 9.10)', async () => {
  const [line, order] = [await makeLine(), await askFor('100.00')]
  await grace.apply(line.id, [payOrder(await askFor('40.00'), '40.00')])
  const [status, code, message] = await refuse(line.id, [payOrder(order, '60.00')], { version: 1 })
  expect([status, code]).toEqual([409, 'stale'])
  expect(message).toMatch(
    /^This line was changed meanwhile, by grace on \w{3} \d\d, \d{4} at \d\d:\d\d UTC: 40\.00 EUR of 100\.00 EUR are applied\. Reload and decide again\.$/,
  )
})

test('of two operators who apply one line at once one is refused (product 7.10)', async () => {
  const [line, one, other] = [await makeLine(), await askFor('100.00'), await askFor('100.00')]
  const replies = await Promise.all([
    send(line.id, [payOrder(one, '100.00')], { version: 1 }),
    grace.send(line.id, [payOrder(other, '100.00')], { version: 1 }),
  ])
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  expect(replies.find(({ statusCode }) => statusCode === 409)!.json().code).toBe('stale')
})

test('a line that another operator has open is theirs until their time is over (product 7.10)', async () => {
  const [line, order] = [await makeLine(), await askFor('100.00')]
  await grace.apply((await makeLine()).id, [{ purpose: 'ignored', amount: '1.00', code: 'fee' }])
  await server.sql(`INSERT INTO bank_claims VALUES ($1, $2, now() + interval '5 minutes')`, [
    line.id,
    await adminId('grace'),
  ])
  const [status, code, message] = await refuse(line.id, [payOrder(order, '100.00')])
  expect([status, code]).toEqual([409, 'line_claimed'])
  expect(message).toMatch(/^grace has this line open, until \w{3} \d\d, \d{4} at \d\d:\d\d UTC$/)
  await server.sql(`UPDATE bank_claims SET claimed_until = now() - interval '1 second'`)
  await apply(line.id, [payOrder(order, '100.00')])
})

test('an order that ends while its payment waits for it is judged by what it is then (product 7.4)', async () => {
  const order = await askFor('100.00', { createdAt: '2026-01-01T00:00:00Z' })
  const line = await makeLine()
  const holder = await server.services.database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM orders WHERE id = $1 FOR UPDATE', [order.id])
  const applying = send(line.id, [payOrder(order, '100.00')])
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await expect.poll(async () => (await server.sql(waiting)).length).toBe(1)
  await holder.query(`UPDATE orders SET expires_at = clock_timestamp() - interval '3 days' WHERE id = $1`, [order.id])
  await holder.query('COMMIT')
  holder.release()
  expect((await applying).json()).toMatchObject({ code: 'order_state' })
  expect(await events(order)).toEqual([])
})

test('one of ten who undo a part at once wins', async () => {
  const [order, line] = [await askFor('100.00'), await makeLine()]
  const { allocations } = await apply(line.id, [payOrder(order, '100.00')])
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => ada('POST', `/api/bank/allocations/${allocations[0]!.id}/undo`, { reason: 'x' })),
  )
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
  expect(await types(order)).toEqual(['order.paid', 'order.payment_reversed'])
})
