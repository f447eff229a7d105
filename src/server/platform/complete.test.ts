import { expect, test } from 'vitest'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { createPlatformCaller, listCallRecords, readAllTables } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const call = createPlatformCaller(server)
const { id: member } = await makeMember(server)
const paidOrder = () => makeOrder(server, member, { status: 'paid', paidAt: '2026-01-05T09:00:00.000Z' })
const complete = (orderNumber: string) => call('POST', `/orders/${orderNumber}/complete`)

test('the platform completes a paid order without an event back to it (product 7.4)', async () => {
  const order = await paidOrder()
  const events = await server.sql(`SELECT * FROM platform_events`)
  const reply = await complete(order.orderNumber)
  expect(reply.json()).toMatchObject({ status: 'completed', completedAt: expect.stringMatching(/Z$/) })
  const [row] = await server.sql('SELECT * FROM orders WHERE id = $1', [order.id])
  expect(row).toMatchObject({
    status: 'completed',
    status_changed_by: 'platform:PLATFORM_API_KEY',
    completed_at: new Date(reply.json().completedAt),
    paid_at: new Date('2026-01-05T09:00:00Z'),
    version: order.version + 1,
  })
  expect(await listCallRecords(server, reply)).toMatchObject([
    {
      target_type: 'order',
      target_id: order.id,
      details: { call: 'POST /orders/{orderNumber}/complete', outcome: 'completed' },
    },
  ])
  const audits = await server.sql(
    `SELECT actor_name, details FROM audit_log WHERE action = 'complete_order' AND target_id = $1`,
    [order.id],
  )
  expect(audits).toEqual([
    {
      actor_name: 'platform:PLATFORM_API_KEY',
      details: { orderNumber: order.orderNumber, before: { status: 'paid' }, after: { status: 'completed' } },
    },
  ])
  expect(await server.sql(`SELECT * FROM platform_events`)).toEqual(events)
  expect((await server.as('ada')('GET', `/api/orders/${order.id}`)).json().order.status).toBe('completed')
})

test('from any other state it is a 409 that names the state, and nothing is changed (product 7.4)', async () => {
  const orders = [
    await makeOrder(server, member),
    await makeOrder(server, member, { expiresAt: '2026-01-05T09:00:00.000Z' }),
    await makeOrder(server, member, {
      status: 'cancelled',
      statusChangedBy: 'ada',
      statusChangedAt: '2026-01-05T09:00:00.000Z',
    }),
    await makeOrder(server, member, { status: 'completed' }),
  ]
  const stands = await readAllTables(server)
  const replies = await Promise.all(orders.map(({ orderNumber }) => complete(orderNumber)))
  expect(replies.map((reply) => [reply.statusCode, reply.json().message])).toEqual([
    [409, 'This order is waiting payment'],
    [409, 'This order is expired (set by system on Jan 05, 2026 at 09:00 UTC)'],
    [409, 'This order is cancelled (set by ada on Jan 05, 2026 at 09:00 UTC)'],
    [409, 'This order is completed'],
  ])
  const unknown = await complete('NONE')
  expect([unknown.statusCode, unknown.json().message]).toEqual([404, 'Order NONE not found'])
  expect(await readAllTables(server)).toEqual(stands)
})

test('of eight at once exactly one completes it (product 7.4)', async () => {
  const { orderNumber } = await paidOrder()
  const replies = await Promise.all(Array.from({ length: 8 }, () => complete(orderNumber)))
  expect(replies.map((reply) => reply.statusCode).toSorted()).toEqual([200, ...Array(7).fill(409)])
  const audits = await server.sql(
    `SELECT FROM audit_log WHERE action = 'complete_order' AND details->>'orderNumber' = $1`,
    [orderNumber],
  )
  expect(audits).toHaveLength(1)
})

test('a body is not needed, and one that says something is refused by its fields', async () => {
  const { orderNumber } = await paidOrder()
  const reply = await call('POST', `/orders/${orderNumber}/complete`, { completedAt: '2026-01-05T09:00:00Z' })
  expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining('completedAt')])
  expect((await call('POST', `/orders/${orderNumber}/complete`, {})).json().status).toBe('completed')
})
